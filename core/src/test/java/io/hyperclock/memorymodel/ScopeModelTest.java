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
 * Edge [scope], read scopes, explored exhaustively: one scope that reads an entry against the
 * tear-down of the entry, while the epoch advances. It is the first scope of all, which sets the
 * flag that owners look at before they scan. A full fence is a step on a location of its own: such
 * steps are in one order, and each learns what was known at those before. The volatile accesses to
 * flag, counters and epoch are taken for acquire and release only, so that no order is assumed but
 * that of the fences.
 */
class ScopeModelTest {
  private static final int GENERATION = 0;
  private static final int META = 1;
  private static final int EPOCH = 2;
  private static final int EVEN = 3;
  private static final int ODD = 4;
  private static final int FENCE = 5;
  private static final int FREED = 6;
  private static final int USED = 7;
  private static final int VISIBLE = 1;
  private static final int BUSY = 2;
  private static final int EMPTY = 3;

  /** Epoch 0; the entry is visible in generation 0. */
  private static final int[] START = {0, VISIBLE, 0, 0, 0, 0, 0, 0};

  /** What both sides do right; the full set is the protocol. */
  enum Care {
    FLAG_BEFORE_FENCE_OF_SCOPE,
    FENCE_OF_SCOPE,
    SECOND_LOOK,
    FENCE_OF_OWNER,
    FENCE_BEFORE_FLAG_OF_OWNER,
    FENCE_OF_ADVANCER,
    LOOK_FOR_SCOPES,
    TWO_EPOCHS
  }

  private static Program fence(boolean present) {
    Program program = new Program();
    return present ? program.update(7, FENCE, (old, r) -> 1 - old, VOLATILE) : program;
  }

  /** The scope's epoch is in r0, its reads in r2 to r4. */
  private static Program scope(Set<Care> cares) {
    Program undo = count(-1).exit();
    Program scope = new Program();
    boolean setsFirst = cares.contains(Care.FLAG_BEFORE_FENCE_OF_SCOPE);
    if (setsFirst) {
      scope.store(USED, 1, RELEASE);
    }
    scope.load(0, EPOCH, ACQUIRE).then(count(1)).then(fence(cares.contains(Care.FENCE_OF_SCOPE)));
    if (!setsFirst) {
      scope.store(USED, 1, RELEASE);
    }
    if (cares.contains(Care.SECOND_LOOK)) {
      scope.load(1, EPOCH, ACQUIRE).when(r -> r[1] != r[0], undo);
    }
    Program use = new Program().use(r -> FREED).then(count(-1)).exit();
    return scope
        .load(2, GENERATION, ACQUIRE)
        .load(3, META, ACQUIRE)
        .acquireFence()
        .load(4, GENERATION, OPAQUE)
        .when(r -> r[3] == VISIBLE && r[2] == r[4], use)
        .then(count(-1));
  }

  /** Steps the counter of the parity of r0. */
  private static Program count(int step) {
    return new Program()
        .when(r -> r[0] % 2 == 0, new Program().update(7, EVEN, (old, r) -> old + step, VOLATILE))
        .when(r -> r[0] % 2 != 0, new Program().update(7, ODD, (old, r) -> old + step, VOLATILE));
  }

  /** One attempt to advance; the epoch it started from is in r5. */
  private static Program advance(Set<Care> cares) {
    return new Program()
        .load(5, EPOCH, ACQUIRE)
        .then(fence(cares.contains(Care.FENCE_OF_ADVANCER)))
        .when(r -> r[5] % 2 == 0, new Program().load(6, ODD, ACQUIRE))
        .when(r -> r[5] % 2 != 0, new Program().load(6, EVEN, ACQUIRE))
        .when(
            r -> r[6] == 0,
            new Program()
                .update(7, EPOCH, (old, r) -> old == r[5] ? old + 1 : Program.FAIL, VOLATILE));
  }

  /** Tears down and frees at once, or in r1 + 2 after a few attempts to advance. */
  private static Program owner(Set<Care> cares, int before, int after) {
    Program owner = new Program();
    for (int i = 0; i < before; i++) {
      owner.then(advance(cares));
    }
    owner.cas(0, META, VISIBLE, BUSY);
    Program tearDown =
        new Program()
            .load(0, GENERATION, OPAQUE)
            .store(GENERATION, r -> r[0] + 1, RELEASE)
            .releaseFence(true)
            .store(META, EMPTY, RELEASE);
    Program end = new Program().free(r -> FREED, 1).exit();
    Program free = new Program().then(tearDown).then(end);
    Program look = new Program().load(6, USED, ACQUIRE).when(r -> r[6] == 0, free);
    Program fence = fence(cares.contains(Care.FENCE_OF_OWNER));
    if (cares.contains(Care.FENCE_BEFORE_FLAG_OF_OWNER)) {
      owner.then(fence).then(look);
    } else {
      owner.then(look).then(fence);
    }
    if (cares.contains(Care.LOOK_FOR_SCOPES)) {
      owner.load(2, EVEN, ACQUIRE).load(3, ODD, ACQUIRE).when(r -> r[2] + r[3] == 0, free);
    } else {
      owner.then(free);
    }
    owner.then(tearDown).then(fence).load(1, EPOCH, ACQUIRE);
    for (int i = 0; i < after; i++) {
      owner.then(advance(cares));
    }
    int epochs = cares.contains(Care.TWO_EPOCHS) ? 2 : 1;
    return owner.load(4, EPOCH, ACQUIRE).exitUnless(r -> r[4] >= r[1] + epochs).then(end);
  }

  private static Verdict explore(Set<Care> cares, int before, int after) {
    return WeakMemory.explore(
        START, last -> true, r -> r[0][3] == VISIBLE, scope(cares), owner(cares, before, after));
  }

  /** As above, but another thread advances the epoch. */
  private static Verdict exploreWithAdvancer(Set<Care> cares) {
    return WeakMemory.explore(
        START,
        last -> true,
        r -> r[0][3] == VISIBLE,
        scope(cares),
        owner(cares, 0, 0),
        advance(cares).then(advance(cares)).then(advance(cares)));
  }

  @Test
  void protocolIsSound() {
    Set<Care> all = EnumSet.allOf(Care.class);
    for (int before = 0; before <= 2; before++) {
      assertSound(explore(all, before, 2));
    }
    assertSound(exploreWithAdvancer(all));
  }

  private static void assertSound(Verdict verdict) {
    assertThat(verdict.isSound()).as(verdict.violation()).isTrue();
    assertThat(verdict.reached()).as("some scope finds the entry").isTrue();
  }

  @ParameterizedTest
  @EnumSource(Care.class)
  void everyCareIsNeeded(Care missing) {
    Set<Care> cares = EnumSet.complementOf(EnumSet.of(missing));
    boolean broken = !explore(cares, 0, 2).isSound() || !exploreWithAdvancer(cares).isSound();
    assertThat(broken).isTrue();
  }
}
