/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class LoadTaskTest {
  /** Tasks of which each waits for the next. */
  private static LoadTask[] chain(int length) {
    LoadTask[] tasks = new LoadTask[length];
    for (int i = 0; i < length; i++) {
      tasks[i] = new LoadTask(true, null);
    }
    for (int i = 0; i + 1 < length; i++) {
      tasks[i].enter();
      assertThat(tasks[i + 1].startWaiting()).isTrue();
      tasks[i].exit();
    }
    return tasks;
  }

  private static boolean mayWaitFor(LoadTask goal) {
    LoadTask task = new LoadTask(true, null);
    task.enter();
    try {
      return goal.startWaiting();
    } finally {
      task.exit();
    }
  }

  @Test
  void longPathsAreTakenForCircles() {
    assertThat(mayWaitFor(chain(60)[0])).isTrue();
    assertThat(mayWaitFor(chain(64)[0])).isTrue();
    assertThat(mayWaitFor(chain(65)[0])).isFalse();
  }

  @Test
  void whoNoLongerWaitsClosesNoCircle() {
    LoadTask[] two = chain(2);
    two[1].enter();
    assertThat(two[0].startWaiting()).as("a circle").isFalse();
    two[1].exit();
    two[0].enter();
    LoadTask.stopWaiting();
    two[0].exit();
    two[1].enter();
    assertThat(two[0].startWaiting()).isTrue();
    LoadTask.stopWaiting();
    two[1].exit();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void whoMustNotWaitLeavesNoEdge() {
    LoadTask task = new LoadTask(true, null);
    task.enter();
    assertThat(task.startWaiting()).isFalse();
    task.exit();
    assertThat(mayWaitFor(task)).isTrue();
  }

  @Test
  void tasksWithoutAThreadAreWaitedForOutsideOfTasksOnly() {
    LoadTask stage = new LoadTask(false, null);
    assertThat(stage.startWaiting()).isTrue();
    LoadTask.stopWaiting();
    assertThat(mayWaitFor(stage)).isFalse();
  }

  private static LoadTask entered() {
    LoadTask task = new LoadTask(true, null);
    task.enter();
    return task;
  }

  @Test
  void thoseAroundATaskThatIsLeftStillWait() {
    LoadTask outer = entered();
    LoadTask middle = entered();
    LoadTask inner = entered();
    inner.exit();
    assertThat(outer.startWaiting()).as("a circle").isFalse();
    middle.exit();
    outer.exit();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  /** Else a path would lead by them from the task that was left to one that is begun later. */
  @Test
  void thoseWithinATaskAreLeftWithIt() {
    LoadTask outer = entered();
    entered();
    LoadTask inner = entered();
    outer.exit();
    assertThat(LoadTask.isInsideAny()).isFalse();
    inner.enter();
    assertThat(outer.startWaiting()).isTrue();
    LoadTask.stopWaiting();
    inner.exit();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  /** Who could not enter it, for want of memory, may leave it all the same. */
  @Test
  void leavingATaskThatWasNotEnteredChangesNothing() {
    LoadTask outer = new LoadTask(true, null);
    LoadTask task = new LoadTask(true, null);
    outer.enter();
    task.exit();
    assertThat(outer.isInside()).isTrue();
    assertThat(task.isInside()).isFalse();
    assertThat(mayWaitFor(task)).isTrue();
    outer.exit();
    task.exit();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }
}
