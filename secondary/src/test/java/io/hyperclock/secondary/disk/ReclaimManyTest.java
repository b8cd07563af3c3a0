/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A large tier gives up many regions at once, and writes more of them again than may wait. */
class ReclaimManyTest {
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  private static final int REGION_BYTES = 4 << 10;
  private static final int REGIONS = 1 << 12;
  private static final int RECORD_BYTES = 1 << 10;
  private static final int RECORDS_PER_REGION = REGION_BYTES / RECORD_BYTES;

  /** Regions of which some are made clean when fewer are; then as many again are clean. */
  private static final int FEWEST_CLEAN = REGIONS / 128 / 2;

  private static final int LEAVING = REGIONS / 128 - (FEWEST_CLEAN - 1);

  /** What may be written again of the regions that leave, a quarter, in whole records. */
  private static final int MOST_AGAIN = LEAVING * REGION_BYTES / 4 / RECORD_BYTES;

  /** Of a record of that size. */
  private static final int VALUE_BYTES = 900;

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private DiskSecondaryCache tier;
  private volatile Runnable onWritersRead = () -> {};
  private volatile long keys;

  private DiskSecondaryCache open(Device device, long maxInFlightBytes) {
    return DiskSecondaryCache.builder()
        .device(device)
        .capacityBytes((long) REGIONS * REGION_BYTES)
        .regionBytes(REGION_BYTES)
        .stallLimit(TierTestLimits.TIME)
        .estimatedRecordBytes(RECORD_BYTES)
        .maxInFlightBytes(maxInFlightBytes)
        .compression(Compression.NONE)
        .build();
  }

  /**
   * Filled until one more region in use lets some be given up, then opened again with room for few
   * records in flight; each record has been hit.
   */
  @BeforeEach
  void fillAndHit() {
    tier = open(FileDevice.open(directory), 2L * REGIONS * REGION_BYTES);
    while (clean() > FEWEST_CLEAN || keys % RECORDS_PER_REGION != 0) {
      assertThat(insert()).isTrue();
    }
    tier.close();
    writers.awaitEnd();
    tier = open(telling(FileDevice.open(directory)), REGION_BYTES);
    assertThat(tier.diskStats().start()).isEqualTo("warm");
    long hits = 0;
    for (long key = 0; key < keys; key++) {
      hits += tier.lookupNow(TierRequest.of(1, key, TYPE)).isHit() ? 1 : 0;
    }
    assertThat(clean()).isEqualTo(FEWEST_CLEAN);
    assertThat(hits).isGreaterThan(keys / 2);
  }

  @AfterEach
  void close() {
    onWritersRead = () -> {};
    tier.close();
    writers.awaitEnd();
  }

  /** Tells of each read that the writer makes: of a record to be written again. */
  private Device telling(Device under) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("read")
                  && Thread.currentThread().getName().endsWith("-writer")) {
                onWritersRead.run();
              }
              return method.invoke(under, arguments);
            });
  }

  private boolean insert() {
    boolean isTaken = tier.insert(1, keys, new byte[VALUE_BYTES], TYPE, true);
    keys += isTaken ? 1 : 0;
    return isTaken;
  }

  private int clean() {
    DiskStats stats = tier.diskStats();
    return stats.regions() - stats.usedRegions();
  }

  private void giveUpOnce() {
    assertThat(insert()).isTrue();
    await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> clean() > FEWEST_CLEAN);
  }

  @Test
  void aQuarterIsWrittenAgain() {
    giveUpOnce();
    assertThat(tier.diskStats().reinserted()).isEqualTo(MOST_AGAIN);
    assertThat(tier.diskStats().reinsertedBytes()).isEqualTo((long) MOST_AGAIN * RECORD_BYTES);
  }

  /** By inserts, at the first read; then what waits must be written before there is room. */
  @Test
  void aQuarterIsWrittenAgainThoughAllTheRoomIsTaken() {
    AtomicInteger reads = new AtomicInteger();
    onWritersRead =
        () -> {
          while (reads.get() == 0 && insert()) {
            continue;
          }
          reads.incrementAndGet();
        };
    giveUpOnce();
    assertThat(reads).hasValue(MOST_AGAIN);
    assertThat(tier.diskStats().reinserted()).isEqualTo(MOST_AGAIN);
  }

  @Test
  void insertsAreTakenMeanwhile() {
    AtomicInteger taken = new AtomicInteger();
    onWritersRead = () -> taken.addAndGet(insert() ? 1 : 0);
    giveUpOnce();
    assertThat(taken).hasValue(MOST_AGAIN);
  }
}
