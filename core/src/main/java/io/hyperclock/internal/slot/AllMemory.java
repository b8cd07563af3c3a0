/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All memory of the process as words at plain addresses, where the JVM has that (22 and later) and
 * this module has native access. By reflection, since this library is compiled for 17.
 */
public final class AllMemory {
  static final int FIRST_FEATURE = 22;

  private static final String SEGMENT = "java.lang.foreign.MemorySegment";
  private static final @Nullable VarHandle WORDS = find();

  private AllMemory() {}

  /** Whether there are words at addresses; the same for the life of the process. */
  public static boolean isUsable() {
    return WORDS != null;
  }

  /**
   * A handle of {@code long} with one coordinate, the address, which is a multiple of eight. It
   * checks next to nothing: a wrong address ends the process or destroys what is there.
   */
  static VarHandle words() {
    return Objects.requireNonNull(WORDS, "this JVM must have words at addresses");
  }

  /** Where a direct buffer's memory begins; for as long as the buffer is reachable. */
  static long addressOf(ByteBuffer buffer) {
    try {
      Class<?> segments = Class.forName(SEGMENT);
      Object segment = segments.getMethod("ofBuffer", Buffer.class).invoke(null, buffer);
      return (long) segments.getMethod("address").invoke(segment);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a buffer must have an address: buffer=" + buffer, e);
    }
  }

  private static @Nullable VarHandle find() {
    if (Runtime.version().feature() < FIRST_FEATURE) {
      return null;
    }
    try {
      return isAllowed() ? make() : null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      // WART: a JVM that has these classes in another shape; buffers do, and statistics tell it.
      return null;
    }
  }

  /** Asked first: to make the segment without native access prints a warning, or throws. */
  private static boolean isAllowed() throws ReflectiveOperationException {
    Method isEnabled = Module.class.getMethod("isNativeAccessEnabled");
    return (boolean) isEnabled.invoke(AllMemory.class.getModule());
  }

  private static VarHandle make() throws ReflectiveOperationException {
    Class<?> segments = Class.forName(SEGMENT);
    Object empty = segments.getField("NULL").get(null);
    Object all = segments.getMethod("reinterpret", long.class).invoke(empty, Long.MAX_VALUE);
    Class<?> layouts = Class.forName("java.lang.foreign.ValueLayout");
    Object wordsOfAny =
        layouts.getMethod("varHandle").invoke(layouts.getField("JAVA_LONG").get(null));
    return (VarHandle)
        MethodHandles.class
            .getMethod("insertCoordinates", VarHandle.class, int.class, Object[].class)
            .invoke(null, wordsOfAny, 0, new Object[] {all});
  }
}
