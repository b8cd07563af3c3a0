/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import io.hyperclock.secondary.testing.ThreadShortage;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is thrown while values are looked up: each lookup ends and gives its bytes back. */
@Timeout(TierTestLimits.TEST_SECONDS)
class ReadErrorsTest {
  private static final int KEYS = 8;
  private static final long SLOW_NANOS = 1_000_000;
  private static final int IN_MEMORY = 100;

  private final AtomicInteger disposed = new AtomicInteger();
  private final EntryType<byte[]> type =
      EntryType.<byte[]>named("bytes")
          .codec(EntryCodec.ofBytes())
          .disposer((hi, lo, value) -> disposed.incrementAndGet())
          .build();

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final Compressor compressor = failing(new RunLengthCompressor());

  /** The compressor does not tell its identity. */
  private volatile boolean hasNoId;

  /** Thrown by reads. */
  private volatile @Nullable Error error;

  /** Reads of the tier's threads wait for it. */
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** The device's clock: reads take what the test says. */
  private final AtomicLong now = new AtomicLong(1_000);

  private volatile long nanos = 1_000;

  @AfterEach
  void openGate() {
    gate.countDown();
  }

  /** What is called, before it is. */
  private interface Watch {
    void before(String method) throws Exception;
  }

  private static <T> T watched(Class<T> type, T under, Watch watch) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              watch.before(method.getName());
              try {
                return method.invoke(under, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private Compressor failing(Compressor under) {
    return watched(
        Compressor.class,
        under,
        method -> {
          if (hasNoId && method.equals("id")) {
            throw new LinkageError("on purpose");
          }
        });
  }

  private void before(String method) throws InterruptedException {
    if (!method.equals("read")) {
      return;
    }
    if (Thread.currentThread().getName().startsWith("hyperclock") && gate.getCount() > 0) {
      assertThat(gate.await(50, SECONDS)).isTrue();
    }
    now.addAndGet(nanos);
    Error thrown = error;
    if (thrown != null) {
      throw thrown;
    }
  }

  private DiskSecondaryCache open(long maxPendingBytes) {
    DiskSecondaryCacheBuilder settings =
        DiskSecondaryCache.builder()
            .device(watched(Device.class, FileDevice.open(directory), this::before))
            .capacityBytes(16 << 16)
            .regionBytes(1 << 16)
            .readThreads(4)
            .maxPendingReadBytes(maxPendingBytes)
            .compressor(compressor);
    return DiskSecondaryCache.open(settings, now::get);
  }

  /** All keys on the device; more than so many bytes are too much. */
  private DiskSecondaryCache filled(long maxPendingBytes) {
    try (DiskSecondaryCache tier = open(maxPendingBytes)) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(tier.insert(1, key, new byte[500], type, true)).isTrue();
      }
    }
    writers.awaitEnd();
    return open(maxPendingBytes);
  }

  /** One lookup at a time. */
  private DiskSecondaryCache narrow() {
    return filled(1);
  }

  private TierRequest<byte[]> request(int key) {
    return TierRequest.of(1, key, type);
  }

  private static TierOutcome outcome(CompletableFuture<TierResult<byte[]>> future)
      throws Exception {
    return future.get(50, SECONDS).outcome();
  }

  private CompletableFuture<TierResult<byte[]>> lookup(DiskSecondaryCache tier, int key) {
    try {
      return tier.lookup(request(key));
    } catch (OutOfMemoryError e) {
      throw new AssertionError("a lookup must not throw", e);
    }
  }

  private void assertUsable(DiskSecondaryCache tier) throws Exception {
    for (int key = 0; key < KEYS; key++) {
      assertThat(outcome(tier.lookup(request(key)))).isEqualTo(TierOutcome.HIT);
    }
    assertThat(tier.diskStats().busy()).isZero();
  }

  @Test
  void anErrorOfTheDeviceEndsTheLookup() throws Exception {
    try (DiskSecondaryCache tier = narrow()) {
      error = new InternalError("on purpose");
      assertThat(outcome(tier.lookup(request(1)))).isEqualTo(TierOutcome.UNAVAILABLE);
      assertThat(tier.diskStats().readErrors()).isEqualTo(1);
      error = null;
      assertUsable(tier);
    }
  }

  @Test
  void anErrorOfTheDeviceEndsAllThatAreReadWithIt() throws Exception {
    try (DiskSecondaryCache tier = filled(1 << 20)) {
      error = new InternalError("on purpose");
      List<TierRequest<byte[]>> requests = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        requests.add(request(key));
      }
      for (CompletableFuture<TierResult<byte[]>> future : tier.lookupAll(requests)) {
        assertThat(outcome(future)).isEqualTo(TierOutcome.UNAVAILABLE);
      }
      error = null;
      assertUsable(tier);
    }
  }

  /** There are more readers when the device has become slow; they do not start. */
  @Test
  void aLookupThatFindsNoFurtherReaderIsAMiss() throws Exception {
    try (ThreadShortage shortage = ThreadShortage.open();
        DiskSecondaryCache tier = filled(1 << 20)) {
      gate = new CountDownLatch(1);
      List<CompletableFuture<TierResult<byte[]>>> waiting = new ArrayList<>();
      for (int key = 0; key < 3; key++) {
        waiting.add(tier.lookup(request(key))); // The third is queued.
      }
      nanos = SLOW_NANOS;
      while (tier.health.reads.typicalNanos() < SLOW_NANOS / 2) {
        assertThat(tier.lookupNow(request(4)).isHit()).isTrue();
      }
      shortage.begin(Thread.currentThread().getName());
      assertThat(outcome(lookup(tier, 5))).isEqualTo(TierOutcome.UNAVAILABLE);
      shortage.end();
      gate.countDown();
      for (CompletableFuture<TierResult<byte[]>> future : waiting) {
        assertThat(outcome(future)).isEqualTo(TierOutcome.HIT);
      }
      assertUsable(tier);
    }
  }

  /** The caller gets no futures: what was begun ends, and what was found is freed. */
  @Test
  void aRequestThatThrowsEndsThoseBeforeIt() throws Exception {
    try (DiskSecondaryCache tier = narrow()) {
      assertThat(tier.insert(1, IN_MEMORY, new byte[500], type, true)).isTrue();
      assertThatThrownBy(() -> tier.lookupAll(Arrays.asList(request(IN_MEMORY), request(1), null)))
          .isInstanceOf(NullPointerException.class);
      assertThat(disposed).as("values that nobody gets").hasValue(1);
      assertUsable(tier);
    }
  }

  @Test
  void aLookupThatThrowsIsNotPending() throws Exception {
    try (DiskSecondaryCache tier = narrow()) {
      assertThat(tier.insert(1, IN_MEMORY, new byte[500], type, true)).isTrue();
      hasNoId = true;
      assertThatThrownBy(() -> tier.lookup(request(IN_MEMORY))).isInstanceOf(LinkageError.class);
      hasNoId = false;
      assertUsable(tier);
    }
  }
}
