/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each lookup has the memory that it reads into for itself, from the read until its value is
 * decoded, whatever else is looked up meanwhile. Values do not compress and are decoded from that
 * memory.
 */
@Timeout(TierTestLimits.TEST_SECONDS)
class OwnBufferTest {
  private static final int KEYS = 64;
  private static final int BYTES = 4 << 10;
  private static final int HEADERS = DiskRecord.HEADER_BYTES + 9;

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  /** What is done once, within the next read, when its bytes are there. */
  private final AtomicReference<Runnable> onRead = new AtomicReference<>();

  /** What is done once, within the next decoding, before its bytes are looked at. */
  private final AtomicReference<Runnable> onDecode = new AtomicReference<>();

  private final CountDownLatch gate = new CountDownLatch(1);
  private volatile boolean holdsDecoders;
  private volatile boolean spoils;
  private volatile long readAt;

  private final EntryType<byte[]> type =
      EntryType.<byte[]>named("bytes").codec(new Codec()).build();

  /** Copies its bytes, late. */
  private final class Codec implements EntryCodec<byte[]> {
    @Override
    public int encodedSizeBytes(byte[] value) {
      return value.length;
    }

    @Override
    public void encode(byte[] value, ByteBuffer target) {
      target.put(value);
    }

    @Override
    public byte[] decode(ByteBuffer source, @Nullable Object context) {
      run(onDecode);
      if (holdsDecoders) {
        await();
      }
      byte[] value = new byte[source.remaining()];
      source.get(value);
      return value;
    }

    private void await() {
      try {
        assertThat(gate.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public long chargeBytes(byte[] value) {
      return value.length;
    }
  }

  private static void run(AtomicReference<Runnable> once) {
    Runnable task = once.getAndSet(null);
    if (task != null) {
      task.run();
    }
  }

  private Device hooked(Device under) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(under, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (method.getName().equals("read")) {
                if (spoils) {
                  ByteBuffer target = (ByteBuffer) arguments[0];
                  int last = HEADERS + BYTES - 1;
                  target.put(last, (byte) ~target.get(last));
                }
                readAt = (long) arguments[1];
                run(onRead);
              }
              return result;
            });
  }

  private DiskSecondaryCache open() {
    return DiskSecondaryCache.builder()
        .device(hooked(FileDevice.open(directory)))
        .capacityBytes(16 << 16)
        .regionBytes(1 << 16)
        .stallLimit(TierTestLimits.TIME)
        .estimatedRecordBytes(64) // Many slots: keys are hardly ever taken for others.
        .readThreads(1)
        .build();
  }

  private static byte[] value(long key) {
    byte[] value = new byte[BYTES];
    new SplittableRandom(key).nextBytes(value);
    return value;
  }

  @BeforeEach
  void fill() {
    try (DiskSecondaryCache tier = open()) {
      for (long key = 0; key < KEYS; key++) {
        while (!tier.insert(1, key, value(key), type, true)) {
          Thread.yield();
        }
      }
    }
    writers.awaitEnd();
  }

  private void assertFound(DiskSecondaryCache tier, long key) {
    TierResult<byte[]> result = tier.lookupNow(TierRequest.of(1, key, type));
    assertThat(result.outcome()).as("key " + key).isEqualTo(TierOutcome.HIT);
    assertThat(result.value()).as("key " + key).isEqualTo(value(key));
  }

  @Test
  void anotherLookupDuringARead() {
    try (DiskSecondaryCache tier = open()) {
      for (long key = 0; key + 1 < KEYS; key++) {
        long other = key + 1;
        onRead.set(() -> assertFound(tier, other));
        assertFound(tier, key);
        assertThat(onRead.get()).isNull();
      }
    }
  }

  @Test
  void anotherLookupDuringADecoding() {
    try (DiskSecondaryCache tier = open()) {
      for (long key = 0; key + 1 < KEYS; key++) {
        long other = key + 1;
        onDecode.set(() -> assertFound(tier, other));
        assertFound(tier, key);
        assertThat(onDecode.get()).isNull();
      }
    }
  }

  private List<TierRequest<byte[]>> requests() {
    return LongStream.range(0, KEYS).mapToObj(key -> TierRequest.of(1, key, type)).toList();
  }

  private static void assertAllFound(List<CompletableFuture<TierResult<byte[]>>> answers)
      throws Exception {
    for (int key = 0; key < KEYS; key++) {
      TierResult<byte[]> result = answers.get(key).get(TierTestLimits.SECONDS, SECONDS);
      assertThat(result.outcome()).as("key " + key).isEqualTo(TierOutcome.HIT);
      assertThat(result.value()).as("key " + key).isEqualTo(value(key));
    }
  }

  /** Is open when a read begins at the record of the last key. */
  private CountDownLatch readOfTheLast(DiskSecondaryCache tier) {
    assertFound(tier, KEYS - 1);
    long place = readAt;
    CountDownLatch latch = new CountDownLatch(1);
    watch(place, latch);
    return latch;
  }

  private void watch(long place, CountDownLatch latch) {
    onRead.set(
        () -> {
          if (readAt == place) {
            latch.countDown();
          } else {
            watch(place, latch);
          }
        });
  }

  /** The one thread that reads has read all of them when the first is decoded, by another. */
  @Test
  void otherLookupsBeforeOneIsDecoded() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      CountDownLatch last = readOfTheLast(tier);
      holdsDecoders = true;
      List<CompletableFuture<TierResult<byte[]>>> answers = new ArrayList<>();
      for (TierRequest<byte[]> request : requests()) {
        answers.add(tier.lookup(request));
      }
      assertThat(last.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
      gate.countDown();
      assertAllFound(answers);
    }
  }

  /** The same where a read is for many, in several runs. */
  @Test
  void otherLookupsBeforeABatchIsDecoded() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      CountDownLatch last = readOfTheLast(tier);
      holdsDecoders = true;
      List<CompletableFuture<TierResult<byte[]>>> answers =
          new ArrayList<>(tier.lookupAll(requests().subList(0, KEYS - 1)));
      answers.add(tier.lookup(TierRequest.of(1, KEYS - 1, type)));
      assertThat(last.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
      gate.countDown();
      assertAllFound(answers);
    }
  }

  @Test
  void damagedValuesAreNotDecoded() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      spoils = true;
      Runnable never = () -> {};
      onDecode.set(never);
      assertThat(tier.lookupNow(TierRequest.of(1, 0, type)).outcome())
          .isEqualTo(TierOutcome.CORRUPT);
      assertThat(
              tier.lookup(TierRequest.of(1, 1, type))
                  .get(TierTestLimits.SECONDS, SECONDS)
                  .outcome())
          .isEqualTo(TierOutcome.CORRUPT);
      assertThat(onDecode.get()).as("is not decoded").isSameAs(never);
    }
  }
}
