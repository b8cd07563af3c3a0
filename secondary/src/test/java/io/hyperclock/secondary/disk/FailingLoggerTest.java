/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A logger that hangs or fails harms no tier. */
@Timeout(60)
class FailingLoggerTest {
  private static final int REGION_BYTES = 1 << 16;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Logger logger = Logger.getLogger(DiskSecondaryCache.class.getName());
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
  }

  @AfterEach
  void leave() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
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
}
