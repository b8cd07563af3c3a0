/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.entry.ArrayCodec;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.internal.pool.Pool;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import io.hyperclock.secondary.internal.tier.TierIncidentLog;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into records and back. A record is one array, little endian:
 *
 * <pre>
 *   0        4        8    9
 *   +--------+--------+----+------------------------+
 *   | crc32c |  raw   | id | stored bytes           |
 *   +--------+--------+----+------------------------+
 *            |&lt;----- what the checksum is of ------&gt;|
 * </pre>
 *
 * <p>{@code raw} is the size of the encoded value; {@code id} says which compressor made the stored
 * bytes, 0 that they are the encoded value itself. The checksum is looked at before anything else:
 * decompressors are no judges of damage.
 *
 * <p>Thread-safe. Codecs run on the calling thread; they see scratch memory that no other thread
 * uses, or a read-only view of the record.
 */
public final class Records {
  public static final int HEADER_BYTES = 9;

  /** Id of values stored as they are encoded. */
  static final int RAW = 0;

  /** Larger values are not for a tier in memory. */
  public static final int MAX_RAW_BYTES = 64 << 20;

  /** Smaller values have nothing to gain. */
  static final int MIN_COMPRESSED_BYTES = 32;

  private static final int RAW_AT = 4;
  private static final int ID_AT = 8;

  private final @Nullable Compressor compressor;
  private final Set<EntryRole> rawRoles;
  private final int maxRawBytes;
  private final TierIncidentLog failures =
      new TierIncidentLog(
          System.getLogger(SecondaryCache.class.getName()),
          "a value was not encoded, so a tier declined it");
  private final Pool<Scratch> scratches = new Pool<>(Scratch::new, scratch -> {});
  private final LongAdder shrunk = new LongAdder();
  private final LongAdder unshrunk = new LongAdder();
  private final LongAdder rawBytes = new LongAdder();
  private final LongAdder storedBytes = new LongAdder();

  /** Values of some roles are not compressed; without a compressor none is. */
  public Records(@Nullable Compressor compressor, Set<EntryRole> rawRoles) {
    this(compressor, rawRoles, MAX_RAW_BYTES);
  }

  /**
   * The same, where records of values of more than so many bytes, as they are encoded, are neither
   * made nor restored: from an untrusted source a few bytes could unfold to as many as they like.
   */
  public Records(@Nullable Compressor compressor, Set<EntryRole> rawRoles, int maxRawBytes) {
    this.compressor = compressor;
    this.rawRoles = rawRoles;
    this.maxRawBytes = Math.min(maxRawBytes, MAX_RAW_BYTES);
  }

  /**
   * The codec of a value that a tier is to take.
   *
   * @throws NullPointerException if there is no value
   * @throws IllegalArgumentException if its type has no codec
   */
  public static <T> EntryCodec<T> codec(T value, EntryType<T> type) {
    Objects.requireNonNull(value, "value must not be null");
    EntryCodec<T> codec = Objects.requireNonNull(type, "type must not be null").codec();
    if (codec == null) {
      throw new IllegalArgumentException("type must have a codec: type=" + type.name());
    }
    return codec;
  }

  /**
   * Makes a record of a value of a type, compressed unless its role forbids. A codec or compressor
   * that fails is logged.
   *
   * @return a new record, or null if the value is too large, or its codec or the compressor fails
   */
  public <T> byte @Nullable [] tryPack(T value, EntryType<T> type, EntryCodec<T> codec) {
    try {
      return pack(value, codec, !rawRoles.contains(type.role()));
    } catch (VirtualMachineError e) {
      return null; // Without memory or stack for it, nor for a line of a log.
    } catch (Throwable e) {
      failures.report("type=" + type.name(), e);
      return null;
    }
  }

  /** What every tier that compresses can tell. */
  public static List<TierMetric> metrics(CompressionStats stats) {
    return List.of(
        TierMetric.count("compression.compressed", "records", stats.compressed()),
        TierMetric.count("compression.raw", "records", stats.raw()),
        TierMetric.count("compression.before", "bytes", stats.rawBytes()),
        TierMetric.count("compression.after", "bytes", stats.storedBytes()));
  }

  public CompressionStats stats() {
    return new CompressionStats(shrunk.sum(), unshrunk.sum(), rawBytes.sum(), storedBytes.sum());
  }

