/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.internal.record.Words;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The message authentication codes of a tier with a {@link RecordKey}: each payload, the snapshot
 * and the restart list end with one. Without a key nothing is added and nothing is asked for.
 * Thread-safe.
 *
 * <p>The code of a payload covers the epoch, the key and the type, not the place: a record that is
 * written again elsewhere keeps it. So a record of another store is refused, and an older one of
 * the same key and store is not.
 */
final class Signing {
  private static final String RECORDS = "disk record";
  private static final String SNAPSHOTS = "disk snapshot";

  /** In place of the type of a value, where a snapshot is signed. */
  static final EntryType<Object> SNAPSHOT = EntryType.of("snapshot");

  /** The same where a restart list is. */
  static final EntryType<Object> RESTART_LIST = EntryType.of("restart list");

  private final @Nullable RecordKey current;
  private final List<RecordKey> former;
  private final @Nullable RecordAuthenticator files;
  private final @Nullable RecordAuthenticator records;

  private Signing(@Nullable RecordKey current, List<RecordKey> former, byte @Nullable [] epoch) {
    this.current = current;
    this.former = former;
    this.files =
        current == null ? null : new RecordAuthenticator(SNAPSHOTS, new byte[0], current, former);
    this.records =
        current == null || epoch == null
            ? null
            : new RecordAuthenticator(RECORDS, epoch, current, former);
  }

  /** With a key or without, for snapshots: the epoch is not known yet. */
  static Signing with(@Nullable RecordKey current, List<RecordKey> former) {
    return new Signing(current, former, null);
  }

  /** The same, and for records of an epoch. */
  Signing inEpoch(long epoch) {
    ByteBuffer scope = Words.of(new byte[Long.BYTES]).putLong(epoch);
    return new Signing(current, former, scope.array());
  }

  boolean isOn() {
    return current != null;
  }

  /** What payloads and snapshots are longer by. */
  int trailerBytes() {
    return isOn() ? RecordAuthenticator.TRAILER_BYTES : 0;
  }

  /** A payload with its code; null if there is none or no memory for it. */
  byte @Nullable [] sign(long hi, long lo, EntryType<?> type, byte @Nullable [] payload) {
    if (records == null || payload == null) {
      return payload;
    }
    try {
      return records.append(hi, lo, type, payload);
    } catch (RuntimeException | OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * What was signed of the remaining bytes; null if it is damaged, or not signed with one of the
   * keys for this key and type in this epoch. The latter is counted.
   */
  @Nullable ByteBuffer verified(long hi, long lo, EntryType<?> type, ByteBuffer payload) {
    if (records == null) {
      return payload;
    }
    byte[] copy = new byte[payload.remaining()];
    payload.get(payload.position(), copy);
    byte[] verified = isSound(copy) ? records.strip(hi, lo, type, copy) : null;
    return verified == null ? null : ByteBuffer.wrap(verified);
  }

  /** Whether a payload is as it was made, by the tier or by a forger. */
  boolean isSound(byte[] payload) {
    int end = payload.length - trailerBytes();
    return end >= 0 && Records.isSound(isOn() ? Arrays.copyOf(payload, end) : payload);
  }

  /** Fills the end of a whole file, which has room for it. */
  void signFile(EntryType<?> what, byte[] file) {
    if (files != null) {
      files.sign(0, 0, what, file, file.length - trailerBytes());
    }
  }

  boolean verifiesFile(EntryType<?> what, byte[] file) {
    return files == null || files.verifies(0, 0, what, file, file.length - trailerBytes());
  }

  /** What was refused; nothing without a key. */
  List<TierMetric> metrics() {
    return records == null ? List.of() : records.metrics();
  }
}
