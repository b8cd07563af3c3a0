/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A tier in a directory of a local disk, which holds what it held when it is closed and opened
 * again.
 *
 * <p><b>Inserts</b> encode and compress on the calling thread, then copy the record into a buffer
 * in memory, from which one thread writes. They never wait for the device: what finds too much in
 * flight is declined, and an older value of the key is gone. Every insert is taken if there is
 * room, forced or not.
 *
 * <p><b>Lookups</b> find out on the calling thread whether there is a record. Where it is still in
 * memory the future is complete when it is returned; else threads of this tier read, and others of
 * its own decode. {@link #lookupNow} does it all on the calling thread, which is faster where a
 * caller waits anyway. A record whose header does not certify that it is the one looked for (torn,
 * lost, overwritten meanwhile) is a miss, {@code ABSENT}; one with the right header and damaged
 * content is {@code CORRUPT}; a device that fails is {@code UNAVAILABLE}.
 *
 * <p><b>Room.</b> Space is filled and given up in regions, oldest first; of what was hit lately a
 * part is written again. What is dropped is not told to a {@link
 * io.hyperclock.secondary.DropListener}: it would have to be read. A value stays when it moves up.
 *
 * <p><b>State.</b> A write that fails makes the tier {@code READ_ONLY} until a later try succeeds;
 * many reads that fail make it {@code BYPASS} until one succeeds. Both are tried every {@code
 * probeInterval}.
 *
 * <p><b>Closing</b> writes what is in memory and a snapshot of the index, if that takes no longer
 * than five seconds. Whatever else ends a tier, a crash or a device that fails meanwhile, makes it
 * begin empty the next time. What is erased after {@link #close} was called may be found again
 * after the next start only if the call of {@link #erase} began after {@code close} had returned.
 */
public final class DiskSecondaryCache implements SecondaryCache {
  DiskSecondaryCache(DiskSecondaryCacheBuilder settings) {
    throw new UnsupportedOperationException();
  }

  /**
   * Starts a tier.
   *
   * @return a new builder
   */
  public static DiskSecondaryCacheBuilder builder() {
    return new DiskSecondaryCacheBuilder();
  }

  /**
   * Figures that only a tier on disk has.
   *
   * @return a snapshot; one of a busy tier may mix neighbouring moments
   */
  public DiskStats diskStats() {
    throw new UnsupportedOperationException();
  }

  /**
   * Looks a value up as {@link #lookup} does, but reads and decodes on the calling thread. May
   * block on the device. An interrupt of the calling thread neither ends the call nor harms others,
   * and is still set when it returns.
   *
   * @param request what to look for
   * @param <V> type of the value
   * @return the result
   */
  public <V> TierResult<V> lookupNow(TierRequest<V> request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String name() {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> List<CompletableFuture<TierResult<V>>> lookupAll(List<TierRequest<V>> requests) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean erasesOnAdvice() {
    return false;
  }

  @Override
  public void setCapacity(long capacityBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TierState state() {
    throw new UnsupportedOperationException();
  }

  @Override
  public TierStats stats() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
