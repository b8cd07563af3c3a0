/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What one thread of a {@link WeakMemory} exploration does: a list of steps over int locations and
 * int registers, written in the order of the source. The modes are those of {@code VarHandle}.
 */
final class Program {
  /** Answer of an {@link Update} that leaves the location alone: a compareAndSet that fails. */
  static final int FAIL = Integer.MIN_VALUE;

  /** Access mode; plain and opaque are the same here. */
  enum Mode {
    OPAQUE(false, false),
    ACQUIRE(true, false),
    RELEASE(false, true),
    /**
     * Volatile, but taken for no more than acquire and release: its place in an order is not used.
     */
    VOLATILE(true, true),
    /** Volatile: there is one order of all accesses of this mode. */
    TOTAL(true, true);

    final boolean acquires;
    final boolean releases;

    Mode(boolean acquires, boolean releases) {
      this.acquires = acquires;
      this.releases = releases;
    }
  }

  /** Kind of a step. */
  enum Kind {
    LOAD,
    STORE,
    UPDATE,
    ACQUIRE_FENCE,
    RELEASE_FENCE,
    USE,
    FREE,
    EXIT_UNLESS,
    SKIP_UNLESS,
    FORBID,
    SET
  }

  /** New value of a location from its old one and the registers, or {@link #FAIL}. */
  @FunctionalInterface
  interface Update {
    int apply(int old, int[] registers);
  }

  /** One step; fields that its kind does not need are 0 or null. */
  record Step(
      Kind kind,
      String name,
      int register,
      int location,
      @Nullable Mode mode,
      @Nullable ToIntFunction<int[]> value,
      @Nullable Update update,
      @Nullable Predicate<int[]> condition,
      int count) {

    /** Whether the step concerns its thread only, so that its place among others is moot. */
    boolean isLocal() {
      return switch (kind) {
        case EXIT_UNLESS, SKIP_UNLESS, FORBID, SET, ACQUIRE_FENCE, RELEASE_FENCE -> true;
        default -> false;
      };
    }

    Step copy() {
      return new Step(kind, name, register, location, mode, value, update, condition, count);
    }

    /** Whether the step reads or writes its location. */
    boolean isAccess() {
      return kind == Kind.LOAD || kind == Kind.STORE || kind == Kind.UPDATE;
    }
  }

  final List<Step> steps = new ArrayList<>();

  /** {@code register = location}. */
  Program load(int register, int location, Mode mode) {
    return add(Kind.LOAD, "load", register, location, mode, null, null, null, 0);
  }

  /** {@code location = value(registers)}. */
  Program store(int location, ToIntFunction<int[]> value, Mode mode) {
    return add(Kind.STORE, "store", 0, location, mode, value, null, null, 0);
  }

  /** {@code location = value}. */
  Program store(int location, int value, Mode mode) {
    return store(location, registers -> value, mode);
  }

  /** {@code register = location; location = update(register)} in one step. */
  Program update(int register, int location, Update update, Mode mode) {
    return add(Kind.UPDATE, "update", register, location, mode, null, update, null, 0);
  }

  /** compareAndSet; the register tells the value found. */
  Program cas(int register, int location, int expected, int next) {
    return cas(register, location, expected, next, Mode.VOLATILE);
  }

  /** compareAndSet in a mode. */
  Program cas(int register, int location, int expected, int next, Mode mode) {
    return update(register, location, (old, r) -> old == expected ? next : FAIL, mode);
  }

  /** Like {@code VarHandle.acquireFence()}. */
  Program acquireFence() {
    return add(Kind.ACQUIRE_FENCE, "acquireFence", 0, 0, null, null, null, null, 0);
  }

  /** Like {@code VarHandle.releaseFence()}, or nothing. */
  Program releaseFence(boolean present) {
    return present
        ? add(Kind.RELEASE_FENCE, "releaseFence", 0, 0, null, null, null, null, 0)
        : this;
  }

  /**
   * Uses the value whose freedom is tracked in location {@code freed(registers)}, a location that
   * no other reader uses. A violation if it was freed, or is freed without having seen this use.
   */
  Program use(ToIntFunction<int[]> freed) {
    return add(Kind.USE, "use", 0, 0, null, freed, null, null, 0);
  }

  /**
   * Frees the value tracked in {@code count} locations, one for each reader, from the given one.
   */
  Program free(ToIntFunction<int[]> freed, int count) {
    return add(Kind.FREE, "free", 0, 0, null, freed, null, null, count);
  }

  /** Ends the thread unless the condition holds. */
  Program exitUnless(Predicate<int[]> condition) {
    return add(Kind.EXIT_UNLESS, "exitUnless", 0, 0, null, null, null, condition, 0);
  }

  /** Does the steps of {@code body} if the condition holds. */
  Program when(Predicate<int[]> condition, Program body) {
    int count = body.steps.size();
    return add(Kind.SKIP_UNLESS, "when", 0, 0, null, null, null, condition, count).then(body);
  }

  /** Ends the thread. */
  Program exit() {
    return exitUnless(registers -> false);
  }

  /** A violation if the condition holds. */
  Program forbid(String what, Predicate<int[]> condition) {
    return add(Kind.FORBID, what, 0, 0, null, null, null, condition, 0);
  }

  /** {@code register = value(registers)}. */
  Program set(int register, ToIntFunction<int[]> value) {
    return add(Kind.SET, "set", register, 0, null, value, null, null, 0);
  }

  /** Sets registers to 0 that are not needed any more, so that there are fewer states. */
  Program forget(int... registers) {
    for (int register : registers) {
      set(register, r -> 0);
    }
    return this;
  }

  /** Appends the steps of another program. */
  Program then(Program other) {
    steps.addAll(other.steps);
    return this;
  }

  private Program add(
      Kind kind,
      String name,
      int register,
      int location,
      @Nullable Mode mode,
      @Nullable ToIntFunction<int[]> value,
      @Nullable Update update,
      @Nullable Predicate<int[]> condition,
      int count) {
    steps.add(new Step(kind, name, register, location, mode, value, update, condition, count));
    return this;
  }
}
