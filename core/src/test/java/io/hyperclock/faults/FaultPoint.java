/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import java.util.HashMap;
import java.util.Map;

/**
 * Where rewritten classes ask whether the stack or the memory ends here. Faults are for one thread
 * at a time, the one that has armed them; everything runs on undisturbed elsewhere.
 *
 * <p>Depth is counted in calls of methods of the library; a call of something else is one more.
 */
public final class FaultPoint {
  /** What ends, and where. */
  public enum Kind {
    /** The stack holds so many calls, as long as the fault is armed. */
    STACK_DEPTH(1),
    /** The same, and what is not the library's takes as much as {@value FaultPoint#DEEP} calls. */
    STACK_DEPTH_FOREIGN(FaultPoint.DEEP),
    /** The same, and what is not the library's takes about as many calls as in the JDK. */
    STACK_DEPTH_AS_IN_JDK(FaultPoint.DEEP_IN_JDK),
    /**
     * One call finds no stack, and none do that it would have been followed by from the same depth
     * on, but for what a reserve was made for. So it is where compiled calls, which take little,
     * are mixed with interpreted ones, which take much. The first call always finds some. Each
     * place finds none in its first calls only: a loop need not be struck in each round.
     */
    UNEVEN_FRAMES(0),
    /** One allocation fails, the next ones succeed. */
    ONE_ALLOCATION(0),
    /** One allocation fails, and so do all that follow. */
    ALL_ALLOCATIONS(0);

    private final int foreign;

    Kind(int foreign) {
      this.foreign = foreign;
    }

    /** Whether it is the stack that ends. */
    boolean isOfStack() {
      return foreign != 0 || this == UNEVEN_FRAMES;
    }
  }

  private static final int DEEP = 6;

  /** A load of a word, and what is not known to be deeper or less deep. */
  private static final int DEEP_IN_JDK = 4;

  private static final Map<String, Integer> CALLS_IN_JDK =
      Map.of("VarHandle.compareAndSet", 3, "VarHandle.getAndAdd", 5, "LongAdder.add", 8);

  /** What looks for stack before an operation, and so many calls that the operation may take. */
  private static final Map<String, Integer> RESERVES =
      Map.of("StackReserve.frame", 48, "StackReserve.smallFrame", 16);

  private static final int NOT_ARMED = -1;

  /** How often a place is struck where frames are uneven. */
  private static final int STRIKES = 4;

  private static volatile Thread armed;
  private static Kind kind;
  private static int limit;
  private static int count;
  private static int depth;

  /** The depth down to which a reserve was made. */
  private static int reserved;

  /** The depth from which on there is no stack but what is reserved; of uneven frames. */
  private static int endsAt;

  private static final Map<String, Integer> CALLS = new HashMap<>();

  private static String firedAt;

  private FaultPoint() {}

  /** Arms a fault for the calling thread. */
  static void arm(Kind newKind, int newLimit) {
    kind = newKind;
    limit = newLimit;
    count = 0;
    depth = 0;
    reserved = 0;
    endsAt = Integer.MAX_VALUE;
    CALLS.clear();
    firedAt = null;
    armed = Thread.currentThread();
  }

  /**
   * Ends the fault of the calling thread.
   *
   * @return where it struck first, or null
   */
  static String disarm() {
    armed = null;
    return firedAt;
  }

  private static boolean isArmed() {
    return Thread.currentThread() == armed;
  }

  /** A method begins; returns its depth. */
  public static int enter(String method) {
    if (!isArmed()) {
      return NOT_ARMED;
    }
    int calls = RESERVES.getOrDefault(method, 1);
    requireStack(method, calls);
    if (calls > 1) {
      reserved = Math.max(reserved, depth + calls);
    }
    return ++depth;
  }

  /** A method of that depth returns. */
  public static void leave(int mine) {
    if (mine != NOT_ARMED && isArmed()) {
      depth = mine - 1;
    }
  }

  /** A method of that depth has caught something. */
  public static void caught(int mine) {
    if (mine != NOT_ARMED && isArmed()) {
      depth = mine;
    }
  }

  /** A method that is not the library's is about to be called. */
  public static void call(String method) {
    if (isArmed()) {
      String called = method.substring(method.indexOf(' ') + 1);
      boolean isAsInJdk = kind == Kind.STACK_DEPTH_AS_IN_JDK;
      requireStack(
          method, isAsInJdk ? CALLS_IN_JDK.getOrDefault(called, DEEP_IN_JDK) : kind.foreign);
    }
  }

  /** Something is about to be allocated. */
  public static void allocate(String what) {
    if (isArmed()
        && (kind == Kind.ONE_ALLOCATION && ++count == limit
            || kind == Kind.ALL_ALLOCATIONS && ++count >= limit)) {
      fired(what);
      throw new OutOfMemoryError("injected at " + what);
    }
  }

  private static void requireStack(String method, int calls) {
    boolean ends = kind.foreign != 0 && depth + calls > limit;
    if (kind == Kind.UNEVEN_FRAMES && depth != 0 && depth + calls > reserved) {
      if (CALLS.merge(method, 1, Integer::sum) <= STRIKES && ++count == limit) {
        endsAt = depth;
      }
      ends = depth >= endsAt;
    }
    if (ends) {
      fired(method);
      throw new StackOverflowError("injected at " + method);
    }
  }

  private static void fired(String where) {
    if (firedAt == null) {
      firedAt = where;
    }
  }
}
