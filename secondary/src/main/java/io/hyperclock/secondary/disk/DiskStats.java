/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

/**
 * What a disk tier has done since it was opened, beside its {@link
 * io.hyperclock.secondary.TierStats}.
 *
 * @param writtenBytes bytes written to the data, those of reinserted records included
 * @param userBytes bytes of accepted inserts, encoded and compressed, without the headers of
 *     records and their padding
 * @param reinsertedBytes bytes of records that were copied because they had been hit, headers and
 *     padding included
 * @param reinserted such records
 * @param inFlightBytes bytes of records accepted and not yet written; never more than the limit set
 * @param noRoom inserts declined because too much was in flight, no region was clean, or the value
 *     was too large for a region; one of more than 64 MiB is only declined, as no tier takes it
 * @param busy lookups that ended because too many reads were waiting
 * @param uncertified reads that found something else than the record they were after
 * @param readErrors reads that the device failed
 * @param writeErrors writes that the device failed
 * @param stalls calls to the device that took longer than the stall limit, those of them included
 *     that are still under way
 * @param stalled such calls that are under way now
 * @param regions regions that the capacity has room for
 * @param usedRegions regions that hold records, the one being filled included
 * @param displaced entries given up because the index was full where they belong; part of {@code
 *     dropped}
 * @param indexBytes memory of the index
 * @param warmStart whether the tier began with what it held when it was last closed
 * @param start what was found when it was opened: "warm", or why it began empty
 */
public record DiskStats(
    long writtenBytes,
    long userBytes,
    long reinsertedBytes,
    long reinserted,
    long inFlightBytes,
    long noRoom,
    long busy,
    long uncertified,
    long readErrors,
    long writeErrors,
    long stalls,
    int stalled,
    int regions,
    int usedRegions,
    long displaced,
    long indexBytes,
    boolean warmStart,
    String start) {

  /**
   * How much was written for each byte inserted.
   *
   * @return written bytes / user bytes, or 1 if nothing was inserted
   */
  public double writeAmplification() {
    return userBytes == 0 ? 1.0 : (double) writtenBytes / userBytes;
  }
}
