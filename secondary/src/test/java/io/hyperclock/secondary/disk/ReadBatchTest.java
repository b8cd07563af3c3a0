/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that readers give to a thread that waits: nothing of it is left behind. */
@Timeout(TierTestLimits.TEST_SECONDS)
final class ReadBatchTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(50);
  private static final Runnable NOTHING = () -> {};

  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  private final List<String> done = new CopyOnWriteArrayList<>();

  private static DiskLookup<byte[]> lookup() {
    return new DiskLookup<>(
        TierRequest.of(1, 2, TYPE),
        0,
        0,
        null,
        new DiskLookup.Help() {
          @Override
          public <W> void help(DiskLookup<W> lookup, long nanos, Runnable afterEach) {}
        });
  }

  /** A thread that helps until the lookup ends. */
  private static Thread helper(ReadBatch batch, DiskLookup<?> lookup, Runnable afterEach) {
    Thread thread = new Thread(() -> batch.help(lookup, LONG, afterEach));
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Offers until the helper is there. */
  private static void offered(ReadBatch batch, Runnable work) {
    while (!batch.offer(work)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void nobodyIsThere() {
    ReadBatch batch = new ReadBatch();
    assertThat(batch.offer(() -> done.add("a"))).isFalse();
    batch.wake();
    assertThat(done).isEmpty();
  }

  @Test
  void waiterDoesWhatItIsGivenAndThenAsksItsCaller() throws Exception {
    ReadBatch batch = new ReadBatch();
    DiskLookup<byte[]> lookup = lookup();
    Thread helper = helper(batch, lookup, () -> done.add("after"));
    offered(
        batch,
        () -> {
          done.add("first");
          lookup.end();
        });
    helper.join();
    assertThat(done).containsExactly("first", "after");
    assertThat(batch.offer(NOTHING)).as("it has left").isFalse();
  }

  @Test
  void whoLeavesDoesTheRestFirst() throws Exception {
    ReadBatch batch = new ReadBatch();
    DiskLookup<byte[]> lookup = lookup();
    AtomicInteger given = new AtomicInteger();
    Runnable giveMore =
        () -> {
          int number = given.incrementAndGet();
          if (number <= 3 && batch.offer(() -> done.add("rest " + number))) {
            lookup.end();
          }
        };
    Thread helper = helper(batch, lookup, giveMore);
    offered(batch, () -> done.add("first"));
    helper.join();
    assertThat(done).containsExactly("first", "rest 1");
  }

  /** Who helps hears of what was thrown. */
  @Test
  void whatThrowsLeavesNothingBehind() throws Exception {
    Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    ReadBatch batch = new ReadBatch(queue);
    DiskLookup<byte[]> lookup = lookup();
    AtomicReference<Throwable> heard = new AtomicReference<>();
    Runnable throwing =
        () -> {
          throw new StackOverflowError("on purpose");
        };
    Thread helper =
        new Thread(
            () -> {
              try {
                batch.help(lookup, LONG, throwing);
              } catch (StackOverflowError e) {
                heard.set(e);
              }
            });
    helper.setDaemon(true);
    helper.start();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    offered(
        batch,
        () -> {
          busy.countDown();
          await(go);
          done.add("first");
        });
    await(busy);
    assertThat(batch.offer(() -> done.add("second"))).isTrue();
    assertThat(batch.offer(throwing)).isTrue();
    assertThat(batch.offer(() -> done.add("fourth"))).isTrue();
    go.countDown();
    helper.join();
    assertThat(done).containsExactly("first", "second", "fourth");
    assertThat(queue).isEmpty();
    assertThat(heard.get()).hasMessage("on purpose");
    helperCountsAnew(batch);
  }

  @Test
  void workIsTakenBackFromAHelperThatLeftMeanwhile() throws Exception {
    DiskLookup<byte[]> lookup = lookup();
    AtomicBoolean leaves = new AtomicBoolean();
    CountDownLatch left = new CountDownLatch(1);
    AtomicInteger[] adds = {new AtomicInteger()};
    ReadBatch[] batch = new ReadBatch[1];
    Queue<Runnable> queue =
        new ConcurrentLinkedQueue<>() {
          @Override
          public boolean add(Runnable work) {
            adds[0].incrementAndGet();
            if (leaves.get()) {
              lookup.end();
              batch[0].wake();
              await(left);
            }
            return super.add(work);
          }
        };
    batch[0] = new ReadBatch(queue);
    Thread helper =
        new Thread(
            () -> {
              batch[0].help(lookup, LONG, NOTHING);
              left.countDown();
            });
    helper.setDaemon(true);
    helper.start();
    offered(batch[0], () -> done.add("first"));
    while (done.isEmpty()) {
      Thread.onSpinWait();
    }
    leaves.set(true);
    assertThat(batch[0].offer(() -> done.add("left behind"))).isFalse();
    assertThat(adds[0]).as("it was given").hasValue(2);
    assertThat(queue).isEmpty();
    assertThat(done).containsExactly("first");
    helperCountsAnew(batch[0]);
  }

  @Test
  void workThatFindsNoMemoryIsNotWaiting() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    ReadBatch batch =
        new ReadBatch(
            new ConcurrentLinkedQueue<>() {
              @Override
              public boolean add(Runnable work) {
                if (failures.getAndDecrement() > 0) {
                  throw new OutOfMemoryError("on purpose");
                }
                return super.add(work);
              }
            });
    DiskLookup<byte[]> lookup = lookup();
    Thread helper = helper(batch, lookup, NOTHING);
    offered(batch, NOTHING);
    failures.set(1);
    assertThatThrownBy(() -> batch.offer(NOTHING)).isInstanceOf(OutOfMemoryError.class);
    lookup.end();
    batch.wake();
    helper.join();
    helperCountsAnew(batch);
  }

  /** What was taken back does not count as waiting. */
  private void helperCountsAnew(ReadBatch batch) throws InterruptedException {
    DiskLookup<byte[]> next = lookup();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Thread helper = helper(batch, next, NOTHING);
    offered(
        batch,
        () -> {
          busy.countDown();
          await(go);
        });
    await(busy);
    int accepted = 0;
    while (accepted < 100 && batch.offer(NOTHING)) {
      accepted++;
    }
    assertThat(accepted).as("no more than it keeps up with").isEqualTo(4);
    next.end();
    go.countDown();
    batch.wake();
    helper.join();
  }

  @Test
  void onlyOneHelps() throws Exception {
    ReadBatch batch = new ReadBatch();
    DiskLookup<byte[]> lookup = lookup();
    Thread helper = helper(batch, lookup, NOTHING);
    offered(batch, NOTHING);
    batch.help(lookup, LONG, NOTHING);
    assertThat(helper.isAlive()).as("the other goes on").isTrue();
    lookup.end();
    batch.wake();
    helper.join();
  }

  @Test
  void timeEndsIt() {
    ReadBatch batch = new ReadBatch();
    batch.help(lookup(), 1, NOTHING);
    assertThat(batch.offer(NOTHING)).isFalse();
  }

  @Test
  void interruptIsKeptAndDoesNotEndIt() throws Exception {
    ReadBatch batch = new ReadBatch();
    DiskLookup<byte[]> lookup = lookup();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread helper =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              batch.help(lookup, LONG, NOTHING);
              interrupted.set(Thread.interrupted());
            });
    helper.setDaemon(true);
    helper.start();
    offered(batch, () -> done.add("although interrupted"));
    while (done.isEmpty()) {
      Thread.onSpinWait();
    }
    lookup.end();
    batch.wake();
    helper.join();
    assertThat(interrupted).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
