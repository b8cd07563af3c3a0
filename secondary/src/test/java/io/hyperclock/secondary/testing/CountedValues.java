/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierResult;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Bytes that are to be freed: how many a tier has made, has given, and has freed. Thread-safe. */
public final class CountedValues {
  /** Their type. */
  public final EntryType<byte[]> type =
      EntryType.<byte[]>named("counted").codec(new Counting()).disposer(this::disposed).build();

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger given = new AtomicInteger();
  private final AtomicInteger freed = new AtomicInteger();

  private final class Counting extends TestValues.BytesCodec {
    @Override
    public byte[] decode(ByteBuffer source, @Nullable Object context) {
      byte[] value = super.decode(source, context);
      made.incrementAndGet();
      return value;
    }
  }

  private void disposed(long hi, long lo, byte[] value) {
    freed.incrementAndGet();
  }

  /**
   * The value of a result that a caller has got; to be called once for each.
   *
   * @return null for a miss
   */
  public byte @Nullable [] given(TierResult<byte[]> result) {
    given.addAndGet(result.isHit() ? 1 : 0);
    return result.value();
  }

  /** Adds to what was found if a value was neither given nor freed, or one of them twice. */
  public void check(List<String> found) {
    if (given.get() + freed.get() != made.get()) {
      found.add(made + " values made, " + given + " given, " + freed + " freed");
    }
  }
}
