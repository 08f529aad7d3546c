package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.PacketReader;
import dev.gmptrace.tracer.wire.TracePacket;
import dev.gmptrace.tracer.wire.proto.Stack;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The texts and stacks of a trace; ids are the same in all generations of one recorder. */
final class TraceTexts {
  private final Map<Integer, String> strings = new HashMap<>();
  private final Map<Integer, Stack> stacks = new HashMap<>();

  TraceTexts(byte[] trace) {
    try (PacketReader in = PacketReader.of(trace)) {
      for (TracePacket packet = in.next(); packet != null; packet = in.next()) {
        if (packet instanceof TracePacket.Strings s) {
          for (int i = 0; i < s.table().getIdCount(); i++) {
            strings.put(s.table().getId(i), s.table().getText(i));
          }
        } else if (packet instanceof TracePacket.Stacks s) {
          s.table().getStackList().forEach(stack -> stacks.put(stack.getId(), stack));
        }
      }
    }
  }

  @Nullable String string(long id) {
    return strings.get((int) id);
  }

  String top(long id) {
    Stack stack = stacks.get((int) id);
    return stack == null ? "none" : String.valueOf(string(stack.getFrame(0).getFunction()));
  }
}
