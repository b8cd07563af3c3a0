/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.internal.tier.HelpedFuture;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Lookups that the thread which waits for them does itself. */
@Timeout(TierTestLimits.TEST_SECONDS)
class HelpedLookupTest {
  private static final int KEYS = 64;
  private static final long FAST_NANOS = 5_000;
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  /** Names of the threads that were in the device. */
  private final Set<String> readers = ConcurrentHashMap.newKeySet();

  private final AtomicInteger reads = new AtomicInteger();
  private final CountDownLatch gate = new CountDownLatch(1);
  private volatile boolean holdsOthers;
  private volatile Runnable onRead = () -> {};

  /** The device's clock: reads take what the test says. */
  private final AtomicLong now = new AtomicLong(1_000);

  private volatile long nanos = FAST_NANOS;

  /** Notes who reads; threads of the tier may be held, or all be slowed down. */
  private Device watched(Device under) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("read")) {
                onRead();
              }
              try {
                return method.invoke(under, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void onRead() throws InterruptedException, IOException {
    String name = Thread.currentThread().getName();
    readers.add(name);
    reads.incrementAndGet();
    if (!name.startsWith("hyperclock")) {
      onRead.run();
    } else if (holdsOthers) {
      assertThat(gate.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    }
    now.addAndGet(nanos);
  }

  private DiskSecondaryCache open() {
    DiskSecondaryCacheBuilder settings =
        DiskSecondaryCache.builder()
            .device(watched(FileDevice.open(directory)))
            .capacityBytes(16 << 16)
            .regionBytes(1 << 16)
            .readThreads(2);
    return DiskSecondaryCache.open(settings, now::get);
  }

  private static byte[] value(long key) {
    byte[] value = new byte[500];
    Arrays.fill(value, (byte) key);
    return value;
  }

  private DiskSecondaryCache filled() {
    try (DiskSecondaryCache tier = open()) {
      for (long key = 0; key < KEYS; key++) {
        while (!tier.insert(1, key, value(key), TYPE, true)) {
          Thread.yield();
        }
      }
    }
    writers.awaitEnd();
    DiskSecondaryCache tier = open();
    for (int i = 0; i < KEYS; i++) {
      tier.lookupNow(TierRequest.of(1, i, TYPE));
    }
    readers.clear();
    reads.set(0);
    return tier;
  }

  private static List<TierRequest<byte[]>> requests() {
    List<TierRequest<byte[]>> requests = new ArrayList<>();
    for (long key = 0; key < KEYS; key++) {
      requests.add(TierRequest.of(1, key, TYPE));
    }
    return requests;
  }

  private static long lookups(DiskSecondaryCache tier) {
    return tier.stats().lookups().values().stream().mapToLong(Long::longValue).sum();
  }

  private static int hits(List<CompletableFuture<TierResult<byte[]>>> answers) throws Exception {
    int hits = 0;
    for (int key = 0; key < KEYS; key++) {
      TierResult<byte[]> result = answers.get(key).get(TierTestLimits.SECONDS, SECONDS);
      if (result.isHit()) {
        assertThat(result.value()).isEqualTo(value(key));
        hits++;
      }
    }
    return hits;
  }

  /** The tier's readers are stuck: what they have not begun is read by who waits. */
  @Test
  void waiterReadsWhatNobodyHasBegun() throws Exception {
    try (DiskSecondaryCache tier = filled()) {
      long before = lookups(tier);
      List<CompletableFuture<TierResult<byte[]>>> answers = new ArrayList<>();
      holdsOthers = true;
      for (TierRequest<byte[]> request : requests()) {
        answers.add(tier.lookup(request));
      }
      await()
          .pollDelay(Duration.ZERO)
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> reads.get() > 0);
      answers.forEach(answer -> help(answer, Long.MAX_VALUE));
      assertThat(answers.stream().filter(CompletableFuture::isDone))
          .as("all but what one or two readers are at")
          .hasSizeBetween(KEYS - 2, KEYS - 1);
      assertThat(readers).contains(Thread.currentThread().getName());
      gate.countDown();
      assertThat(hits(answers)).isGreaterThan(KEYS * 9 / 10);
      assertThat(reads.get()).as("each is read once").isLessThanOrEqualTo(KEYS + 2);
      assertThat(lookups(tier) - before).as("each is counted once").isEqualTo(KEYS);
    }
  }

  /** Who waits where the stack ends leaves to others what it could not end. */
  @Test
  void nothingIsLostWhereTheStackEnds() throws Exception {
    try (DiskSecondaryCache tier = filled()) {
      holdsOthers = true;
      List<CompletableFuture<TierResult<byte[]>>> answers = new ArrayList<>();
      for (TierRequest<byte[]> request : requests()) {
        answers.add(tier.lookup(request));
      }
      help(answers.get(KEYS - 1), Long.MAX_VALUE);
      Thread waiter = new Thread(() -> helpFromTheEnd(answers.iterator()), "waiter");
      waiter.start();
      waiter.join(60_000);
      assertThat(waiter.isAlive()).isFalse();
      gate.countDown();
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
          .get(TierTestLimits.SECONDS, SECONDS);
      hits(answers);
    }
  }

  /** Helps the lookups one by one on the way back from where the stack ends. */
  private static void helpFromTheEnd(Iterator<? extends CompletableFuture<?>> left) {
    try {
      helpFromTheEnd(left);
    } catch (StackOverflowError e) {
      // Here, or a few frames further up.
    }
    try {
      if (left.hasNext()) {
        help(left.next(), Long.MAX_VALUE);
      }
    } catch (StackOverflowError e) {
      // The next one is helped where there is more stack.
    }
  }

  /** A device that is slow may hang as well: who waits leaves it to the tier's threads. */
  @Test
  void waiterLeavesASlowDeviceAlone() throws Exception {
    try (DiskSecondaryCache tier = filled()) {
      nanos = Duration.ofMillis(1).toNanos();
      for (TierRequest<byte[]> request : requests()) {
        tier.lookupNow(request);
      }
      assertThat(tier.health.reads.typicalNanos()).isGreaterThan(500_000);
      readers.clear();
      List<CompletableFuture<TierResult<byte[]>>> answers = tier.lookupAll(requests());
      answers.forEach(answer -> help(answer, Long.MAX_VALUE));
      hits(answers);
      assertThat(readers).isNotEmpty().allMatch(name -> name.startsWith("hyperclock"));
    }
  }

  private static void help(CompletableFuture<?> answer, long nanos) {
    ((HelpedFuture<?>) answer).help(nanos, () -> {});
  }

  /** As {@link #TYPE}, and notes who decodes. */
  private EntryType<byte[]> noting(Set<String> decoders) {
    return TestValues.showing(value -> decoders.add(Thread.currentThread().getName()));
  }

  private void makeSlow(DiskSecondaryCache tier) {
    nanos = Duration.ofMillis(1).toNanos();
    for (TierRequest<byte[]> request : requests()) {
      tier.lookupNow(request);
    }
    readers.clear();
  }

  private List<TierRequest<byte[]>> requests(EntryType<byte[]> type) {
    return requests().stream()
        .map(request -> TierRequest.<byte[]>of(request.keyHi(), request.keyLo(), type))
        .toList();
  }

  /** What others read of a slow device, who waits decodes. */
  @Test
  void waiterDecodesWhatIsReadOfASlowDevice() throws Exception {
    Set<String> decoders = ConcurrentHashMap.newKeySet();
    EntryType<byte[]> type = noting(decoders);
    try (DiskSecondaryCache tier = filled()) {
      makeSlow(tier);
      holdsOthers = true;
      List<CompletableFuture<TierResult<byte[]>>> answers = tier.lookupAll(requests(type));
      AtomicInteger completedHere = new AtomicInteger();
      Thread waiter =
          new Thread(
              () ->
                  answers.forEach(
                      answer ->
                          ((HelpedFuture<?>) answer)
                              .help(Long.MAX_VALUE, completedHere::incrementAndGet)),
              "waiter");
      waiter.start();
      await()
          .pollDelay(Duration.ZERO)
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(
              () ->
                  waiter.getState() == Thread.State.TIMED_WAITING
                      || waiter.getState() == Thread.State.TERMINATED);
      gate.countDown();
      assertThat(hits(answers)).isGreaterThan(KEYS * 9 / 10);
      waiter.join(60_000);
      assertThat(waiter.isAlive()).isFalse();
      assertThat(decoders).contains("waiter");
      assertThat(readers).isNotEmpty().allMatch(name -> name.startsWith("hyperclock"));
      assertThat(completedHere).hasPositiveValue();
    }
  }

  /** Time is over, or another ends the lookup: who waits is let go, and nothing is left behind. */
  @Test
  void waiterOfASlowDeviceIsLetGo() throws Exception {
    DiskSecondaryCache tier = filled();
    makeSlow(tier);
    holdsOthers = true;
    List<CompletableFuture<TierResult<byte[]>>> answers = tier.lookupAll(requests());
    help(answers.get(0), 1_000_000);
    assertThat(answers.get(0)).isNotDone();
    Thread waiter = new Thread(() -> help(answers.get(1), Long.MAX_VALUE), "waiter");
    waiter.start();
    waiter.interrupt();
    tier.close();
    waiter.join(60_000);
    assertThat(waiter.isAlive()).isFalse();
    assertThat(answers).allMatch(CompletableFuture::isDone);
    gate.countDown();
  }

  @Test
  void waitAllDecodesWhatIsReadOfASlowDevice() {
    Set<String> decoders = ConcurrentHashMap.newKeySet();
    EntryType<byte[]> type = noting(decoders);
    DiskSecondaryCache tier = filled();
    makeSlow(tier);
    holdsOthers = true;
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(500))
            .tier(tier)
            .build()) {
      long[] keys = new long[2 * KEYS];
      for (int i = 0; i < KEYS; i++) {
        keys[2 * i] = 1;
        keys[2 * i + 1] = i;
      }
      List<AsyncLookup<byte[]>> lookups = cache.startLookups(keys, type, null);
      Thread caller = Thread.currentThread();
      Thread opener =
          new Thread(
              () -> {
                await()
                    .pollDelay(Duration.ZERO)
                    .atMost(TierTestLimits.SECONDS, SECONDS)
                    .until(() -> caller.getState() == Thread.State.TIMED_WAITING);
                gate.countDown();
              });
      opener.start();
      cache.waitAll(lookups);
      int found = 0;
      for (int i = 0; i < KEYS; i++) {
        try (Handle<byte[]> handle = lookups.get(i).await()) {
          if (handle != null) {
            assertThat(handle.value()).isEqualTo(value(i));
            found++;
          }
        }
      }
      assertThat(found).isGreaterThan(KEYS * 9 / 10);
      assertThat(decoders).contains(caller.getName());
      assertThat(readers).isNotEmpty().allMatch(name -> name.startsWith("hyperclock"));
      assertThat(cache.stats().pendingOffers()).isZero();
    }
  }

  /** One by one: a batch would be one run, which a reader begins as a whole. */
  private static List<AsyncLookup<byte[]>> startAll(TieredBlockCache<byte[]> cache) {
    List<AsyncLookup<byte[]>> lookups = new ArrayList<>();
    for (long key = 0; key < KEYS; key++) {
      lookups.add(cache.startLookup(1, key, TYPE));
    }
    return lookups;
  }

  @Test
  void waitAllHelpsAndAWaitWithALimitDoesNot() {
    DiskSecondaryCache tier = filled();
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(500))
            .tier(tier)
            .build()) {
      holdsOthers = true;
      List<AsyncLookup<byte[]>> lookups = startAll(cache);
      cache.waitAll(lookups, Duration.ofMillis(50));
      assertThat(readers).doesNotContain(Thread.currentThread().getName());
      lookups.forEach(AsyncLookup::close);
      // What nobody waits for any more is still to be read: all but what readers are at.
      List<AsyncLookup<byte[]>> again = startAll(cache);
      onRead = gate::countDown; // Then the others may end as well.
      cache.waitAll(again);
      assertThat(readers).contains(Thread.currentThread().getName());
      int found = 0;
      for (AsyncLookup<byte[]> lookup : again) {
        try (Handle<byte[]> handle = lookup.await()) {
          found += handle == null ? 0 : 1;
        }
      }
      assertThat(found).isGreaterThan(KEYS * 9 / 10);
    }
  }
}
