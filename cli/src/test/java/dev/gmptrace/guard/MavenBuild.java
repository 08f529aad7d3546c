package dev.gmptrace.guard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What pom.xml and the modules' poms say, in the terms that both builds share. */
final class MavenBuild {
  private final Path root;
  private final Element parent;
  private final Map<String, String> properties = new TreeMap<>();
  private final Map<String, String> managed = new HashMap<>();

  private MavenBuild(Path root) {
    this.root = root;
    this.parent = parse(root.resolve("pom.xml"));
    for (Element property : children(child(parent, "properties"))) {
      properties.put(property.getTagName(), property.getTextContent().strip());
    }
    Element management = child(child(parent, "dependencyManagement"), "dependencies");
    for (Element dependency : children(management)) {
      managed.put(key(dependency), resolve(text(dependency, "version")));
    }
  }

  static MavenBuild read(Path root) {
    return new MavenBuild(root);
  }

  Set<String> modules() {
    Set<String> modules = new TreeSet<>();
    for (Element module : children(child(parent, "modules"))) {
      modules.add(module.getTextContent().strip());
    }
    return modules;
  }

  String projectVersion() {
    return text(parent, "version");
  }

  /** Version keys without their ".version", as the Gradle catalog names them. */
  Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    properties.forEach((name, value) -> {
      if (name.endsWith(".version")) {
        versions.put(name.substring(0, name.length() - ".version".length()), value);
      }
    });
    return versions;
  }

  /** "main group:artifact:version" or "test …", and "main :tracer" for a module of our own. */
  List<String> dependencies(String module) {
    List<String> result = new ArrayList<>();
    addDependencies(parent, result);
    addDependencies(parse(root.resolve(module).resolve("pom.xml")), result);
    return result;
  }

  /** The Error Prone options, less the path of generated code, which differs by design. */
  Set<String> compilerChecks() {
    return checks(Repository.read(root.resolve("pom.xml")));
  }

  static Set<String> checks(String build) {
    Set<String> checks = new TreeSet<>();
    Matcher matcher = Pattern.compile("-Xep(?!Excluded)[\\w:.=]+|-Xlint:[\\w,-]+").matcher(build);
    while (matcher.find()) {
      checks.add(matcher.group());
    }
    return checks;
  }

  /** "group:artifact:version" of what runs while the module is compiled. */
  Set<String> processors(String module) {
    Set<String> result = new TreeSet<>();
    for (Element project : List.of(parent, parse(root.resolve(module).resolve("pom.xml")))) {
      NodeList lists = project.getElementsByTagName("annotationProcessorPaths");
      for (int i = 0; i < lists.getLength(); i++) {
        if (lists.item(i) instanceof Element list) {
          for (Element path : children(list)) {
            result.add(key(path) + ":" + resolve(text(path, "version")));
          }
        }
      }
    }
    return result;
  }

  /** Options of the JVM that the tests run in. */
  Set<String> testJvmArgs() {
    String all = properties.getOrDefault("gmptrace.jvmArgs", "").strip();
    return all.isEmpty() ? Set.of() : new TreeSet<>(List.of(all.split(" +")));
  }

  private void addDependencies(Element project, List<String> result) {
    Element dependencies = childOrNull(project, "dependencies");
    if (dependencies == null) {
      return;
    }
    for (Element dependency : children(dependencies)) {
      Element scope = childOrNull(dependency, "scope");
      boolean test = scope != null && scope.getTextContent().strip().equals("test");
      String artifact = text(dependency, "artifactId");
      String name =
          text(dependency, "groupId").equals("dev.gmptrace")
              ? ":" + artifact.substring("gmptrace-".length())
              : key(dependency) + ":" + managed.get(key(dependency));
      result.add((test ? "test " : "main ") + name);
    }
  }

  private String resolve(String value) {
    Matcher matcher = Pattern.compile("\\$\\{([^}]+)}").matcher(value);
    return matcher.replaceAll(match -> {
      String name = match.group(1);
      String found = name.equals("project.version") ? projectVersion() : properties.get(name);
      if (found == null) {
        throw new IllegalStateException("pom.xml uses ${" + name + "} and does not define it");
      }
      return Matcher.quoteReplacement(found);
    });
  }

  private static String key(Element dependency) {
    return text(dependency, "groupId") + ":" + text(dependency, "artifactId");
  }

  private static Element parse(Path file) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }

  private static List<Element> children(Element element) {
    List<Element> result = new ArrayList<>();
    NodeList nodes = element.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element child) {
        result.add(child);
      }
    }
    return result;
  }

  private static Element child(Element element, String name) {
    Element found = childOrNull(element, name);
    if (found == null) {
      throw new IllegalStateException("<" + element.getTagName() + "> has no <" + name + ">");
    }
    return found;
  }

  private static @org.jspecify.annotations.Nullable Element childOrNull(
      Element element, String name) {
    for (Element child : children(element)) {
      if (child.getTagName().equals(name)) {
        return child;
      }
    }
    return null;
  }

  private static String text(Element element, String name) {
    return child(element, name).getTextContent().strip();
  }
}
