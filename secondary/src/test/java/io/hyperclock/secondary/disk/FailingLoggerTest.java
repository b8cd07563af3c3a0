/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A logger that hangs or fails harms no tier. */
@Timeout(TierTestLimits.TEST_SECONDS)
class FailingLoggerTest {
  private static final int REGION_BYTES = 1 << 16;
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(20);

  private final Logger logger = Logger.getLogger(DiskSecondaryCache.class.getName());
  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final Foreign handler = new Foreign();

  /** Does what the test says. */
  private static final class Foreign extends Handler {
    private volatile Runnable onPublish = () -> {};

    @Override
    public void publish(LogRecord line) {
      onPublish.run();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  private static RegionLog log(DiskHealth health) {
    SlotLayout layout = new SlotLayout(REGION_BYTES);
    SlotIndex index = new SlotIndex(layout, 64, 1);
    Signing signing = Signing.with(null, List.of()).inEpoch(1);
    RegionLog log =
        new RegionLog(layout, REGION_BYTES, index, 1, signing, health, 4L * REGION_BYTES);
    log.setCapacity(4L * REGION_BYTES);
    return log;
  }

  /** A logger that hangs under the lock would stop all inserts, erases and the close. */
  @Test
  void aStallThatAnInsertSeesIsLoggedWithoutTheLock() {
    AtomicLong now = new AtomicLong(1);
    DiskHealth health = new DiskHealth("ssd", Duration.ofHours(1), LIMIT, now::get);
    RegionLog log = log(health);
    List<Boolean> locked = new CopyOnWriteArrayList<>();
    handler.onPublish = () -> locked.add(log.lock.isHeldByCurrentThread());
    assertThat(log.put(1, 2, new byte[100])).isTrue();
    int call = health.writes.begin();
    now.addAndGet(LIMIT.toNanos() + 1);
    assertThat(log.put(1, 2, new byte[100])).as("while a write hangs").isFalse();
    assertThat(log.index.entries()).as("older values").isZero();
    assertThat(log.noRoom).isZero();
    assertThat(locked).as("the stall").containsExactly(false);
    health.writes.end(call);
    assertThat(log.put(1, 2, new byte[100])).as("afterwards").isTrue();
    assertThat(locked).as("and its end").containsExactly(false, false);
  }

  /** The older value of the key is gone although the logger fails. */
  @Test
  void anErrorOfTheLoggerReachesNoCaller() {
    AtomicLong now = new AtomicLong(1);
    DiskHealth health = new DiskHealth("ssd", Duration.ofHours(1), LIMIT, now::get);
    RegionLog log = log(health);
    assertThat(log.put(1, 2, new byte[100])).isTrue();
    handler.onPublish =
        () -> {
          throw new NoClassDefFoundError("on purpose");
        };
    health.writes.begin();
    now.addAndGet(LIMIT.toNanos() + 1);
    assertThat(log.put(1, 2, new byte[100])).isFalse();
    assertThat(log.index.entries()).isZero();
  }

  /** An error that cannot even be written into a log. */
  private static final class Unprintable extends Error {
    @Override
    public String toString() {
      throw this;
    }
  }

  /** What data are written to, told of each write before it. */
  private Device device(Callable<?> onWrite) {
    Device under = FileDevice.open(directory);
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write") && (long) arguments[1] >= Storage.HEAD_BYTES) {
                onWrite.call();
              }
              try {
                return method.invoke(under, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static DiskSecondaryCache open(Device device) {
    return open(device, System::nanoTime);
  }

  private static DiskSecondaryCache open(Device device, LongSupplier clock) {
    DiskSecondaryCacheBuilder settings =
        DiskSecondaryCache.builder()
            .device(device)
            .capacityBytes(4L * REGION_BYTES)
            .regionBytes(REGION_BYTES)
            .stallLimit(TierTestLimits.TIME)
            .maxInFlightBytes(256) // A value is written soon.
            .probeInterval(PROBE_INTERVAL);
    return DiskSecondaryCache.open(settings, clock);
  }

  private static boolean insert(DiskSecondaryCache tier) {
    return tier.insert(1, 2, new byte[100], TestValues.BYTES, true);
  }

  /** The writer has ended as it should: the directory is free, and all is in it. */
  private void assertWritten() {
    writers.awaitEnd();
    try (DiskSecondaryCache next = open(FileDevice.open(directory))) {
      assertThat(next.lookupNow(TierRequest.of(1, 2, TestValues.BYTES)).isHit()).isTrue();
    }
    writers.awaitEnd();
  }

  @Test
  void anErrorOfTheLoggerDoesNotEndTheWriter() throws Exception {
    CountDownLatch lines = new CountDownLatch(2);
    handler.onPublish =
        () -> {
          lines.countDown();
          throw new NoClassDefFoundError("on purpose");
        };
    AtomicInteger writes = new AtomicInteger();
    Device device =
        device(
            () -> {
              if (writes.incrementAndGet() == 1) {
                throw new IOException("on purpose");
              }
              return null;
            });
    try (DiskSecondaryCache tier = open(device)) {
      assertThat(insert(tier)).isTrue();
      assertThat(lines.await(50, SECONDS)).as("the fault, and its end").isTrue();
    }
    assertWritten();
  }

  @Test
  void anErrorThatCannotBeLoggedIsOneAllTheSame() throws Exception {
    AtomicInteger writes = new AtomicInteger();
    CountDownLatch thrice = new CountDownLatch(3);
    Device device =
        device(
            () -> {
              thrice.countDown();
              if (writes.incrementAndGet() <= 3) {
                throw new Unprintable();
              }
              return null;
            });
    try (DiskSecondaryCache tier = open(device)) {
      long begin = System.nanoTime();
      assertThat(insert(tier)).isTrue();
      assertThat(thrice.await(50, SECONDS)).as("writes").isTrue();
      assertThat(System.nanoTime() - begin).isGreaterThan(2 * PROBE_INTERVAL.toNanos());
      await().atMost(50, SECONDS).until(() -> tier.diskStats().inFlightBytes() == 0);
    }
    assertWritten();
  }

  /** Such as a lack of memory; nor is there a next try without a pause. */
  @Test
  void anErrorWhereFailuresAreHandledDoesNotEndTheWriter() throws Exception {
    AtomicInteger looks = new AtomicInteger(); // Of the writer at the clock, until one fails.
    AtomicReference<Thread> writer = new AtomicReference<>(); // The insert looks at it, too.
    AtomicInteger writes = new AtomicInteger();
    AtomicLong first = new AtomicLong();
    AtomicLong second = new AtomicLong();
    CountDownLatch twice = new CountDownLatch(2);
    Device device =
        device(
            () -> {
              boolean isFirst = writes.incrementAndGet() == 1;
              (isFirst ? first : second).compareAndSet(0, System.nanoTime());
              twice.countDown();
              if (isFirst) {
                writer.set(Thread.currentThread());
                looks.set(2); // The end of the call, and the state that is to be logged.
                LockSupport.unpark(Thread.currentThread()); // As a lock that was free may leave it.
                throw new NoClassDefFoundError("on purpose");
              }
              return null;
            });
    LongSupplier clock =
        () -> {
          boolean counts = Thread.currentThread() == writer.get() && looks.get() > 0;
          if (counts && looks.decrementAndGet() == 0) {
            throw new NoClassDefFoundError("on purpose");
          }
          return System.nanoTime();
        };
    try (DiskSecondaryCache tier = open(device, clock)) {
      assertThat(insert(tier)).isTrue();
      assertThat(twice.await(50, SECONDS)).as("writes").isTrue();
      assertThat(looks).hasValue(0);
      assertThat(second.get() - first.get()).isGreaterThanOrEqualTo(RegionWriter.PAUSE_NANOS);
      await().atMost(50, SECONDS).until(() -> tier.diskStats().inFlightBytes() == 0);
    }
    assertWritten();
  }
}
