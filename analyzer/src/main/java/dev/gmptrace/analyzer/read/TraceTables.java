package dev.gmptrace.analyzer.read;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The strings, frames and stacks of a whole trace. In the file their ids live for one generation;
 * here every distinct string, frame and stack has one small int for good, so that "same stack" is
 * an int comparison anywhere above.
 *
 * <p>Tables grow while a trace is read and never change what an id means. Whoever got an id from an
 * event may look it up, during the reading and after; {@link #strings} and {@link #stacks} are
 * bounds for arrays indexed by id once the reading is over.
 *
 * <p>For implementers: adding is synchronized, looking up is not. A grown array is published
 * through a volatile field; the elements behind an id are published with the event that carries the
 * id.
 */
public final class TraceTables {
  /** The id of "no stack". */
  public static final int NO_STACK = 0;

  private static final char REPLACEMENT = '\uFFFD';

  /** Begins no string that was decoded from UTF-8. */
  private static final char NO_STRING = '\uDC00';

  private final Map<Integer, byte[]> raw = new ConcurrentHashMap<>();
  private final Map<String, Integer> stringIds = new HashMap<>();
  private final Map<Frame, Integer> frameIds = new HashMap<>();
  private final Map<StackKey, Integer> stackIds = new HashMap<>();

  private volatile String[] strings = new String[64];
  private volatile Frame[] frames = new Frame[64];
  private volatile int[][] stacks = new int[64][];
  private volatile int stringCount;
  private volatile int frameCount;
  private volatile int stackCount;

  /**
   * A place in a program.
   *
   * @param pc the address, 0 where there is none (Java)
   * @param function the string id of the function's name
   * @param file the string id of the file's name
   * @param line the line in the file
   */
  public record Frame(long pc, int function, int file, long line) {}

  private static final class StackKey {
    private final int[] frames;
    private final int hash;

    StackKey(int[] frames) {
      this.frames = frames;
      this.hash = Arrays.hashCode(frames);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof StackKey k && hash == k.hash && Arrays.equals(frames, k.frames);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  TraceTables() {
    addString("");
    stacks[0] = new int[0];
    stackCount = 1;
  }

  /** The string with that id. */
  public String string(int id) {
    return strings[id];
  }

  /**
   * The bytes of a string that is no UTF-8, or null for all others. {@link #string} has replacement
   * characters in their place.
   */
  public byte @Nullable [] raw(int id) {
    return raw.isEmpty() ? null : raw.get(id);
  }

  /** The frame with that id. */
  public Frame frame(int id) {
    return frames[id];
  }

  /** How many frames the stack with that id has. */
  public int depth(int stack) {
    return stacks[stack].length;
  }

  /** The frame id of a stack's i-th frame; 0 is the innermost. */
  public int frameId(int stack, int i) {
    return stacks[stack][i];
  }

  /** The frames of a stack, the innermost first. */
  public List<Frame> stack(int id) {
    int[] ids = stacks[id];
    List<Frame> list = new ArrayList<>(ids.length);
    for (int f : ids) {
      list.add(frames[f]);
    }
    return list;
  }

  /** The function name of a frame. */
  public String function(Frame frame) {
    return strings[frame.function];
  }

  /** The file name of a frame. */
  public String file(Frame frame) {
    return strings[frame.file];
  }

  /** How many strings there are; ids are below it. */
  public int strings() {
    return stringCount;
  }

  /** How many frames there are; ids are below it. */
  public int frames() {
    return frameCount;
  }

  /** How many stacks there are; ids are below it. */
  public int stacks() {
    return stackCount;
  }

  int addString(String s) {
    return addString(s, s);
  }

  /** Adds a string as it stands in a file. */
  int addString(byte[] utf8) {
    String s = new String(utf8, StandardCharsets.UTF_8);
    if (s.indexOf(REPLACEMENT) < 0 || Arrays.equals(utf8, s.getBytes(StandardCharsets.UTF_8))) {
      return addString(s, s);
    }
    // Different bytes are different strings, even when they look the same.
    String key = NO_STRING + new String(utf8, StandardCharsets.ISO_8859_1);
    int id = addString(key, s);
    raw.putIfAbsent(id, utf8);
    return id;
  }

  private synchronized int addString(String key, String s) {
    Integer known = stringIds.get(key);
    if (known != null) {
      return known;
    }
    int id = stringCount;
    String[] all = strings;
    if (id == all.length) {
      all = Arrays.copyOf(all, id * 2);
    }
    all[id] = s;
    strings = all;
    stringCount = id + 1;
    stringIds.put(key, id);
    return id;
  }

  synchronized int addFrame(Frame frame) {
    Integer known = frameIds.get(frame);
    if (known != null) {
      return known;
    }
    int id = frameCount;
    Frame[] all = frames;
    if (id == all.length) {
      all = Arrays.copyOf(all, id * 2);
    }
    all[id] = frame;
    frames = all;
    frameCount = id + 1;
    frameIds.put(frame, id);
    return id;
  }

  /** Adds a stack; one without frames is a stack of its own, not {@link #NO_STACK}. */
  synchronized int addStack(int[] frameIdsOfStack) {
    StackKey key = new StackKey(frameIdsOfStack);
    Integer known = stackIds.get(key);
    if (known != null) {
      return known;
    }
    int id = stackCount;
    int[][] all = stacks;
    if (id == all.length) {
      all = Arrays.copyOf(all, id * 2);
    }
    all[id] = frameIdsOfStack;
    stacks = all;
    stackCount = id + 1;
    stackIds.put(key, id);
    return id;
  }
}
