/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.LeakDetection;
import io.hyperclock.internal.observe.LeakTracker;
import io.hyperclock.internal.observe.ObserverNotifier;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scopes that are tracked, and those that are not, by the same cache. */
@Tag("scope")
final class ReadScopesTest {
  /** Held so that the level stays set: scopes of dead threads are reported. */
  private static final Logger LOGGER = Logger.getLogger("io.hyperclock");

  private Level before;

  private final ReadScopes all = scopes(LeakDetection.all());

  private static ReadScopes scopes(LeakDetection detection) {
    return new ReadScopes(new ObserverNotifier.Settings(null, detection, Duration.ofDays(1)));
  }

  @BeforeEach
  void logNothing() {
    before = LOGGER.getLevel();
    LOGGER.setLevel(Level.OFF);
  }

  @AfterEach
  void logAgain() {
    LOGGER.setLevel(before);
  }

  private static Object field(Class<?> type, Object of, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Object tracker(ReadScopes scopes) {
    return field(ReadScopes.class, scopes, "tracker");
  }

  /** How many the tracker remembers, ended or not. */
  private static int remembered(ReadScopes scopes) {
    return ((Set<?>) field(LeakTracker.class, tracker(scopes), "open")).size();
  }

  private static ReadScopes.TrackedScope chosen(ReadScopes scopes) {
    ReadScopes.TrackedScope tracked = scopes.choose(Thread.currentThread());
    assertThat(tracked).isNotNull();
    return tracked;
  }

  @Test
  void aTrackedScopeIsKnownUntilItHasEnded() {
    ReadScopes.TrackedScope tracked = chosen(all);
    assertThat(remembered(all)).isZero();
    int cell = all.begin(tracked);
    assertThat(all.list()).hasSize(1);
    assertThat(all.stats().openScopes()).isEqualTo(1);
    assertThat(tracked.take(cell)).as("it has the number of its cell").isTrue();
    tracked.opened(cell);
    all.end(cell, tracked);
    assertThat(tracked.isOpen()).isFalse();
    assertThat(all.stats().openScopes()).isZero();
    assertThat(remembered(all)).isEqualTo(1);
    all.ended(cell, tracked);
    assertThat(remembered(all)).isZero();
  }

  @Test
  void someAreNotTracked() {
    ReadScopes scopes = scopes(LeakDetection.sampled(1_000_000));
    int untracked = 0;
    for (int i = 0; i < 100; i++) {
      untracked += scopes.choose(Thread.currentThread()) == null ? 1 : 0;
    }
    assertThat(untracked).isPositive();
    int cell = scopes.begin(null);
    assertThat(scopes.list()).isEmpty();
    assertThat(scopes.stats().openScopes()).isEqualTo(1);
    scopes.end(cell, null);
    scopes.ended(cell, null);
    assertThat(scopes.stats().openScopes()).isZero();
  }

  @Test
  void withoutTrackingNoneIsListed() {
    ReadScopes off = scopes(LeakDetection.off());
    assertThat(off.choose(Thread.currentThread())).isNull();
    int cell = off.begin(null);
    assertThat(off.stats().openScopes()).isEqualTo(1);
    assertThat(off.list()).isEmpty();
    off.end(cell, null);
    off.ended(cell, null);
    assertThat(off.stats().openScopes()).isZero();
  }

  /** A thread that dies within a scope. */
  private void leak() throws InterruptedException {
    Thread thread = new Thread(() -> all.begin(chosen(all)), "dies");
    thread.start();
    thread.join();
    assertThat(all.reclaimer().openScopes()).isEqualTo(1);
  }

  @Test
  void statisticsEndScopesOfDeadThreads() throws Exception {
    leak();
    assertThat(all.stats().openScopes()).isZero();
    assertThat(remembered(all)).isZero();
  }

  @Test
  void aValueThatRetiresEndsScopesOfDeadThreads() throws Exception {
    leak();
    // The next look is due.
    ((AtomicLong) field(LeakTracker.class, tracker(all), "nextLook")).set(System.nanoTime());
    boolean[] freed = new boolean[1];
    all.reclaimer()
        .retire(
            new RetiredValue(10) {
              @Override
              public void free() {
                freed[0] = true;
              }
            });
    assertThat(all.reclaimer().openScopes()).isZero();
    assertThat(freed[0]).isTrue();
  }

  @Test
  void aScopeThatCannotBeCountedIsForgotten() throws Exception {
    Field epochs = Reclaimer.class.getDeclaredField("epochs");
    epochs.setAccessible(true);
    Object there = epochs.get(all.reclaimer());
    epochs.set(all.reclaimer(), null);
    assertThatThrownBy(() -> all.begin(chosen(all))).isInstanceOf(NullPointerException.class);
    epochs.set(all.reclaimer(), there);
    assertThat(remembered(all)).isZero();
    assertThat(all.stats().openScopes()).isZero();
  }
}
