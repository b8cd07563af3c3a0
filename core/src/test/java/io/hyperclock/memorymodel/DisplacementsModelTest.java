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
import org.junit.jupiter.api.Test;

/**
 * Edge [S6], explored exhaustively: a home slot that is taken, a neighbour key in the slot behind
 * it and our key in the third. A read stops at a slot without displacements, so a key that was
 * found once must be counted in all slots before it from then on.
 */
class DisplacementsModelTest {
  /** Displacements of the home slot; our key and the neighbour's both went past it. */
  private static final int PASSED = 0;

  private static final int OURS = 1;

  @Test
  void countedBeforePublished() {
    Program insert = count(1, VOLATILE).store(OURS, 1, RELEASE);
    assertThat(explore(1, 0, insert, count(-1, VOLATILE), findTwice())).satisfies(this::sound);
  }

  @Test
  void countedAfterPublishedIsFound() {
    Program insert = new Program().store(OURS, 1, RELEASE).then(count(1, VOLATILE));
    assertThat(explore(1, 0, insert, count(-1, VOLATILE), findTwice()).isSound()).isFalse();
  }

  /** A publish that does not order the count before it is as bad as one that comes first. */
  @Test
  void publishedWithoutReleaseIsFound() {
    Program insert = count(1, OPAQUE).store(OURS, 1, OPAQUE);
    assertThat(explore(1, 0, insert, count(-1, VOLATILE), findTwice()).isSound()).isFalse();
  }

  @Test
  void neighboursComeAndGo() {
    Program neighbour = count(1, VOLATILE).then(count(-1, VOLATILE));
    Program other = count(1, VOLATILE).then(count(-1, VOLATILE));
    assertThat(explore(1, 1, neighbour, other, findAlways())).satisfies(this::sound);
  }

  @Test
  void countWithoutUpdateIsFound() {
    Program neighbour = lossyCount(1).then(lossyCount(-1));
    Program other = lossyCount(1).then(lossyCount(-1));
    assertThat(explore(1, 1, neighbour, other, findAlways()).isSound()).isFalse();
  }

  private void sound(Verdict verdict) {
    assertThat(verdict.violation()).isNull();
    assertThat(verdict.reached()).as("our key can be found").isTrue();
  }

  private static Verdict explore(int passed, int ours, Program... programs) {
    int last = programs.length - 1;
    return WeakMemory.explore(
        new int[] {passed, ours}, memory -> true, r -> r[last][1] == 1, programs);
  }

  private static Program count(int step, Mode mode) {
    return new Program().update(0, PASSED, (old, r) -> old + step, mode);
  }

  private static Program lossyCount(int step) {
    return new Program().load(0, PASSED, ACQUIRE).store(PASSED, r -> r[0] + step, RELEASE);
  }

  private static Program findTwice() {
    return find(0, 1)
        .exitUnless(r -> r[0] > 0 && r[1] == 1)
        .then(find(2, 3))
        .forbid("found, then missed", r -> r[2] == 0 || r[3] == 0);
  }

  private static Program findAlways() {
    return find(0, 1).forbid("missed", r -> r[0] <= 0 || r[1] == 0);
  }

  private static Program find(int passed, int ours) {
    return new Program().load(passed, PASSED, ACQUIRE).load(ours, OURS, ACQUIRE);
  }
}
