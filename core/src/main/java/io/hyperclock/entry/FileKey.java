/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;

/**
 * What the keys of a file's blocks are made of: 128 bits that are the same in every process.
 *
 * <pre>{@code
 * FileKey file = FileKey.of("db-3f2a91c0", 123);   // a database, and a file number in it
 * cache.get(file.hi(), file.lo(offset));
 * }</pre>
 *
 * <p><b>Identity.</b> A file key is made from an identity that the caller gives: two longs, or a
 * name and a number. An identity stands for bytes that never change. A file that is written again
 * under its old name has other bytes, so it needs another identity: a higher number. If it keeps
 * its identity, blocks of the old bytes are found for it, in this process and in all tiers that
 * outlive it.
 *
 * <p><b>Definition</b>, fixed for good. The identity of a name and a number is the 128-bit hash of
 * the name ({@link Key128#of(String)}: MurmurHash3, x64, 128 bits, seed 0, over UTF-8), with the
 * number added to the low word. The key words of an identity are the same hash of its 16 bytes,
 * high word first, each word in little endian order: the first word of that hash is the high word
 * of all keys (1 if it would be 0), the second one XOR the offset is the low word. The hash maps 16
 * bytes one to one, so identities that count up are as good as random ones.
 *
 * <p><b>Collisions.</b> Within a file no two offsets have the same key. Blocks of two files can
 * have the same key only if the high words are equal and the low words differ in no bit above the
 * size of the larger file. Among <i>n</i> files of up to 2<sup>s</sup> bytes that share a tier the
 * odds are below <i>n</i><sup>2</sup>&nbsp;&middot;&nbsp;2<sup>s&nbsp;-&nbsp;129</sup>:
 *
 * <table>
 *   <caption>Odds that any two blocks have the same key</caption>
 *   <tr><th>files in all</th><th>of up to 1 GiB</th><th>of up to 1 TiB</th></tr>
 *   <tr><td>10<sup>6</sup></td><td>2 in 10<sup>18</sup></td><td>2 in 10<sup>15</sup></td></tr>
 *   <tr><td>10<sup>9</sup></td><td>2 in 10<sup>12</sup></td><td>2 in 10<sup>9</sup></td></tr>
 * </table>
 *
 * <p>This holds for identities that were not chosen to collide; the hash is not cryptographic.
 * Where others choose the names, give files identities drawn at random.
 *
 * <p>The high word is never 0: keys with the high word 0 are free for entries that belong to no
 * file.
 *
 * <p>Immutable, and safe for all threads. Equal if made from the same identity.
 */
public final class FileKey {
  private final long hi;
  private final long base;

  private FileKey(long hi, long base) {
    this.hi = hi;
    this.base = base;
  }

  /**
   * Key of a file with an identity of its own, such as the two halves of a UUID, or the number of a
   * database and the number of a file in it.
   *
   * @param identityHi any bits
   * @param identityLo any bits
   * @return the same key in every process
   */
  public static FileKey of(long identityHi, long identityLo) {
    byte[] identity =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(identityHi)
            .putLong(identityLo)
            .array();
    Key128 words = Key128.of(identity);
    return new FileKey(words.hi() == 0 ? 1 : words.hi(), words.lo());
  }

  /**
   * Key of a file by a name that is never used again, such as {@code "db-3f2a91c0/000123.sst"}.
   *
   * @param name a name; not empty, no unpaired surrogates
   * @return that of the name and the number 0
   * @throws IllegalArgumentException if {@code name} is empty or has an unpaired surrogate
   */
  public static FileKey of(String name) {
    return of(name, 0);
  }

  /**
   * Key of a file by a name and a number: of a database and of a file in it, or of a path and of
   * how often it was written.
   *
   * @param name a name; not empty, no unpaired surrogates
   * @param number never used again with this name; any bits
   * @return the same key in every process
   * @throws IllegalArgumentException if {@code name} is empty or has an unpaired surrogate
   */
  public static FileKey of(String name, long number) {
    requireEncodable(name);
    Key128 hash = Key128.of(name);
    return of(hash.hi(), hash.lo() + number);
  }

  /**
   * Key of a file that has no name and outlives no process: never made before, with odds as good as
   * those of random identities.
   *
   * @return a new key each time
   */
  public static FileKey unique() {
    UUID identity = UUID.randomUUID();
    return of(identity.getMostSignificantBits(), identity.getLeastSignificantBits());
  }

  /** All unpaired surrogates have the same UTF-8 bytes, so two names could have one key. */
  private static void requireEncodable(String name) {
    Objects.requireNonNull(name, "name must not be null");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty: name=");
    }
    CharBuffer units = CharBuffer.wrap(name);
    try {
      StandardCharsets.UTF_8.newEncoder().encode(units);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "name must have no unpaired surrogate: index=" + units.position() + ", name=" + name, e);
    }
  }

  /**
   * High word of the keys of all blocks of this file.
   *
   * @return any bits but 0
   */
  public long hi() {
    return hi;
  }

  /**
   * Low word of the key of a block.
   *
   * @param offset where the block begins in the file, in [0, 2<sup>63</sup>), or its number
   * @return any bits
   * @throws IllegalArgumentException if {@code offset} is negative
   */
  public long lo(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("offset must be >= 0: offset=" + offset);
    }
    return base ^ offset;
  }

  /**
   * Offset that a key of this file was made from: for loaders, disposers and listeners, which get
   * keys.
   *
   * @param keyLo low word of a key of this file
   * @return the offset, at least 0
   * @throws IllegalArgumentException if {@code keyLo} cannot be of this file
   */
  public long offset(long keyLo) {
    long offset = base ^ keyLo;
    if (offset < 0) {
      throw new IllegalArgumentException(
          "keyLo must be of a key of this file: keyLo=" + keyLo + ", file=" + this);
    }
    return offset;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileKey file && file.hi == hi && file.base == base;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hi ^ base);
  }

  /** Both words, in hexadecimal digits. */
  @Override
  public String toString() {
    return String.format("FileKey[%016x:%016x]", hi, base);
  }
}
