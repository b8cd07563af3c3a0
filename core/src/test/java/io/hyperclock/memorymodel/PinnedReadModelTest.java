/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.OPAQUE;
import static io.hyperclock.memorymodel.Program.Mode.RELEASE;
import static io.hyperclock.memorymodel.Program.Mode.VOLATILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.Program.Mode;
import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edges [publish] publish, [last-use] last use before free, [reuse] free before reuse and [hide]
 * hide, explored exhaustively: pinned readers of key 1 against eviction, erase and the insert of
 * key 2 in the same slot. Values are freed explicitly: each once, after its last use, and never
 * used afterwards.
 */
class PinnedReadModelTest {
  private static final int META = 0;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  /** Where the freedom of value v is tracked for reader n: {@code USES + 2 * (v - 1) + n}. */
  private static final int USES = 3;

  private static final int READERS = 2;

  private static final int EMPTY = 0;
  private static final int BUSY = 1;
  private static final int INVISIBLE = 2;
  private static final int VISIBLE = 3;
  private static final int STATE = 3;

  /** One reference; the meta word of the model is {@code references * 4 + state}. */
  private static final int REF = 4;

  private static final int[] KEY_1_IN_SLOT = {VISIBLE, 1, 1, 0, 0, 0, 0};

  /** What is planted; each must be found. */
  enum Fault {
    KEY_NOT_RECHECKED,
    WRONG_PIN_NOT_TAKEN_BACK,
    PIN_OF_EMPTY_SLOT_TAKEN_BACK,
    RELEASE_WITHOUT_ORDER,
    EMPTY_BEFORE_VALUE_IS_NULLED,
    TAKEOVER_WITHOUT_CAS,
    PUBLISH_WITHOUT_RELEASE,
    ABANDONED_NOT_TAKEN,
    ERASE_IF_LAST_AFTER_LETTING_GO
  }

  private static final Set<Fault> NONE = EnumSet.noneOf(Fault.class);

  @Test
  void lookupAgainstEvictAndInsert() {
    assertSound(lookupVersusReuse(NONE));
  }

  @Test
  void lookupAgainstEraseByAnotherHolder() {
    assertSound(lookupVersusErase(NONE));
  }

  @Test
  void twoErases() {
    assertSound(explore(freedOnce(), hit(0), erase(0, NONE), erase(1, NONE)));
  }

  @Test
  void eraseIfLastAgainstEvictAndInsert() {
    assertSound(eraseIfLastVersusReuse(NONE));
  }

  @Test
  void twoEraseIfLast() {
    Program first = pin(NONE).then(use(0)).then(eraseIfLast(NONE));
    Program second = pin(NONE).then(use(1)).then(eraseIfLast(NONE));
    assertSound(explore(freedOnce(), hit(1), first, second));
  }

