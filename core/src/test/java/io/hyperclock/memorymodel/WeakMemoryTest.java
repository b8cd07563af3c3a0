/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.Program.Mode.ACQUIRE;
import static io.hyperclock.memorymodel.Program.Mode.OPAQUE;
import static io.hyperclock.memorymodel.Program.Mode.RELEASE;
import static io.hyperclock.memorymodel.Program.Mode.TOTAL;
import static io.hyperclock.memorymodel.Program.Mode.VOLATILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.memorymodel.Program.Mode;
import io.hyperclock.memorymodel.WeakMemory.Verdict;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The explorer itself, on the litmus tests everybody knows. */
class WeakMemoryTest {
  private static final int X = 0;
  private static final int Y = 1;
  private static final int USES = 2;

  @Test
  void messagePassingNeedsBothSides() {
    assertThat(messagePassing(RELEASE, ACQUIRE)).isTrue();
    assertThat(messagePassing(OPAQUE, ACQUIRE)).isFalse();
    assertThat(messagePassing(RELEASE, OPAQUE)).isFalse();
  }

  @Test
  void messagePassingByFences() {
    Program read = new Program().load(0, Y, OPAQUE).acquireFence().load(1, X, OPAQUE);
    assertThat(never(r -> r[1][0] == 1 && r[1][1] == 0, write(OPAQUE, true), read)).isTrue();
    assertThat(never(r -> r[1][0] == 1 && r[1][1] == 0, write(OPAQUE, false), read)).isFalse();
  }

  @Test
  void loadsMayBeOlderThanOwnStores() {
    Program first = new Program().store(X, 1, RELEASE).load(0, Y, ACQUIRE);
    Program second = new Program().store(Y, 1, RELEASE).load(0, X, ACQUIRE);
    assertThat(never(r -> r[0][0] == 0 && r[1][0] == 0, first, second)).isFalse();
  }

  @Test
  void oneLocationNeverGoesBack() {
    Program write = new Program().store(X, 1, OPAQUE).store(X, 2, OPAQUE);
    Program read = new Program().load(0, X, OPAQUE).load(1, X, OPAQUE);
    assertThat(never(r -> r[1][0] > r[1][1], write, read)).isTrue();
    assertThat(never(r -> r[1][0] == 2, write, read)).isFalse();
  }

  @Test
  void storesOfTwoThreadsHaveOneOrderButEither() {
    Program one = new Program().store(X, 1, OPAQUE).load(0, X, OPAQUE);
    Program two = new Program().store(X, 2, OPAQUE).load(0, X, OPAQUE);
    assertThat(never(r -> r[0][0] == 2 && r[1][0] == 1, one, two)).isTrue();
    assertThat(never(r -> r[0][0] == 2, one, two)).isFalse();
    assertThat(never(r -> r[1][0] == 1, one, two)).isFalse();
  }

  @Test
  void updatesAreNeverLost() {
    Program add = new Program().update(0, X, (old, r) -> old + 1, OPAQUE);
    Verdict verdict = explore(last -> last[X] == 3, r -> true, add, add, add);
    assertThat(verdict.isSound()).isTrue();
  }

  @Test
  void onlyOneCompareAndSetWins() {
    Program cas = new Program().cas(0, X, 0, 1);
    assertThat(never(r -> r[0][0] == 0 && r[1][0] == 0, cas, cas)).isTrue();
    assertThat(never(r -> r[0][0] == 1 && r[1][0] == 1, cas, cas)).isTrue();
  }

  /** An update between a releasing store and its reader passes on what the store published. */
  @Test
  void updatesContinueAReleaseSequence() {
    Program write = new Program().store(X, 1, OPAQUE).store(Y, 1, RELEASE);
    Program add = new Program().update(0, Y, (old, r) -> old == 1 ? 2 : Program.FAIL, OPAQUE);
    Program read = new Program().load(0, Y, ACQUIRE).load(1, X, OPAQUE);
    assertThat(never(r -> r[2][0] == 2 && r[2][1] == 0, write, add, read)).isTrue();
    assertThat(never(r -> r[2][0] == 2 && r[2][1] == 1, write, add, read)).isFalse();
  }

  @Test
  void volatileStoresAndLoadsHaveOneOrder() {
    Program first = new Program().store(X, 1, TOTAL).load(0, Y, TOTAL);
    Program second = new Program().store(Y, 1, TOTAL).load(0, X, TOTAL);
    assertThat(never(r -> r[0][0] == 0 && r[1][0] == 0, first, second)).isTrue();
    Program acquires = new Program().store(Y, 1, TOTAL).load(0, X, ACQUIRE);
    assertThat(never(r -> r[0][0] == 0 && r[1][0] == 0, first, acquires)).isFalse();
  }

