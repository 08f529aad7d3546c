package dev.gmptrace.cli;

import dev.gmptrace.runtime.config.Nearest;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, as one sentence that names option and value. */
final class UsageMessage {
  private UsageMessage() {}

  static String of(ParameterException e) {
    return switch (e) {
      case UnmatchedArgumentException unmatched -> unmatched(unmatched);
      case MissingParameterException missing -> missing(missing);
      default -> badValue(e);
    };
  }

  private static String unmatched(UnmatchedArgumentException e) {
    CommandLine at = e.getCommandLine();
    String word = e.getUnmatched().getFirst();
    if (word.startsWith("-")) {
      List<String> options =
          at.getCommandSpec().options().stream().flatMap(o -> Arrays.stream(o.names())).toList();
      return "unknown option '" + word + "'" + meant(word.replaceFirst("=.*", ""), options);
    }
    return at.getParent() == null
        ? "unknown command '" + word + "'" + meant(word, Commands.NAMES)
        : "unexpected argument '" + word + "'";
  }

  private static String meant(String word, Collection<String> known) {
    String near = Nearest.of(word, known);
    return near == null ? "" : "; did you mean '" + near + "'?";
  }

  private static String missing(MissingParameterException e) {
    ArgSpec first = e.getMissing().isEmpty() ? null : e.getMissing().getFirst();
    if (first instanceof OptionSpec option) {
      return option.longestName() + " needs a value, " + option.paramLabel();
    }
    return first == null
        ? lowerFirst(String.valueOf(e.getMessage()))
        : "missing required parameter: '" + first.paramLabel() + "'";
  }

  private static String badValue(ParameterException e) {
    ArgSpec spec = e.getArgSpec();
    String value = e.getValue();
    if (spec == null || value == null) {
      return lowerFirst(String.valueOf(e.getMessage()));
    }
    String name = spec instanceof OptionSpec option ? option.longestName() : spec.paramLabel();
    return name + ": '" + value + "' " + problem(spec.auxiliaryTypes()[0], value);
  }

  private static String problem(Class<?> type, String value) {
    Object @Nullable [] constants = type.getEnumConstants();
    if (constants != null) {
      return "is none of "
          + Arrays.stream(constants).map(Object::toString).collect(Collectors.joining(", "));
    }
    if (type == boolean.class || type == Boolean.class) {
      return "is neither true nor false; the option alone means true";
    }
    if (type == double.class || type == Double.class) {
      return "is not a number";
    }
    return value.matches("[+-]?\\d+") ? "is too large a number" : "is not a whole number";
  }

  private static String lowerFirst(String s) {
    return s.isEmpty() ? s : s.substring(0, 1).toLowerCase(Locale.ROOT) + s.substring(1);
  }
}
