package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.proto.Frame;
import dev.gmptrace.tracer.wire.proto.Packet;
import dev.gmptrace.tracer.wire.proto.Stack;
import dev.gmptrace.tracer.wire.proto.StackTable;
import dev.gmptrace.tracer.wire.proto.StringTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes the string and stack tables of a generation: the constants at its beginning, so that a
 * file that is cut off has them, and what else was used at its end. Used on the writer thread only.
 */
final class TableWriter {
  private static final int TEXT_PER_PACKET = 64 << 10;
  private static final int STACKS_PER_PACKET = 1024;

  private final Tracer tracer;

  TableWriter(Tracer tracer) {
    this.tracer = tracer;
  }

  void writeConstants(Generation gen, Consumer<Packet> out) {
    // Stacks first: their texts are made before they are, so the texts read later hold them all.
    List<EntrySite> sites = List.copyOf(EntrySite.all());
    List<TraceString> strings = List.copyOf(TraceString.constants());
    writeStrings(gen, strings.subList(gen.strings, strings.size()), out);
    List<TraceStack> stacks = new ArrayList<>();
    for (EntrySite site : sites.subList(gen.entrySites, sites.size())) {
      stacks.add(site.stack);
    }
    writeStacks(gen, stacks, out);
    gen.strings = strings.size();
    gen.entrySites = sites.size();
  }

  void writeUsed(Generation gen, Consumer<Packet> out) {
    writeConstants(gen, out);
    List<TraceStack> stacks = new ArrayList<>();
    List<TraceString> strings = new ArrayList<>();
    take(gen, stacks, strings);
    for (TraceStack stack : stacks) {
      for (TraceStack.Frame frame : stack.frames) {
        use(gen, tracer.intern(frame.function()), strings);
        use(gen, tracer.intern(frame.file()), strings);
      }
    }
    writeStrings(gen, strings, out);
    writeStacks(gen, stacks, out);
  }

  private void take(Generation gen, List<TraceStack> stacks, List<TraceString> strings) {
    boolean even = (gen.number & 1) == 0;
    Interned thing = tracer.takeUsed(gen.number);
    while (thing != null) {
      switch (thing) {
        case TraceStack stack -> stacks.add(stack);
        case TraceString string -> strings.add(string);
        default -> throw new AssertionError(thing);
      }
      thing = even ? thing.evenNext : thing.oddNext;
    }
  }

  private static void use(Generation gen, TraceString string, List<TraceString> strings) {
    if (!string.constant && string.markUsed(gen.number)) {
      strings.add(string);
    }
  }

  /**
   * A text for an event that is written after {@link #writeUsed}; its packet goes out at once.
   *
   * <p>Only for the few texts that the JVM has for its collectors and causes, which become
   * constants. It must not mark a text of the recorder as used: by now generation {@code gen + 2}
   * may have done so, which shares the mark, and the list of what that uses would get the text
   * twice.
   */
  TraceString late(Generation gen, String text, Consumer<Packet> out) {
    TraceString string = TraceString.constant(text);
    writeConstants(gen, out);
    return string;
  }

  private static void writeStrings(
      Generation gen, List<TraceString> strings, Consumer<Packet> out) {
    StringTable.Builder table = StringTable.newBuilder().setGeneration(gen.number);
    int size = 0;
    for (TraceString string : strings) {
      table.addId(string.id).addText(string.text());
      size += string.text().length();
      if (size > TEXT_PER_PACKET) {
        out.accept(Packet.newBuilder().setStrings(table).build());
        table.clear().setGeneration(gen.number);
        size = 0;
      }
    }
    if (table.getIdCount() > 0) {
      out.accept(Packet.newBuilder().setStrings(table).build());
    }
  }

  private void writeStacks(Generation gen, List<TraceStack> stacks, Consumer<Packet> out) {
    StackTable.Builder table = StackTable.newBuilder().setGeneration(gen.number);
    for (TraceStack stack : stacks) {
      Stack.Builder one = Stack.newBuilder().setId(stack.id);
      for (TraceStack.Frame frame : stack.frames) {
        one.addFrame(
            Frame.newBuilder()
                .setFunction(text(stack, frame.function()).id)
                .setFile(text(stack, frame.file()).id)
                .setLine(frame.line()));
      }
      table.addStack(one);
      if (table.getStackCount() == STACKS_PER_PACKET) {
        out.accept(Packet.newBuilder().setStacks(table).build());
        table.clear().setGeneration(gen.number);
      }
    }
    if (table.getStackCount() > 0) {
      out.accept(Packet.newBuilder().setStacks(table).build());
    }
  }

  private TraceString text(TraceStack stack, String text) {
    return stack.constant ? TraceString.constant(text) : tracer.intern(text);
  }
}
