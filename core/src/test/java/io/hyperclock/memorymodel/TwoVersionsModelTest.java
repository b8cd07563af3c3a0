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

import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Edge [two-versions], explored exhaustively: a reader that reads twice against a prepare and its
 * commit, plain or in a group. No read finds a value that is not whole, and the second finds
 * nothing older than the first.
 */
class TwoVersionsModelTest {
  private static final int META = 0;
  private static final int VALUE = 1;
  private static final int PREPARED = 2;
  private static final int VERDICT = 3;

  /** Whether the content of the newer value has been written. */
  private static final int CONTENT = 4;

  /** What a prepared version holds, which never changes. */
  private static final int PREPARED_VALUE = 5;

  private static final int READABLE = 1;
  private static final int INSIDE = 2;
  private static final int PREPARED_BIT = 4;

  private static final int OLD = 1;
  private static final int NEW = 2;

  private static final int[] COMMITTED = {READABLE, OLD, 0, 0, 0, NEW};

  /** What is planted; each must be found. */
  enum Fault {
    VALUE_WITHOUT_RELEASE,
    BITS_BEFORE_VALUE,
    PREPARED_GOES_BEFORE_VALUE,
    NO_FENCE_IN_READ,
    VALUE_BEFORE_VERDICT,
    VERDICT_BEFORE_DIVERSION
  }

  private static final Set<Fault> NONE = EnumSet.noneOf(Fault.class);

  @Test
  void plainCommit() {
    assertSound(explore(false, NONE));
  }

  @Test
  void groupCommit() {
    assertSound(explore(true, NONE));
  }

  @Test
  void readOfBothVersionsThenOfOne() {
    assertSound(explore(false, NONE, readBoth(1, NONE)));
    assertSound(explore(true, NONE, readBoth(1, NONE)));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void plantedFaultIsFound(Fault fault) {
    Set<Fault> faults = EnumSet.of(fault);
    assertThat(
            explore(false, faults).isSound()
                && explore(true, faults).isSound()
                && explore(false, faults, readBoth(1, faults)).isSound())
        .isFalse();
  }

  private static void assertSound(Verdict verdict) {
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("some read finds the newer value").isTrue();
  }

  private static Verdict explore(boolean grouped, Set<Fault> faults) {
    return explore(grouped, faults, read(1, faults));
  }

  private static Verdict explore(boolean grouped, Set<Fault> faults, Program first) {
    Program reader =
        first
            .then(read(2, faults))
            .forbid("went back", r -> r[1] == NEW && r[2] == OLD)
            .forbid("missed", r -> r[1] == 0 || r[2] == 0);
    return WeakMemory.explore(
        COMMITTED,
        last -> last[META] == READABLE && last[VALUE] == NEW && last[PREPARED] == 0,
        registers -> registers[0][1] == NEW,
        reader,
        writer(grouped, faults));
  }

  private static Program writer(boolean grouped, Set<Fault> faults) {
    Program content = new Program().store(CONTENT, 1, OPAQUE);
    Program version = new Program().store(PREPARED, 1, RELEASE);
    int prepared = grouped ? PREPARED_BIT : PREPARED_BIT | READABLE;
    Program bits = new Program().update(1, META, (old, r) -> prepared, VOLATILE);
    Program enter = new Program().cas(0, META, READABLE, READABLE | INSIDE);
    Program program = content.then(enter).then(version).then(bits);
    Program verdict = new Program().cas(2, VERDICT, 0, 1);
    Program divert = new Program().update(4, META, (old, r) -> old & ~READABLE, VOLATILE);
    if (grouped) {
      program.then(verdict);
    } else if (faults.contains(Fault.VERDICT_BEFORE_DIVERSION)) {
      program.then(verdict).then(divert);
    } else {
      program.then(divert).then(verdict);
    }
    Program value =
        new Program()
            .store(VALUE, NEW, faults.contains(Fault.VALUE_WITHOUT_RELEASE) ? OPAQUE : RELEASE);
    Program gone = new Program().store(PREPARED, 0, RELEASE);
    Program done = new Program().update(3, META, (old, r) -> READABLE, VOLATILE);
    if (faults.contains(Fault.BITS_BEFORE_VALUE)) {
      return program.then(done).then(value).then(gone);
    }
    return faults.contains(Fault.PREPARED_GOES_BEFORE_VALUE)
        ? program.then(gone).then(value).then(done)
        : program.then(value).then(gone).then(done);
  }

  /** Registers: meta, what the two reads found, prepared version, verdict, content. */
  private static Program read(int found, Set<Fault> faults) {
    return new Program()
        .load(0, META, ACQUIRE)
        .when(r -> (r[0] & READABLE) != 0, load(found, faults))
        .when(r -> (r[0] & READABLE) == 0, readBoth(found, faults))
        .then(whole(found));
  }

  private static Program load(int found, Set<Fault> faults) {
    Program load = new Program().load(found, VALUE, OPAQUE);
    return faults.contains(Fault.NO_FENCE_IN_READ) ? load : load.acquireFence();
  }

  private static Program whole(int found) {
    return new Program()
        .when(
            r -> r[found] == NEW,
            new Program().load(5, CONTENT, OPAQUE).forbid("not whole", r -> r[5] == 0));
  }

  /** A read that looks at the prepared version whatever the bits say. */
  private static Program readBoth(int found, Set<Fault> faults) {
    Program load = load(found, faults);
    Program fromPrepared = new Program().load(found, PREPARED_VALUE, OPAQUE);
    Program verdict = new Program().when(r -> r[3] != 0, new Program().load(4, VERDICT, ACQUIRE));
    Program special = new Program().load(3, PREPARED, ACQUIRE);
    if (faults.contains(Fault.VALUE_BEFORE_VERDICT)) {
      special = new Program().then(load).then(special);
      special.then(verdict).when(r -> r[3] != 0 && r[4] != 0, new Program().then(fromPrepared));
    } else {
      special
          .then(verdict)
          .when(r -> r[3] != 0 && r[4] != 0, fromPrepared)
          .when(r -> r[3] == 0 || r[4] == 0, new Program().then(load));
    }
    return special.then(whole(found));
  }
}
