/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.faults.FaultScenario;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.CountedValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** An operation on a disk tier; another thread uses the tier afterwards. */
final class DiskFaultScenario implements FaultScenario {
  /** A piece of a scenario. */
  interface Step {
    void run(DiskFaultScenario it);
  }

  static final int KEYS = 4;
  private static final int REGION = 64 << 10;
  private static final int OTHER = KEYS;
  private static final byte OLD = 1;
  private static final byte NEW = 2;
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int PAUSES = 2_000;

  private final AtomicLong now = new AtomicLong(1_000);
  private final CountedValues values = new CountedValues();
  private final List<TierResult<byte[]>> results = new ArrayList<>();
  private final List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
  private final boolean isWritten;
  private final Step act;
  final DiskSecondaryCache tier;

  /** What the first key may not have afterwards. */
  private @Nullable Byte outdated;

  DiskFaultScenario(boolean isWritten, Step act) {
    this.isWritten = isWritten;
    this.act = act;
    tier =
        DiskSecondaryCache.open(
            DiskSecondaryCache.builder()
                .device(new HeapDevice())
                .capacityBytes(8 * REGION)
                .regionBytes(REGION)
                .estimatedRecordBytes(256)
                .maxInFlightBytes(4 * REGION)
                .maxPendingReadBytes(KEYS * (16 << 10))
                .readThreads(1)
                .stallLimit(LIMIT)
                .compression(Compression.NONE),
            now::get);
  }

  private boolean insert(int key, byte version) {
    byte[] value = new byte[1_000];
    Arrays.fill(value, version);
    return tier.insert(key, key, value, values.type, true);
  }

  private TierRequest<byte[]> request(int key) {
    return TierRequest.of(key, key, values.type);
  }

  void put() {
    insert(0, NEW);
    outdated = OLD;
  }

  void erase() {
    tier.erase(0, 0);
    outdated = OLD;
  }

  void lookupNow() {
    results.add(tier.lookupNow(request(0)));
  }

  void lookup() {
    futures.add(tier.lookup(request(0)));
  }

  void lookupAbsent() {
    futures.add(tier.lookup(request(99)));
  }

  void lookupAll() {
    List<TierRequest<byte[]>> requests = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      requests.add(request(key));
    }
    futures.addAll(tier.lookupAll(requests));
  }

  void shrink() {
    tier.setCapacity(4 * REGION);
  }

  @Override
  public void arrange() throws Exception {
    for (int key = 0; key < KEYS; key++) {
      insert(key, OLD);
    }
    if (isWritten) {
      for (int i = 0; i < 2 * REGION / 1_000; i++) {
        insert(1_000 + i, OLD);
      }
      while (tier.log.regions[0].buffer != null) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void act() {
    act.run(this);
  }

  @Override
  public List<String> violations() throws Exception {
    List<String> found = new ArrayList<>();
    for (CompletableFuture<TierResult<byte[]>> future : futures) {
      if (inTime(found, "a lookup does not end", future)) {
        results.add(future.join());
      }
    }
    boolean isFree =
        inTime(
            found,
            "the tier is held up",
            CompletableFuture.runAsync(() -> useIt(found), task -> new Thread(task).start()));
    if (isFree) {
      tier.close();
      checkFigures(found);
    }
    return found;
  }

  private static boolean inTime(List<String> found, String otherwise, CompletableFuture<?> end)
      throws Exception {
    try {
      end.get(TierTestLimits.SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      found.add(otherwise);
      return false;
    }
  }

  private static void check(List<String> found, boolean holds, String otherwise) {
    if (!holds) {
      found.add(otherwise);
    }
  }

  private void useIt(List<String> found) {
    now.addAndGet(LIMIT.toNanos() + 1);
    // A call that the writer makes just now counts as stalled until it ends.
    for (int i = 0; i < PAUSES && !tier.state().equals(TierState.OPEN); i++) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    check(found, tier.state().equals(TierState.OPEN), "the tier is " + tier.state());
    TierResult<byte[]> old = tier.lookupNow(request(0));
    results.add(old);
    byte[] value = old.value();
    check(
        found,
        value == null || outdated == null || value[0] != outdated,
        "the key has what it had before");
    check(found, insert(OTHER, NEW), "nothing is taken");
    for (int i = 0; i < KEYS; i++) {
      TierResult<byte[]> result = tier.lookup(request(OTHER)).join();
      results.add(result);
      check(found, result.isHit(), "what was taken is not found: " + result.outcome());
    }
    List<TierRequest<byte[]>> requests = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      requests.add(request(key));
    }
    for (CompletableFuture<TierResult<byte[]>> future : tier.lookupAll(requests)) {
      TierResult<byte[]> result = future.join();
      results.add(result);
      check(found, result.outcome() != TierOutcome.BUSY, "places stay taken");
    }
    tier.erase(OTHER, OTHER);
    check(found, !tier.lookupNow(request(OTHER)).isHit(), "what was erased is found");
  }

  private void checkFigures(List<String> found) {
    RegionLog log = tier.log;
    long used = 0;
    int free = 0;
    for (Region region : log.regions) {
      used += region.used;
      free += region.stage == Region.Stage.FREE ? 1 : 0;
    }
    long entries = 0;
    for (int at = 0; at < log.index.length(); at++) {
      entries += log.index.get(at) == 0 ? 0 : 1;
    }
    check(found, log.usedBytes == used, "used: " + log.usedBytes + " instead of " + used);
    check(found, log.free == free, "free: " + log.free + " instead of " + free);
    check(
        found,
        log.index.entries() == entries,
        "entries: " + log.index.entries() + " instead of " + entries);
    check(found, log.inFlightBytes == 0, "in flight: " + log.inFlightBytes);
    results.forEach(values::given);
    values.check(found);
  }
}
