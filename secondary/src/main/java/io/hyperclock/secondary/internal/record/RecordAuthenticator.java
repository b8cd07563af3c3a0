/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.internal.pool.Pool;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Appends a message authentication code to records and verifies it. Little endian:
 *
 * <pre>
 *   0                          n        n+4                n+20
 *   +--------------------------+--------+------------------+
 *   | content of the tier      | key id | code             |
 *   +--------------------------+--------+------------------+
 * </pre>
 *
 * <p>The code is the first 16 bytes of an HMAC-SHA-256 of, in this order: a version (1 byte, 1),
 * the name of the tier's format and the scope (4 bytes of length and the bytes, each), the two
 * words of the key, the names of the type's role and of the type (4 bytes of the number of chars, 2
 * bytes a char, each), the length of the content (4 bytes), the key id, the content. Each part has
 * a fixed length or its length in front, so no two inputs are the same bytes. The content has the
 * lengths, the compressor and the value.
 *
 * <p>Thread-safe. A {@link Mac} serves one thread at a time, so each key has a pool of them.
 */
public final class RecordAuthenticator {
  /** What a record is longer by. */
  public static final int TRAILER_BYTES = 20;

  private static final byte VERSION = 1;
  private static final int TAG_BYTES = 16;

  private final byte[] context;
  private final List<Key> keys = new ArrayList<>();
  private final LongAdder unknownKeys = new LongAdder();
  private final LongAdder mismatches = new LongAdder();

  private static final class Key {
    private final int id;
    private final Pool<Mac> macs;

    Key(RecordKey key) {
      this.id = key.id();
      this.macs = new Pool<>(key::newMac, mac -> {});
    }
  }

  /**
   * Makes one for a tier.
   *
   * @param format name of the tier's format, which no other kind of tier has
   * @param scope what tells the records of this tier from those of others with the same secret,
   *     such as a namespace; may be empty
   * @param current signs, and verifies
   * @param former verify only
   */
  public RecordAuthenticator(
      String format, byte[] scope, RecordKey current, List<RecordKey> former) {
    byte[] name = format.getBytes(StandardCharsets.US_ASCII);
    this.context =
        Words.of(new byte[1 + 2 * Integer.BYTES + name.length + scope.length])
            .put(VERSION)
            .putInt(name.length)
            .put(name)
            .putInt(scope.length)
            .put(scope)
            .array();
    keys.add(new Key(current));
    former.forEach(key -> keys.add(new Key(key)));
  }

  /** A new array of a record and its trailer. */
  public byte[] append(long hi, long lo, EntryType<?> type, byte[] record) {
    byte[] signed = Arrays.copyOf(record, record.length + TRAILER_BYTES);
    sign(hi, lo, type, signed, record.length);
    return signed;
  }

  /** The record without its trailer, in a new array; null if it does not {@link #verifies}. */
  public byte @Nullable [] strip(long hi, long lo, EntryType<?> type, byte[] signed) {
    int end = signed.length - TRAILER_BYTES;
    return verifies(hi, lo, type, signed, end) ? Arrays.copyOf(signed, end) : null;
  }

  /** Writes the trailer of {@code bytes[0, end)} to {@code bytes[end, end + TRAILER_BYTES)}. */
  public void sign(long hi, long lo, EntryType<?> type, byte[] bytes, int end) {
    Key key = keys.get(0);
    byte[] tag = tag(key, hi, lo, type, bytes, end);
    Words.of(bytes).putInt(end, key.id);
    System.arraycopy(tag, 0, bytes, end + Integer.BYTES, TAG_BYTES);
  }

  /**
   * Whether {@code bytes[end, end + TRAILER_BYTES)} is a trailer that a holder of one of the keys
   * made of {@code bytes[0, end)} for this key and type in this scope. Counts what is not.
   */
  public boolean verifies(long hi, long lo, EntryType<?> type, byte[] bytes, int end) {
    if (end < 0 || end > bytes.length - TRAILER_BYTES) {
      unknownKeys.increment();
      return false;
    }
    int id = Words.of(bytes).getInt(end);
    boolean known = false;
    for (Key key : keys) {
      if (key.id == id) {
        known = true;
        if (isEqual(tag(key, hi, lo, type, bytes, end), bytes, end + Integer.BYTES)) {
          return true;
        }
      }
    }
    (known ? mismatches : unknownKeys).increment();
    return false;
  }

  /** Takes the same time whatever differs. */
  private static boolean isEqual(byte[] tag, byte[] bytes, int at) {
    return MessageDigest.isEqual(
        Arrays.copyOf(tag, TAG_BYTES), Arrays.copyOfRange(bytes, at, at + TAG_BYTES));
  }

  /** At least {@link #TAG_BYTES}. */
  private byte[] tag(Key key, long hi, long lo, EntryType<?> type, byte[] bytes, int end) {
    String role = type.role().name();
    String name = type.name();
    int chars = role.length() + name.length();
    ByteBuffer subject =
        Words.of(new byte[2 * Long.BYTES + 4 * Integer.BYTES + Character.BYTES * chars]);
    subject.putLong(hi).putLong(lo);
    put(subject, role);
    put(subject, name);
    subject.putInt(end).putInt(key.id);
    Mac mac = key.macs.take();
    mac.update(context);
    mac.update(subject.array());
    mac.update(bytes, 0, end);
    byte[] tag = mac.doFinal();
    key.macs.giveBack(mac); // Not after a failure: it would begin with what it has taken in.
    return tag;
  }

  /** Char by char: an encoder would replace unpaired surrogates, and make different names equal. */
  private static void put(ByteBuffer to, String text) {
    to.putInt(text.length());
    for (int i = 0; i < text.length(); i++) {
      to.putChar(text.charAt(i));
    }
  }

  /** What was refused. */
  public List<TierMetric> metrics() {
    return List.of(
        TierMetric.count("authentication.failed", "records", mismatches.sum()),
        TierMetric.count("authentication.unknown.key", "records", unknownKeys.sum()));
  }
}