  /**
   * Makes a record.
   *
   * @param compress false to store the value as it is encoded
   * @return a new record, or null if the value is too large
   * @throws IllegalStateException if the codec says a size below 0, or writes another one than it
   *     says; a codec or compressor may throw anything else
   */
  public <T> byte @Nullable [] pack(T value, EntryCodec<T> codec, boolean compress) {
    int raw = codec.encodedSizeBytes(value);
    if (raw < 0) {
      throw new IllegalStateException("encodedSizeBytes must be >= 0: encodedSizeBytes=" + raw);
    }
    if (raw > maxRawBytes) {
      return null;
    }
    Compressor using = compress && raw >= MIN_COMPRESSED_BYTES ? compressor : null;
    byte[] record = using == null ? packRaw(value, codec, raw) : pack(value, codec, raw, using);
    seal(record, raw);
    (record[ID_AT] == RAW ? unshrunk : shrunk).increment();
    rawBytes.add(raw);
    storedBytes.add(record.length - HEADER_BYTES);
    return record;
  }

  private static <T> byte[] packRaw(T value, EntryCodec<T> codec, int raw) {
    byte[] record = new byte[HEADER_BYTES + raw];
    encode(value, codec, record, HEADER_BYTES, raw);
    return record;
  }

  private <T> byte[] pack(T value, EntryCodec<T> codec, int raw, Compressor using) {
    Scratch scratch = scratches.take();
    try {
      byte[] plain = scratch.raw(raw);
      encode(value, codec, plain, 0, raw);
      byte[] packed = scratch.packed(using.maxCompressedLength(raw));
      int packedBytes = using.compress(plain, 0, raw, packed);
      if (packedBytes < 0 || 8L * packedBytes > 7L * raw) {
        return record(RAW, plain, raw);
      }
      return record(using.id(), packed, packedBytes);
    } finally {
      scratches.giveBack(scratch.trimmed());
    }
  }

  private static <T> void encode(
      T value, EntryCodec<T> codec, byte[] target, int offset, int bytes) {
    ByteBuffer window = ByteBuffer.wrap(target, offset, bytes).slice();
    codec.encode(value, window);
    if (window.position() != bytes) {
      throw new IllegalStateException(
          "a codec must write as many bytes as it says: encodedSizeBytes="
              + bytes
              + ", written="
              + window.position());
    }
  }

  private static byte[] record(int id, byte[] stored, int bytes) {
    byte[] record = new byte[HEADER_BYTES + bytes];
    record[ID_AT] = (byte) id;
    System.arraycopy(stored, 0, record, HEADER_BYTES, bytes);
    return record;
  }

  private static void seal(byte[] record, int raw) {
    ByteBuffer words = Words.of(record);
    words.putInt(RAW_AT, raw);
    words.putInt(0, Words.checksum(record, RAW_AT, record.length));
  }

  /** Whether a record is as it was made. */
  public static boolean isSound(byte[] record) {
    return isSound(Words.of(record));
  }

  /** Whether the remaining bytes of a little-endian buffer are a record as it was made. */
  private static boolean isSound(ByteBuffer record) {
    int start = record.position();
    return record.remaining() >= HEADER_BYTES
        && record.getInt(start) == Words.checksum(record, start + RAW_AT, record.limit());
  }

  /**
   * Makes the value again from a {@linkplain #isSound sound} record.
   *
   * @return what {@code reader} made of the encoded bytes, which are valid during its call only; or
   *     null if they cannot be had
   */
  <R> @Nullable R unpack(ByteBuffer record, Function<ByteBuffer, R> reader) {
    if (!isPossible(record)) {
      return null;
    }
    int at = record.position();
    int raw = record.getInt(at + RAW_AT);
    if (record.get(at + ID_AT) == RAW) {
      return reader.apply(record.slice(at + HEADER_BYTES, raw).asReadOnlyBuffer());
    }
    Scratch scratch = scratches.take();
    try {
      byte[] plain = scratch.raw(raw);
      return restores(record, plain, raw)
          ? reader.apply(ByteBuffer.wrap(plain, 0, raw).slice().asReadOnlyBuffer())
          : null;
    } finally {
      scratches.giveBack(scratch.trimmed());
    }
  }