  /** A pin-free use adds an acquire and a release in one step, wherever it lands. */
  @Test
  void tickOfPinFreeReadMayLandAnywhere() {
    Program tick = new Program().load(1, KEY, OPAQUE).update(0, META, (old, r) -> old, VOLATILE);
    assertSound(explore(anEnd(), hit(0), lookup(0, NONE), evict(NONE).then(insert(NONE)), tick));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void plantedFaultIsFound(Fault fault) {
    Set<Fault> faults = EnumSet.of(fault);
    boolean sound =
        lookupVersusReuse(faults).isSound()
            && lookupVersusErase(faults).isSound()
            && eraseIfLastVersusReuse(faults).isSound();
    assertThat(sound).isFalse();
  }

  private static Verdict lookupVersusReuse(Set<Fault> faults) {
    return explore(anEnd(), hit(0), lookup(0, faults), evict(faults), insert(faults));
  }

  private static Verdict lookupVersusErase(Set<Fault> faults) {
    return explore(anEnd(), hit(0), lookup(0, faults), erase(1, faults));
  }

  private static Verdict eraseIfLastVersusReuse(Set<Fault> faults) {
    Program holder = pin(faults).then(use(0)).then(eraseIfLast(faults));
    return explore(anEnd(), hit(0), holder, evict(faults).then(insert(faults)));
  }

  private static Verdict explore(
      Predicate<int[]> end, Predicate<int[][]> hoped, Program... programs) {
    return WeakMemory.explore(KEY_1_IN_SLOT, end, hoped, programs);
  }

  private static Predicate<int[][]> hit(int reader) {
    return registers -> registers[reader][3] == 1;
  }

  /** No reference left, and a slot in use has the value of its key. */
  private static Predicate<int[]> anEnd() {
    return last ->
        switch (last[META] & STATE) {
          case EMPTY -> true;
          case VISIBLE -> last[META] == VISIBLE && last[VALUE] == last[KEY];
          default -> false;
        };
  }

  private static Predicate<int[]> freedOnce() {
    return last -> (last[META] & STATE) == EMPTY && last[USES] == -1;
  }

  private static void assertSound(Verdict verdict) {
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("some read is a hit").isTrue();
  }

  /** Pins key 1, uses its value, lets go. */
  private static Program lookup(int reader, Set<Fault> faults) {
    return pin(faults).then(use(reader)).then(release(faults));
  }

  /** Pins, then hides and ends the pin in one step. */
  private static Program erase(int reader, Set<Fault> faults) {
    return pin(faults)
        .then(use(reader))
        .update(
            5,
            META,
            (old, r) -> old / REF == 1 ? BUSY : ((old & ~STATE) | INVISIBLE) - REF,
            VOLATILE)
        .when(r -> r[5] / REF == 1, tearDown(faults));
  }

  private static Program pin(Set<Fault> faults) {
    boolean undoEmpty = faults.contains(Fault.PIN_OF_EMPTY_SLOT_TAKEN_BACK);
    Program wrong =
        faults.contains(Fault.WRONG_PIN_NOT_TAKEN_BACK) ? new Program() : release(faults);
    Program program =
        new Program()
            .load(0, META, ACQUIRE)
            .exitUnless(r -> (r[0] & STATE) == VISIBLE)
            .load(1, KEY, OPAQUE)
            .exitUnless(r -> r[1] == 1)
            .update(0, META, (old, r) -> old + REF, VOLATILE)
            .when(
                r -> (r[0] & STATE) < INVISIBLE,
                (undoEmpty ? release(faults) : new Program()).exit())
            .when(r -> (r[0] & STATE) == INVISIBLE, release(faults).exit());
    if (!faults.contains(Fault.KEY_NOT_RECHECKED)) {
      program.load(1, KEY, OPAQUE).when(r -> r[1] != 1, new Program().then(wrong).exit());
    }
    return program;
  }

  private static Program use(int reader) {
    return new Program()
        .load(3, VALUE, OPAQUE)
        .forbid("value is not of the key", r -> r[3] != 1)
        .use(r -> USES + READERS * (r[3] - 1) + reader);
  }

  /**
   * Lets go of a visible entry by one getAndAdd. If it was hidden meanwhile and nobody holds it
   * now, whatever invisible entry is there is taken: it may be another tenant, and anybody may free
   * it. The last reference to an invisible entry takes it in the step that lets go.
   */
  private static Program release(Set<Fault> faults) {
    Mode mode = faults.contains(Fault.RELEASE_WITHOUT_ORDER) ? OPAQUE : VOLATILE;
    Program takeAbandoned =
        new Program()
            .update(7, META, (old, r) -> old == INVISIBLE ? BUSY : Program.FAIL, VOLATILE)
            .when(r -> r[7] == INVISIBLE, tearDown(faults));
    if (faults.contains(Fault.ABANDONED_NOT_TAKEN)) {
      takeAbandoned = new Program();
    }
    Program letGo =
        new Program()
            .update(6, META, (old, r) -> old - REF, mode)
            .when(r -> (r[6] & STATE) == INVISIBLE, takeAbandoned);
    Program takeWhileHolding =
        new Program()
            .update(6, META, (old, r) -> old == INVISIBLE + REF ? BUSY : old - REF, VOLATILE)
            .when(r -> r[6] == INVISIBLE + REF, tearDown(faults));
    return new Program()
        .load(5, META, OPAQUE)
        .when(r -> (r[5] & STATE) == VISIBLE, letGo)
        .when(r -> (r[5] & STATE) != VISIBLE, takeWhileHolding);
  }

  /** Frees the entry if this is its last reference, in the same step that would let go of it. */
  private static Program eraseIfLast(Set<Fault> faults) {
    if (faults.contains(Fault.ERASE_IF_LAST_AFTER_LETTING_GO)) {
      return new Program()
          .update(5, META, (old, r) -> old - REF, VOLATILE)
          .when(r -> r[5] / REF == 1, new Program().cas(6, META, VISIBLE, BUSY))
          .when(r -> r[5] / REF == 1 && r[6] == VISIBLE, tearDown(faults))
          .forbid("erased another tenant", r -> r[4] > 1);
    }
    return new Program()
        .update(5, META, (old, r) -> old / REF == 1 ? BUSY : old - REF, VOLATILE)
        .when(r -> r[5] / REF == 1, tearDown(faults))
        .forbid("erased another tenant", r -> r[4] > 1);
  }

  private static Program evict(Set<Fault> faults) {
    Program program = new Program();
    if (faults.contains(Fault.TAKEOVER_WITHOUT_CAS)) {
      program.load(6, META, ACQUIRE).exitUnless(r -> r[6] == VISIBLE).store(META, BUSY, RELEASE);
    } else {
      program.cas(6, META, VISIBLE, BUSY).exitUnless(r -> r[6] == VISIBLE);
    }
    return program.then(tearDown(faults));
  }

  private static Program tearDown(Set<Fault> faults) {
    boolean early = faults.contains(Fault.EMPTY_BEFORE_VALUE_IS_NULLED);
    Program program = new Program().load(4, VALUE, OPAQUE);
    if (early) {
      program.store(META, EMPTY, RELEASE);
    }
    program.free(r -> USES + READERS * (r[4] - 1), READERS).store(VALUE, 0, OPAQUE);
    return early ? program : program.store(META, EMPTY, RELEASE);
  }

  private static Program insert(Set<Fault> faults) {
    Mode publish = faults.contains(Fault.PUBLISH_WITHOUT_RELEASE) ? OPAQUE : RELEASE;
    return new Program()
        .update(7, META, (old, r) -> (old & STATE) == EMPTY ? BUSY : Program.FAIL, VOLATILE)
        .exitUnless(r -> (r[7] & STATE) == EMPTY)
        .releaseFence(true)
        .store(VALUE, 2, OPAQUE)
        .store(KEY, 2, OPAQUE)
        .store(META, VISIBLE, publish);
  }
}
