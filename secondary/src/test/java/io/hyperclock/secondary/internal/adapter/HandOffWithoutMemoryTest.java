/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A value has one owner, whatever the hand-off finds no memory for. */
class HandOffWithoutMemoryTest {
  private static final Key128 KEY = new Key128(1, 2);
  private static final Executor NEVER = task -> {};

  private Runnable onAdd = () -> {};

  private final Queue<DemotionTask> queue =
      new ConcurrentLinkedQueue<>() {
        @Override
        public boolean add(DemotionTask offer) {
          onAdd.run();
          return super.add(offer);
        }
      };

  /** Not an {@link OutOfMemoryError}: JUnit would end all tests, where one fails. */
  private static void fail() {
    throw new InternalError("as if there were no memory, on purpose");
  }

  private static DemotionTask offer(Parts parts, Key128 key, Runnable release) {
    return new DemotionTask(
        key.hi(),
        key.lo(),
        parts.type,
        () -> key,
        10,
        0,
        1,
        false,
        DemotionTask.Source.EVICTED,
        release);
  }

  private static DemotionTask offer(Parts parts) {
    return offer(parts, KEY, () -> LookupDisposal.dispose(parts.type, KEY.hi(), KEY.lo(), KEY));
  }

  private static void assertNothingIsOnItsWay(Parts parts) {
    assertThat(parts.demotion.pending()).isZero();
    assertThat(parts.demotion.pendingBytes()).isZero();
    assertThat(parts.reads.lookup(KEY.hi(), KEY.lo(), parts.type, null)).isNull();
  }

  @Test
  void offerThatCannotBeQueuedIsLeftToTheCaller() {
    Parts parts = new Parts(queue, NEVER);
    onAdd = HandOffWithoutMemoryTest::fail;
    for (int i = 0; i < 100; i++) {
      assertThat(parts.demotion.offer(offer(parts), parts.registry.now())).isFalse();
    }
    assertThat(parts.freed).as("by the caller only").hasValue(0);
    assertNothingIsOnItsWay(parts);
    onAdd = () -> {};
    assertThat(parts.demotion.offer(offer(parts), parts.registry.now())).isTrue();
    parts.close();
    assertThat(parts.freed).hasValue(1);
  }

  /** A write that comes between frees the value: the caller must not free it again. */
  @Test
  void offerThatAWriteHasCancelledMeanwhileIsTaken() {
    Parts parts = new Parts(queue, NEVER);
    onAdd =
        () -> {
          parts.demotion.cancelled(parts.registry.beginWrite(KEY, false));
          fail();
        };
    assertThat(parts.demotion.offer(offer(parts), parts.registry.now())).isTrue();
    assertThat(parts.freed).hasValue(1);
    parts.registry.endWrite(KEY);
    assertNothingIsOnItsWay(parts);
    parts.close();
    assertThat(parts.freed).hasValue(1);
  }

  /** The hand-off is refused a thread, and the release of a value that waits already throws. */
  @Test
  void offerThatIsQueuedIsTakenWhateverHappensThen() {
    Parts parts = new Parts(queue, task -> fail());
    DemotionTask bad = offer(parts, new Key128(7, 7), HandOffWithoutMemoryTest::fail);
    onAdd =
        () -> {
          onAdd = () -> {};
          parts.registry.register(bad, parts.registry.now());
          queue.add(bad);
        };
    assertThat(parts.demotion.offer(offer(parts), parts.registry.now())).isTrue();
    parts.close();
    assertThat(parts.freed).hasValue(1);
  }

  @Test
  void withdrawnOfferIsOneThatNobodyFinds() {
    InFlightTable registry = new InFlightTable();
    Parts parts = new Parts();
    DemotionTask offer = offer(parts);
    assertThat(registry.withdraw(offer)).as("never registered").isTrue();
    assertThat(registry.register(offer, registry.now())).isTrue();
    assertThat(registry.withdraw(offer)).isTrue();
    assertThat(registry.withdraw(offer)).isFalse();
    assertThat(registry.startMoving(offer)).isFalse();
    DemotionTask next = offer(parts);
    assertThat(registry.register(next, registry.now())).isTrue();
    assertThat(registry.startMoving(next)).isTrue();
    assertThat(registry.withdraw(next)).as("being carried out").isFalse();
    assertThat(registry.endMoving(next, false)).isTrue();
  }

  /** What a handle holds is not held by the hand-off if that fails. */
  @Test
  void pinOfAnOfferThatFailsIsGivenBack() {
    Parts parts = new Parts(queue, NEVER);
    Object value = new Object();
    Handle<Object> handle =
        parts.primary.insertPinned(KEY.hi(), KEY.lo(), value, parts.type, 10, Priority.LOW);
    onAdd = HandOffWithoutMemoryTest::fail;
    parts.descent.offerHeld(handle, 0, parts.registry.now());
    assertThat(parts.demotion.pending()).isZero();
    handle.discard();
    parts.primary.erase(KEY.hi(), KEY.lo());
    assertThat(parts.freed).hasValue(1);
    parts.close();
  }
}
