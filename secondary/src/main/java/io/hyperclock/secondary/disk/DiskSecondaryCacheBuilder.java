/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.internal.record.Encoding;
import io.hyperclock.secondary.internal.tier.Arguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link DiskSecondaryCache}. {@link #capacityBytes} and one of {@link #directory}
 * and {@link #device} have no default. Each setter checks its argument and returns this. Not
 * thread-safe; may be used to build several tiers, each with a directory of its own.
 */
public final class DiskSecondaryCacheBuilder {
  private static final long UNSET = -1;

  String name = "disk";
  private @Nullable Path directory;
  private @Nullable Device device;
  long capacityBytes = UNSET;
  int regionBytes = 16 << 20;
  int estimatedRecordBytes = 8 << 10;
  private long maxInFlightBytes = UNSET;
  long maxPendingReadBytes = 64L << 20;
  int readThreads = 32;
  double reinsertRatio = 0.25;
  Duration probeInterval = Duration.ofSeconds(30);
  Duration stallLimit = Duration.ofSeconds(10);
  Duration closeLimit = Duration.ofSeconds(5);
  private @Nullable RecordKey recordKey;
  private List<RecordKey> formerKeys = List.of();
  final Encoding encoding = new Encoding();

  DiskSecondaryCacheBuilder() {}

  /**
   * Sets the name for statistics and messages; default "disk".
   *
   * @param name the name, not blank
   * @return this
   */
  public DiskSecondaryCacheBuilder name(String name) {
    this.name = Arguments.notBlank("name", name);
    return this;
  }

  /**
   * Sets where the tier lives.
   *
   * @param directory used by this tier alone; made if it is not there, for its owner only. If it is
   *     there, only its owner may be able to write into it
   * @return this
   */
  public DiskSecondaryCacheBuilder directory(Path directory) {
    this.directory = Objects.requireNonNull(directory, "directory must not be null");
    return this;
  }

  /**
   * Sets what to store the data in, in place of files in a directory, which is then not used. The
   * tier closes it.
   *
   * @param device an open device, used by one tier
   * @return this
   */
  public DiskSecondaryCacheBuilder device(Device device) {
    this.device = Objects.requireNonNull(device, "device must not be null");
    return this;
  }

  /**
   * Sets the disk space that the tier may take; whole regions of it are used. The index is made for
   * it: a larger capacity set later is used only as far as the index reaches.
   *
   * @param capacityBytes 0, which disables the tier until its capacity is set, or at least two and
   *     at most 1,048,576 regions: 16 TiB of regions of the default size
   * @return this
   */
  public DiskSecondaryCacheBuilder capacityBytes(long capacityBytes) {
    this.capacityBytes = Arguments.notNegative("capacityBytes", capacityBytes);
    return this;
  }

  /**
   * Sets the size of a region, the unit in which space is filled and given up; default 16 MiB. No
   * record may be larger than a region, nor than 15 MiB.
   *
   * @param regionBytes bytes, a multiple of 512 in [4 KiB, 64 MiB]; less than 64 KiB is for tests
   * @return this
   */
  public DiskSecondaryCacheBuilder regionBytes(int regionBytes) {
    if (regionBytes < 4 << 10 || regionBytes > 64 << 20 || regionBytes % 512 != 0) {
      throw new IllegalArgumentException(
          "regionBytes must be a multiple of 512 in [4096, 67108864]: regionBytes=" + regionBytes);
    }
    this.regionBytes = regionBytes;
    return this;
  }

  /**
   * Sets the average size to expect of a record: the compressed value and 73 bytes, rounded up to a
   * multiple of 64. The size of the index follows from it, 11.4 bytes of memory for each record. If
   * records are smaller, the index is full before the disk is. It has 266,338,285 slots at most,
   * those that a snapshot has room for: a larger capacity than 1.38 TiB asks for a higher value
   * than the default, 8 KiB.
   *
   * @param estimatedRecordBytes bytes, at least 64
   * @return this
   */
  public DiskSecondaryCacheBuilder estimatedRecordBytes(int estimatedRecordBytes) {
    if (estimatedRecordBytes < 64) {
      throw new IllegalArgumentException(
          "estimatedRecordBytes must be >= 64: estimatedRecordBytes=" + estimatedRecordBytes);
    }
    this.estimatedRecordBytes = estimatedRecordBytes;
    return this;
  }

  /**
   * Sets how many bytes of records may wait to be written; an insert that would exceed it is
   * declined. Default four regions. The buffers take at most this and two regions of memory.
   *
   * @param maxInFlightBytes bytes, greater than 0
   * @return this
   */
  public DiskSecondaryCacheBuilder maxInFlightBytes(long maxInFlightBytes) {
    this.maxInFlightBytes = Arguments.positive("maxInFlightBytes", maxInFlightBytes);
    return this;
  }

  /**
   * Sets how many bytes of records may be under way to lookups that do not read on the calling
   * thread, each counted as 16 KiB at least; what would exceed it is a miss, {@code BUSY}. Default
   * 64 MiB.
   *
   * @param maxPendingReadBytes bytes, greater than 0
   * @return this
   */
  public DiskSecondaryCacheBuilder maxPendingReadBytes(long maxPendingReadBytes) {
    this.maxPendingReadBytes = Arguments.positive("maxPendingReadBytes", maxPendingReadBytes);
    return this;
  }

  /**
   * Sets how many threads may read for lookups; default 32. They are there while there is something
   * to read, and no more than two where reads are from memory, as far as the last ones tell.
   *
   * @param readThreads number in [1, 64]
   * @return this
   */
  public DiskSecondaryCacheBuilder readThreads(int readThreads) {
    if (readThreads < 1 || readThreads > 64) {
      throw new IllegalArgumentException(
          "readThreads must be in [1, 64]: readThreads=" + readThreads);
    }
    this.readThreads = readThreads;
    return this;
  }

  /**
   * Sets which part of a region that is given up may be written again, if its records were hit;
   * default 0.25. Higher values hold on to what is in use and write more.
   *
   * @param reinsertRatio ratio in [0, 1]; 0 writes nothing again
   * @return this
   */
  public DiskSecondaryCacheBuilder reinsertRatio(double reinsertRatio) {
    if (!(reinsertRatio >= 0 && reinsertRatio <= 1)) {
      throw new IllegalArgumentException(
          "reinsertRatio must be in [0, 1]: reinsertRatio=" + reinsertRatio);
    }
    this.reinsertRatio = reinsertRatio;
    return this;
  }

  /**
   * Sets how soon a tier that does not serve fully because its device failed tries again; default
   * 30 s.
   *
   * @param probeInterval duration, greater than 0
   * @return this
   */
  public DiskSecondaryCacheBuilder probeInterval(Duration probeInterval) {
    this.probeInterval = requirePositive("probeInterval", probeInterval);
    return this;
  }

  /**
   * Sets how long a call to the device may take. While one takes longer, the tier says so in its
   * {@linkplain DiskSecondaryCache#state() state}: with a read it is a bypass, and lookups that
   * would read are misses; with a write it is read only. It opens again when the call returns.
   * Default 10 s.
   *
   * @param stallLimit duration, greater than 0
   * @return this
   */
  public DiskSecondaryCacheBuilder stallLimit(Duration stallLimit) {
    this.stallLimit = requirePositive("stallLimit", stallLimit);
    return this;
  }

  /**
   * Sets how long {@link DiskSecondaryCache#close} waits until what is in memory and the snapshot
   * are written, 8 bytes for each slot of the index: 1.5 GB for 1 TiB of records of 8 KiB; default
   * 5 s. When it has passed, close returns, and a daemon thread goes on writing. Until that has
   * ended the {@linkplain DiskSecondaryCache#state() state} says so, and a tier that is built on
   * the same directory is refused; if the process ends before, the next start is cold.
   *
   * @param closeLimit duration, greater than 0; below the {@code tierTimeout} of a cache above, if
   *     that is to wait as long
   * @return this
   */
  public DiskSecondaryCacheBuilder closeLimit(Duration closeLimit) {
    this.closeLimit = requirePositive("closeLimit", closeLimit);
    return this;
  }

  /**
   * Sets how to compress: the first of these that can be used here, or {@link Compression#DEFLATE}
   * if none can. It is tried when the tier is built, never later. Default LZ4, then Zstandard. A
   * directory that was filled with another one starts empty.
   *
   * @param first first choice
   * @param next what to use instead, in this order
   * @return this
   */
  public DiskSecondaryCacheBuilder compression(Compression first, Compression... next) {
    encoding.prefer(first, next);
    return this;
  }

  /**
   * Sets a compressor of the caller's.
   *
   * @param compressor used by this tier as long as it lives
   * @return this
   */
  public DiskSecondaryCacheBuilder compressor(Compressor compressor) {
    encoding.use(compressor);
    return this;
  }

  /**
   * Sets whose values are stored as they are encoded, because they do not compress or are read too
   * often; default filters.
   *
   * @param roles any roles
   * @return this
   */
  public DiskSecondaryCacheBuilder uncompressedRoles(Set<EntryRole> roles) {
    encoding.leaveRaw(roles);
    return this;
  }

  /**
   * Sets the secret that distinguishes values from forged ones; default none, at no cost. Each
   * record and the snapshot then end with a message authentication code: what was written without
   * the secret, for another key, type or store, is a miss. Names and roles of entry types are a
   * part of what is verified. An <em>older</em> record or state of the same store is not
   * recognized: it was genuine when it was written. Nothing is encrypted.
   *
   * <p>To change the secret, give the new one, and the old one as former; when the records of the
   * old one have left, leave it away. A directory that was filled without a key starts empty with
   * one, and the other way round.
   *
   * @param current signs what is written, and verifies what is read; not shared with tiers whose
   *     records must not be taken for those of this one, see {@link RecordKey#derive}
   * @param former verify only
   * @return this
   */
  public DiskSecondaryCacheBuilder recordKey(RecordKey current, RecordKey... former) {
    this.formerKeys = Arguments.former(current, former);
    this.recordKey = current;
    return this;
  }

  /**
   * Opens the tier, with what it held when it was last closed in good order, if the directory and
   * these settings allow it, else empty. Whatever files of a tier contain is no error. Reads the
   * snapshot on the calling thread, and hangs if the device does.
   *
   * @return an open tier, to be closed by the caller
   * @throws IllegalStateException if a setting is missing; if the directory is in use by another
   *     tier, of this process or another; if others than its owner may write into it; or if it has,
   *     under a name that the tier uses, something else than a file of a tier, which is left as it
   *     is
   * @throws IllegalArgumentException if the settings do not fit together, or the index that they
   *     ask for does not fit into the heap
   * @throws java.io.UncheckedIOException if the directory or its files cannot be made or opened
   */
  public DiskSecondaryCache build() {
    if (capacityBytes == UNSET) {
      throw new IllegalStateException("capacityBytes must be set: capacityBytes=unset");
    }
    if (directory == null && device == null) {
      throw new IllegalStateException(
          "directory or device must be set: directory=unset, device=unset");
    }
    SlotLayout.requireRegions(capacityBytes, regionBytes);
    slots();
    return DiskSecondaryCache.open(this, System::nanoTime);
  }

  private static Duration requirePositive(String name, Duration duration) {
    Objects.requireNonNull(duration, () -> name + " must not be null");
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be > 0: " + name + "=" + duration);
    }
    return duration;
  }

  Device openDevice() {
    return device != null ? device : FileDevice.open(Objects.requireNonNull(directory));
  }

  /** Of the index; throws if the settings ask for too many. */
  int slots() {
    return SlotIndex.slotsFor(
        capacityBytes, estimatedRecordBytes, Runtime.getRuntime().maxMemory());
  }

  long maxInFlight() {
    return maxInFlightBytes == UNSET ? 4L * regionBytes : maxInFlightBytes;
  }

  Signing signing() {
    return Signing.with(recordKey, formerKeys);
  }
}
