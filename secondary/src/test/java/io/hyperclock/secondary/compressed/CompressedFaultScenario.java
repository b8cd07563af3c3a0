/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.faults.FaultScenario;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An operation on a compressed tier; another thread uses the tier afterwards. */
final class CompressedFaultScenario implements FaultScenario {
  /** A piece of a scenario. */
  interface Step {
    void run(CompressedFaultScenario it);
  }

  private static final long CAPACITY = 1 << 20;
  private static final byte OLD = 1;
  private static final byte NEW = 2;

  private final AtomicInteger decoded = new AtomicInteger();
  private final AtomicInteger disposed = new AtomicInteger();
  private final EntryType<byte[]> type =
      EntryType.<byte[]>named("counted").codec(new Counting()).disposer(this::disposed).build();
  private final CompressedSecondaryCache tier =
      CompressedSecondaryCache.builder()
          .capacityBytes(CAPACITY)
          .compression(Compression.NONE)
          .build();
  private final Step act;
  private int given;

  /** Whether the key may not have its old value any more. */
  private boolean outdated;

  CompressedFaultScenario(Step act) {
    this.act = act;
  }

  /** Bytes, of which it is counted how many were made. */
  private final class Counting implements EntryCodec<byte[]> {
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
      byte[] value = new byte[source.remaining()];
      source.get(value);
      decoded.incrementAndGet();
      return value;
    }

    @Override
    public long chargeBytes(byte[] value) {
      return value.length;
    }
  }

  private void disposed(long hi, long lo, byte[] value) {
    disposed.incrementAndGet();
  }

  void put() {
    tier.insert(1, 1, new byte[] {NEW}, type, true);
    outdated = true;
  }

  void erase() {
    tier.erase(1, 1);
    outdated = true;
  }

  void lookup(boolean adviseErase) {
    found(tier.lookup(new TierRequest<>(1, 1, type, null, adviseErase)).join());
  }

  private byte @Nullable [] found(TierResult<byte[]> result) {
    given += result.isHit() ? 1 : 0;
    return result.value();
  }

  void shrink() {
    tier.setCapacity(CAPACITY / 2);
  }

  void deflate() {
    tier.deflate(CAPACITY / 2);
  }

  @Override
  public void arrange() {
    tier.insert(1, 1, new byte[] {OLD}, type, true);
  }

  @Override
  public void act() {
    act.run(this);
  }

  @Override
  public List<String> violations() throws Exception {
    List<String> found = new ArrayList<>();
    try {
      CompletableFuture.runAsync(() -> useIt(found), task -> new Thread(task).start())
          .get(TierTestLimits.SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      found.add("the tier is held up");
    }
    return found;
  }

  private void useIt(List<String> found) {
    byte[] old = found(tier.lookup(TierRequest.of(1, 1, type)).join());
    check(found, !outdated || old == null || old[0] != OLD, "the key has what it had before");
    tier.setCapacity(CAPACITY);
    check(found, tier.insert(2, 2, new byte[] {NEW}, type, true), "nothing is taken");
    check(
        found,
        found(tier.lookup(TierRequest.of(2, 2, type)).join()) != null,
        "what was taken is not found");
    tier.close();
    check(
        found,
        given + disposed.get() == decoded.get(),
        decoded + " values made, " + given + " given, " + disposed + " freed");
  }

  private static void check(List<String> found, boolean holds, String otherwise) {
    if (!holds) {
      found.add(otherwise);
    }
  }
}
