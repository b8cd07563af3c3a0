/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The simplest tier there can be: a locked map, first in first out. For tests only. */
public final class MapSecondaryCache implements SecondaryCache {
  private final Object lock = new Object();
  private final Map<Key128, byte[]> entries = new LinkedHashMap<>();
  private final TierCounters counters = new TierCounters();
  private long setBytes;
  private long takenBytes;
  private long usageBytes;
  private boolean closed;

  public MapSecondaryCache(long capacityBytes) {
    setBytes = capacityBytes;
  }

  @Override
  public String name() {
    return "map";
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    Objects.requireNonNull(value, "value must not be null");
    EntryCodec<T> codec = Objects.requireNonNull(type, "type must not be null").codec();
    if (codec == null) {
      throw new IllegalArgumentException("type must have a codec: type=" + type.name());
    }
    byte[] bytes = encode(value, codec);
    Key128 key = new Key128(keyHi, keyLo);
    synchronized (lock) {
      remove(key);
      if (bytes == null || closed || capacity() == 0 || bytes.length > capacity()) {
        return counters.inserted(type.role(), false);
      }
      usageBytes += bytes.length;
      entries.put(key, bytes);
      shrink();
      return counters.inserted(type.role(), true);
    }
  }

  private static <T> byte @Nullable [] encode(T value, EntryCodec<T> codec) {
    try {
      ByteBuffer target = ByteBuffer.allocate(codec.encodedSizeBytes(value));
      codec.encode(value, target);
      return target.hasRemaining() ? null : target.array();
    } catch (Throwable e) {
      return null;
    }
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    Key128 key = new Key128(request.keyHi(), request.keyLo());
    byte[] bytes;
    boolean wasClosed;
    synchronized (lock) {
      wasClosed = closed;
      bytes = entries.get(key);
      if (request.adviseErase()) {
        remove(key);
      }
    }
    TierResult<V> result =
        bytes != null
            ? decode(bytes, request)
            : TierResult.miss(wasClosed ? TierOutcome.CLOSED : TierOutcome.ABSENT);
    counters.lookedUp(request.type().role(), result.outcome());
    return CompletableFuture.completedFuture(result);
  }

  private static <V> TierResult<V> decode(byte[] bytes, TierRequest<V> request) {
    return decode(bytes, request, request.type());
  }

  private static <V, T extends V> TierResult<V> decode(
      byte[] bytes, TierRequest<V> request, EntryType<T> type) {
    EntryCodec<T> codec = type.codec();
    try {
      T value = codec.decode(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), request.context());
      return TierResult.hit(value, codec.chargeBytes(value), !request.adviseErase());
    } catch (Throwable e) {
      return TierResult.miss(TierOutcome.UNDECODABLE);
    }
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    synchronized (lock) {
      remove(new Key128(keyHi, keyLo));
    }
  }

  @Override
  public boolean erasesOnAdvice() {
    return true;
  }

  @Override
  public void setCapacity(long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "capacityBytes must be >= 0: capacityBytes=" + capacityBytes);
    }
    synchronized (lock) {
      setBytes = capacityBytes;
      shrink();
    }
  }

  @Override
  public void deflate(long bytes) {
    SecondaryCache.super.deflate(bytes);
    synchronized (lock) {
      takenBytes += bytes;
      shrink();
    }
  }

  @Override
  public void inflate(long bytes) {
    SecondaryCache.super.inflate(bytes);
    synchronized (lock) {
      takenBytes -= bytes;
    }
  }

  @Override
  public TierState state() {
    synchronized (lock) {
      if (closed) {
        return TierState.CLOSED;
      }
      return capacity() == 0
          ? new TierState(TierState.Mode.BYPASS, "capacity is 0")
          : TierState.OPEN;
    }
  }

  @Override
  public TierStats stats() {
    synchronized (lock) {
      return counters.toStats(capacity(), usageBytes, entries.size());
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      entries.clear();
      usageBytes = 0;
    }
  }

  private long capacity() {
    return Math.max(0, setBytes - takenBytes);
  }

  private void shrink() {
    Iterator<byte[]> oldest = entries.values().iterator();
    while (oldest.hasNext() && (usageBytes > capacity() || capacity() == 0)) {
      usageBytes -= oldest.next().length;
      counters.dropped(1);
      oldest.remove();
    }
  }

  private void remove(Key128 key) {
    byte[] removed = entries.remove(key);
    usageBytes -= removed == null ? 0 : removed.length;
  }
}
