/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import org.jspecify.annotations.Nullable;

/**
 * One call of a loader: the tasks of a thread form a chain (a loader that asks for another key is
 * inside its task), and the tasks of all threads a graph of who waits for whom.
 *
 * <p><b>No circle lasts.</b> A task has at most one edge out: to the task it waits for, or to the
 * task nested in it. A thread about to wait first sets its edge, then follows the edges from its
 * goal; if they lead back to it, it does not wait. Both are volatile, so of the tasks that close a
 * circle at least the last one sees all other edges. An edge that is gone a moment later costs a
 * load that waiting would have saved. Only threads inside a task are in the graph: no thread waits
 * for the others.
 *
 * <p><b>After the load.</b> A thread that has loaded runs foreign code: listeners and disposers
 * when it inserts what it has loaded, dependents of futures when it serves those who waited. Who is
 * not served yet waits for that code, so the thread stays in the graph; while it serves, by a task
 * of its own that the task served leads to. But that code is no loader: it may ask for any key, the
 * one just loaded and those of its batch included.
 */
final class LoadTask {
  /** Longer paths count as circles: they may be circles of others, who are just leaving them. */
  private static final int MAX_PATH = 64;

  /**
   * A thread's innermost task, or null. Kept by the thread once it is there; an array, since that
   * keeps no class of ours loaded.
   */
  private static final ThreadLocal<@Nullable Object[]> CURRENT =
      ThreadLocal.withInitial(() -> new @Nullable Object[1]);

  private static final @Nullable Object[] NOWHERE = new @Nullable Object[1];

  private final boolean threaded;

  /** What it loads; itself if a flight tells. */
  private final Object subject;

  /** The task of serving those who wait for this one; itself if it is such a task. */
  private final LoadTask service;

  /** Where its thread keeps its innermost task: leaving must not fail. */
  private @Nullable Object[] place = NOWHERE;

  /** Whether the code in it is a loader's. */
  private boolean loading;

  private @Nullable LoadTask outer;
  private volatile @Nullable LoadTask waitsFor;

  /**
   * A task that is not begun.
   *
   * @param threaded whether a thread runs it to its end, so that all it waits for is in the graph
   * @param subject what it loads, if no flight tells
   */
  LoadTask(boolean threaded, @Nullable Object subject) {
    this.threaded = threaded;
    this.subject = subject == null ? this : subject;
    this.loading = true;
    this.service = new LoadTask();
  }

  private LoadTask() {
    this.threaded = true;
    this.subject = this;
    this.service = this;
  }

  private static @Nullable LoadTask current() {
    return (LoadTask) CURRENT.get()[0];
  }

  /** Whether the calling thread is inside a task of any cache, or serves one. */
  static boolean isInsideAny() {
    return current() != null;
  }

  /** Whether the calling thread is inside this task, as a loader. */
  boolean isInside() {
    return isInside(subject);
  }

  /** Whether the calling thread is inside a task with this subject, as a loader. */
  static boolean isInside(Object subject) {
    for (LoadTask task = current(); task != null && task.loading; task = task.outer) {
      if (subject.equals(task.subject)) {
        return true;
      }
    }
    return false;
  }

  /** The calling thread begins this task. */
  void enter() {
    @Nullable Object[] innermost = CURRENT.get();
    LoadTask around = (LoadTask) innermost[0];
    place = innermost;
    outer = around;
    innermost[0] = this;
    if (around != null) {
      around.waitsFor = this;
    }
  }

  /** The calling thread is done with loading in its innermost task. */
  static void stopLoading() {
    LoadTask innermost = current();
    if (innermost != null) {
      innermost.loading = false;
    }
  }

  /** The calling thread leaves this task, and those within it; nothing if it is not in it. */
  void exit() {
    for (LoadTask task = (LoadTask) place[0]; task != null && task != outer; task = task.outer) {
      if (task.outer != null) {
        task.outer.waitsFor = null;
      }
    }
    place[0] = outer;
  }

  /**
   * The calling thread begins to serve those who wait for this task.
   *
   * @return what {@link #stopServing} takes
   */
  @Nullable LoadTask startServing() {
    LoadTask nested = waitsFor;
    try {
      service.enter();
      waitsFor = service;
    } catch (OutOfMemoryError e) {
      // They are served all the same; a circle of waiting loads would not be seen.
      service.place = NOWHERE;
      service.outer = null;
    }
    return nested;
  }

  /** The calling thread is done with serving; goes on with a task nested in this one if need be. */
  void stopServing(@Nullable LoadTask nested) {
    service.exit();
    waitsFor = nested;
  }

  /** Notes that the calling thread is going to wait for this task; false if it must not. */
  boolean startWaiting() {
    LoadTask waiting = current();
    if (waiting == null) {
      return true;
    }
    if (!threaded) {
      return false;
    }
    waiting.waitsFor = this;
    LoadTask task = this;
    for (int step = 0; task != null; step++) {
      if (task == waiting || step == MAX_PATH) {
        waiting.waitsFor = null;
        return false;
      }
      task = task.waitsFor;
    }
    return true;
  }

  /** The calling thread no longer waits. */
  static void stopWaiting() {
    LoadTask waiting = current();
    if (waiting != null) {
      waiting.waitsFor = null;
    }
  }
}