  /** The encoded bytes of a sound record in an array of their own, null if they cannot be had. */
  private byte @Nullable [] unpack(ByteBuffer record) {
    if (!isPossible(record)) {
      return null;
    }
    int at = record.position();
    int raw = record.getInt(at + RAW_AT);
    byte[] encoded = new byte[raw];
    if (record.get(at + ID_AT) == RAW) {
      record.get(at + HEADER_BYTES, encoded);
      return encoded;
    }
    return restores(record, encoded, raw) ? encoded : null;
  }

  /** What a forger may get wrong; looked at before anything is allocated for the record. */
  private boolean isPossible(ByteBuffer record) {
    int at = record.position();
    int raw = record.getInt(at + RAW_AT);
    int id = record.get(at + ID_AT);
    boolean isKnown =
        id == RAW
            ? raw == record.remaining() - HEADER_BYTES
            : compressor != null && id == compressor.id();
    return isKnown && raw >= 0 && raw <= maxRawBytes;
  }

  /**
   * Answers a lookup with the value in a record, which must be from a source that may lie.
   *
   * @param kept whether the tier still holds the record then
   * @return a hit, or {@link TierOutcome#CORRUPT} or {@link TierOutcome#UNDECODABLE}; or {@link
   *     TierOutcome#UNAVAILABLE} if there is no room for the value now, or no stack to decode it
   */
  public <V> TierResult<V> restore(byte[] record, TierRequest<V> request, boolean kept) {
    return restore(Words.of(record), request, kept);
  }

  /**
   * Restores the record in the remaining bytes of a buffer, which no thread changes meanwhile and
   * the value does not keep.
   */
  public <V> TierResult<V> restore(ByteBuffer record, TierRequest<V> request, boolean kept) {
    record.order(ByteOrder.LITTLE_ENDIAN);
    try {
      TierResult<V> result =
          isSound(record) ? restoreSound(record, request, request.type(), kept) : null;
      return result == null ? TierResult.miss(TierOutcome.CORRUPT) : result;
    } catch (VirtualMachineError e) {
      return TierResult.miss(TierOutcome.UNAVAILABLE);
    }
  }

  /** Whether a lookup that ended so has found a record of which no value can ever be made. */
  public static boolean isUseless(TierOutcome outcome) {
    return outcome == TierOutcome.CORRUPT || outcome == TierOutcome.UNDECODABLE;
  }

  private <V, T extends V> @Nullable TierResult<V> restoreSound(
      ByteBuffer record, TierRequest<V> request, EntryType<T> type, boolean kept) {
    EntryCodec<T> codec = Objects.requireNonNull(type.codec());
    if (codec instanceof ArrayCodec<T> keeping) {
      byte[] encoded = unpack(record);
      return encoded == null
          ? null
          : decode(keeping, request, type, kept, c -> c.decodeArray(encoded, request.context()));
    }
    return unpack(
        record,
        encoded -> decode(codec, request, type, kept, c -> c.decode(encoded, request.context())));
  }

  private static <V, T extends V, C extends EntryCodec<T>> TierResult<V> decode(
      C codec, TierRequest<V> request, EntryType<T> type, boolean kept, Function<C, T> decoding) {
    T value = null;
    try {
      value = decoding.apply(codec);
      return TierResult.hit(value, codec.chargeBytes(value), kept);
    } catch (Throwable e) {
      if (value != null) {
        LookupDisposal.dispose(type, request.keyHi(), request.keyLo(), value);
      }
      boolean isShort = e instanceof VirtualMachineError || e instanceof CapacityExceededException;
      return TierResult.miss(isShort ? TierOutcome.UNAVAILABLE : TierOutcome.UNDECODABLE);
    }
  }

  private boolean restores(ByteBuffer record, byte[] plain, int raw) {
    Compressor using = Objects.requireNonNull(compressor);
    int at = record.position() + HEADER_BYTES;
    int stored = record.remaining() - HEADER_BYTES;
    try {
      int restored =
          record.hasArray()
              ? using.decompress(record.array(), record.arrayOffset() + at, stored, plain, raw)
              : using.decompress(record, at, stored, plain, raw);
      return restored == raw;
    } catch (VirtualMachineError e) {
      throw e; // No memory or no stack says nothing of the record.
    } catch (Throwable e) {
      return false;
    }
  }
}
