/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A map with room for so many bytes that tells what it drops, oldest first. */
final class SpillingTier implements SecondaryCache {
  private record Held(EntryType<Object> type, long bytes) {}

  private final MapSecondaryCache inner = new MapSecondaryCache(Long.MAX_VALUE);
  private final Map<Key128, Held> order = new LinkedHashMap<>();
  private final long capacityBytes;
  private long usageBytes;
  private DropListener listener = new NoListener();

  private static final class NoListener implements DropListener {
    @Override
    public <T> void onDrop(
        long keyHi,
        long keyLo,
        EntryType<T> type,
        long heldBytes,
        java.util.function.Supplier<T> value) {}
  }

  SpillingTier(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  @Override
  public String name() {
    return "spilling";
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    EntryCodec<T> codec = type.codec();
    Key128 key = new Key128(keyHi, keyLo);
    List<Runnable> drops = new ArrayList<>();
    boolean accepted;
    synchronized (this) {
      forget(key);
      accepted = inner.insert(keyHi, keyLo, value, type, force);
      if (accepted) {
        long bytes = codec.encodedSizeBytes(value);
        order.put(key, new Held((EntryType<Object>) type, bytes));
        usageBytes += bytes;
      }
      while (usageBytes > capacityBytes) {
        drops.add(dropOldest());
      }
    }
    drops.forEach(Runnable::run);
    return accepted;
  }

  private Runnable dropOldest() {
    Map.Entry<Key128, Held> oldest = order.entrySet().iterator().next();
    Key128 key = oldest.getKey();
    Held held = oldest.getValue();
    byte[] bytes = read(key);
    inner.erase(key.hi(), key.lo());
    forget(key);
    return () ->
        listener.onDrop(
            key.hi(),
            key.lo(),
            held.type,
            bytes.length,
            () -> held.type.codec().decode(ByteBuffer.wrap(bytes), null));
  }

  private byte[] read(Key128 key) {
    return inner
        .lookup(TierRequest.<byte[]>of(key.hi(), key.lo(), TestValues.BYTES))
        .join()
        .value();
  }

  private void forget(Key128 key) {
    Held held = order.remove(key);
    usageBytes -= held == null ? 0 : held.bytes;
  }

  @Override
  public synchronized <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    CompletableFuture<TierResult<V>> found = inner.lookup(request);
    if (request.adviseErase()) {
      forget(new Key128(request.keyHi(), request.keyLo()));
    }
    return found;
  }

  @Override
  public synchronized void erase(long keyHi, long keyLo) {
    inner.erase(keyHi, keyLo);
    forget(new Key128(keyHi, keyLo));
  }

  @Override
  public boolean erasesOnAdvice() {
    return true;
  }

  @Override
  public void setCapacity(long capacityBytes) {}

  @Override
  public void onDrop(DropListener listener) {
    this.listener = listener;
  }

  @Override
  public TierState state() {
    return inner.state();
  }

  @Override
  public TierStats stats() {
    return inner.stats();
  }

  @Override
  public void close() {
    inner.close();
  }
}