  /** An update orders volatile loads behind it, not acquiring ones. */
  @Test
  void volatileUpdatesAndLoadsHaveOneOrder() {
    assertThat(never(r -> r[0][1] == 0 && r[1][1] == 0, add(X, Y, TOTAL), add(Y, X, TOTAL)))
        .isTrue();
    assertThat(never(r -> r[0][1] == 0 && r[1][1] == 0, add(X, Y, TOTAL), add(Y, X, ACQUIRE)))
        .isFalse();
  }

  private static Program add(int own, int other, Mode mode) {
    return new Program().update(0, own, (old, r) -> old + 1, TOTAL).load(1, other, mode);
  }

  @Test
  void readersAgreeOnTheOrderOfVolatileStores() {
    assertThat(readersDisagree(TOTAL)).isFalse();
    assertThat(readersDisagree(ACQUIRE)).isTrue();
  }

  private static boolean readersDisagree(Mode mode) {
    return !never(
        r -> r[2][0] == 1 && r[2][1] == 0 && r[3][0] == 1 && r[3][1] == 0,
        new Program().store(X, 1, TOTAL),
        new Program().store(Y, 1, TOTAL),
        new Program().load(0, X, mode).load(1, Y, mode),
        new Program().load(0, Y, mode).load(1, X, mode));
  }

  /** The order of volatile accesses holds no opaque load in its place. */
  @Test
  void opaqueLoadMayComeBehindAVolatileOne() {
    Program write = new Program().store(X, 1, TOTAL).store(Y, 1, RELEASE);
    Program opaque = new Program().load(0, Y, OPAQUE).load(1, X, TOTAL);
    Program acquires = new Program().load(0, Y, ACQUIRE).load(1, X, TOTAL);
    assertThat(never(r -> r[1][0] == 1 && r[1][1] == 0, write, opaque)).isFalse();
    assertThat(never(r -> r[1][0] == 1 && r[1][1] == 0, write, acquires)).isTrue();
  }

  /** Example Z6.U of the paper that {@link TotalOrder} names: Power shows it. */
  @Test
  void orderNeedNotFollowWhatIsAcquiredOfOneOfItsStores() {
    Program first = new Program().store(X, 1, TOTAL).store(Y, 1, RELEASE);
    Program second = new Program().update(0, Y, (old, r) -> old == 1 ? 2 : Program.FAIL, VOLATILE);
    Program third = new Program().store(Y, 3, TOTAL).load(0, X, TOTAL).load(1, Y, OPAQUE);
    Program fourth = new Program().load(0, Y, OPAQUE).load(1, Y, OPAQUE);
    assertThat(
            never(
                r -> r[1][0] == 1 && r[2][0] == 0 && r[3][0] == 2 && r[3][1] == 3,
                first,
                second,
                third,
                fourth))
        .isFalse();
  }

  @Test
  void freeMustHaveSeenTheLastUse() {
    assertThat(useThenFree(VOLATILE).isSound()).isTrue();
    assertThat(useThenFree(OPAQUE).violation()).contains("without having seen its last use");
    Program free = new Program().free(r -> USES, 1);
    Program use = new Program().use(r -> USES);
    assertThat(explore(last -> true, r -> true, use, free).isSound()).isFalse();
    assertThat(explore(last -> true, r -> true, free, free).isSound()).isFalse();
  }

  private static Verdict useThenFree(Mode letGo) {
    Program use = new Program().use(r -> USES).update(0, X, (old, r) -> old + 1, letGo);
    Program free =
        new Program().cas(0, X, 1, 2).when(r -> r[0] == 1, new Program().free(r -> USES, 1));
    return explore(last -> true, r -> r[1][0] == 1, use, free);
  }

  private static boolean messagePassing(Mode store, Mode load) {
    Program read = new Program().load(0, Y, load).load(1, X, OPAQUE);
    return never(r -> r[1][0] == 1 && r[1][1] == 0, write(store, false), read);
  }

  private static Program write(Mode flag, boolean fence) {
    return new Program().store(X, 1, OPAQUE).releaseFence(fence).store(Y, 1, flag);
  }

  /** Whether no run ends with these registers. */
  private static boolean never(Predicate<int[][]> end, Program... programs) {
    return !explore(last -> true, end, programs).reached();
  }

  private static Verdict explore(
      Predicate<int[]> memoryAtEnd, Predicate<int[][]> hoped, Program... programs) {
    return WeakMemory.explore(new int[3], memoryAtEnd, hoped, programs);
  }
}
