package dev.gmptrace.runtime.sched;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A twin of a class of ours with one instruction changed: an atomic access through a VarHandle
 * becomes one of the weaker accesses below, or a call of a static method of its own one of the
 * methods below. Put in front of the class path, it takes the place of the real class.
 */
final class Mutant {
  private Mutant() {}

  /** Instead of a compareAndSet: stores, whatever is there. */
  static boolean store(VarHandle field, RunQueue queue, int expected, int value) {
    field.setVolatile(queue, value);
    return true;
  }

  /** Instead of a compareAndSet to null: stores, whatever is there. */
  static boolean store(VarHandle field, RunQueue queue, G expected, @Nullable Void value) {
    field.setVolatile(queue, (G) null);
    return true;
  }

  /** Instead of a compareAndSet from null: stores, whatever is there. */
  static boolean store(VarHandle field, Note note, @Nullable Void expected, Thread value) {
    field.setVolatile(note, (Object) value);
    return true;
  }

  /** Instead of a getAndSet: no fence between the store and the loads that follow it. */
  static @Nullable G release(VarHandle field, RunQueue queue, G value) {
    G old = (G) field.getAcquire(queue);
    field.setRelease(queue, value);
    return old;
  }

  /** Instead of a getAndSet: looks first, then stores. */
  static @Nullable Object blind(VarHandle field, Note note, Object value) {
    Object old = (Object) field.getVolatile(note);
    field.setVolatile(note, value);
    return old;
  }

  /** Instead of FindRunnable.recheck: trusts that nothing was put. */
  @SuppressWarnings("UnusedVariable")
  static boolean noLastLook(Sched s, M m) {
    return false;
  }

  /**
   * Writes the twin of {@code original} into {@code directory}.
   *
   * @param in the method where it differs
   * @param access the VarHandle access or call that is replaced there; must occur exactly once
   * @param by the method of this class that replaces it
   */
  static void write(Path directory, Class<?> original, String in, String access, String by)
      throws IOException {
    Path file = directory.resolve(original.getName().replace('.', '/') + ".class");
    byte[] bytes;
    if (Files.exists(file)) { // a second change to the same class
      bytes = Files.readAllBytes(file);
    } else {
      try (InputStream is = original.getResourceAsStream(original.getSimpleName() + ".class")) {
        bytes = java.util.Objects.requireNonNull(is).readAllBytes();
      }
    }
    int[] changed = new int[1];
    Predicate<MethodModel> here = m -> m.methodName().equalsString(in);
    ClassDesc handle = VarHandle.class.describeConstable().orElseThrow();
    ClassDesc own = original.describeConstable().orElseThrow();
    ClassDesc mutant = Mutant.class.describeConstable().orElseThrow();
    CodeTransform replace =
        (builder, element) -> {
          if (element instanceof InvokeInstruction call
              && (call.owner().asSymbol().equals(handle) || call.owner().asSymbol().equals(own))
              && call.name().equalsString(access)) {
            changed[0]++;
            MethodTypeDesc type = call.typeSymbol();
            boolean atomic = call.owner().asSymbol().equals(handle);
            builder.invokestatic(mutant, by, atomic ? type.insertParameterTypes(0, handle) : type);
          } else {
            builder.with(element);
          }
        };
    ClassFile classFile = ClassFile.of();
    byte[] twin =
        classFile.transformClass(
            classFile.parse(bytes), ClassTransform.transformingMethodBodies(here, replace));
    if (changed[0] != 1) {
      throw new AssertionError(
          original.getSimpleName() + "." + in + " has " + changed[0] + " calls of " + access);
    }
    Files.createDirectories(java.util.Objects.requireNonNull(file.getParent()));
    Files.write(file, twin);
  }
}
