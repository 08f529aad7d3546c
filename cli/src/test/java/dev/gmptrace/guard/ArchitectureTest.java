package dev.gmptrace.guard;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The borders of the house, as docs/ARCHITECTURE.md draws them. */
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.gmptrace");

  @Test
  void theRulesSeeEveryModule() {
    for (String module : new String[] {"tracer", "runtime", "analyzer", "viewer", "cli"}) {
      assertTrue(
          OURS.stream().anyMatch(c -> c.getPackageName().startsWith("dev.gmptrace." + module)),
          "no class of " + module + " on the class path; the rules would pass for nothing");
    }
  }

  @Test
  void modulesHaveNoCycles() {
    check(slices().matching("dev.gmptrace.(*)..").should().beFreeOfCycles());
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("dev.gmptrace.(**)").should().beFreeOfCycles());
  }

  @Test
  void tracerLinksOnlyJctoolsAndProtobuf() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.gmptrace.tracer..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                    "dev.gmptrace.tracer..",
                    "java..",
                    "jdk.jfr..",
                    "javax.management..",
                    "com.sun.management..",
                    "org.jctools..",
                    "com.google.protobuf..",
                    "org.jspecify.annotations..")));
  }

  @Test
  void runtimeAddsNothingToTheTracer() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.gmptrace.runtime..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                    "dev.gmptrace.runtime..",
                    "dev.gmptrace.tracer..",
                    "java..",
                    "javax.management..",
                    "com.sun.management..",
                    "org.jspecify.annotations..")));
  }

  @Test
  void analyzerKnowsNeitherRuntimeNorWebNorTerminal() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.gmptrace.analyzer..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    "dev.gmptrace.runtime..",
                    "dev.gmptrace.viewer..",
                    "dev.gmptrace.cli..",
                    "io.javalin..",
                    "tools.jackson..",
                    "picocli..")));
  }

  @Test
  void viewerKnowsNoRuntime() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.gmptrace.viewer..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("dev.gmptrace.runtime..", "dev.gmptrace.cli..", "picocli..")));
  }

  @Test
  void onlyTheReaderKnowsAFileFormat() {
    check(
        noClasses()
            .that(
                resideInAnyPackage(
                        "dev.gmptrace.analyzer..", "dev.gmptrace.viewer..", "dev.gmptrace.cli..")
                    .and(
                        com.tngtech.archunit.base.DescribedPredicate.not(
                            resideInAPackage("dev.gmptrace.analyzer.read.."))))
            .should()
            .dependOnClassesThat(resideInAPackage("dev.gmptrace.tracer.wire..")));
  }

  @Test
  void onlyOnePackageOfTheRuntimeTouchesTheJdksInside() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.gmptrace..")
            .and()
            .resideOutsideOfPackage("dev.gmptrace.runtime.jdk")
            .should()
            .callMethodWhere(
                com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                    com.tngtech.archunit.core.domain.properties.HasName.Predicates.name(
                        "privateLookupIn")))
            .orShould()
            .dependOnClassesThat(resideInAnyPackage("jdk.internal..", "sun..")));
  }

  @Test
  void logbackIsForTheCommandOnly() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.gmptrace.cli..")
            .should()
            .dependOnClassesThat(resideInAPackage("ch.qos.logback..")));
  }

  private static void check(ArchRule rule) {
    rule.check(OURS);
  }
}
