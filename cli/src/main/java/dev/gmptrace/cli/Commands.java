package dev.gmptrace.cli;

import java.util.List;

/**
 * The names of all commands, and how to build one. A switch rather than a table of constructors, so
 * that asking for one command loads the class of that command only.
 */
final class Commands {
  /** In the order in which the help lists them. */
  static final List<String> NAMES =
      List.of(
          "demo",
          "view",
          "run",
          "record",
          "schedtrace",
          "events",
          "stats",
          "goroutines",
          "profile",
          "tasks",
          "regions",
          "mmu",
          "findings",
          "validate",
          "footprint",
          "completion");

  private Commands() {}

  static Object create(String name, Terminal terminal) {
    return switch (name) {
      case "demo" -> new DemoCommand(terminal);
      case "view" -> new ViewCommand(terminal);
      case "run" -> new RunCommand(terminal);
      case "record" -> new RecordCommand(terminal);
      case "events" -> new EventsCommand(terminal);
      case "stats" -> new StatsCommand(terminal);
      case "goroutines" -> new GoroutinesCommand(terminal);
      case "tasks" -> new TasksCommand(terminal);
      case "regions" -> new RegionsCommand(terminal);
      case "schedtrace" -> new SchedtraceCommand(terminal);
      case "findings" -> new FindingsCommand(terminal);
      case "mmu" -> new MmuCommand(terminal);
      case "profile" -> new ProfileCommand(terminal);
      case "validate" -> new ValidateCommand(terminal);
      case "footprint" -> new FootprintCommand(terminal);
      case "completion" -> new CompletionCommand(terminal);
      default -> throw new IllegalArgumentException(name);
    };
  }
}
