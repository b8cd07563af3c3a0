/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that proves that a record of a tier was written by an application that has it.
 *
 * <pre>{@code
 * RecordKey key = RecordKey.hmacSha256(secretBytes);   // 32 random bytes, from a key store
 * SecondaryCache tier =
 *     RemoteSecondaryCache.builder()
 *         .store(store)
 *         .namespace("orders")
 *         .recordKey(key, formerKey)   // writes with the first, reads with both
 *         .build();
 * }</pre>
 *
 * <p>Without a key a tier on a disk or a server detects damage, but not a forger: a checksum has no
 * secret. With a key each record carries a message authentication code (HMAC-SHA-256, the first 16
 * bytes) of its content, its key, its type and the tier that it belongs to. A record that was made
 * or changed without the secret, or that stands under another key, type or namespace than it was
 * written for, is a miss. An <em>older</em> record of the same key is not recognized: it was
 * genuine when it was written. Records are not encrypted.
 *
 * <p>Immutable and thread-safe. Keeps the secret in the heap as long as it lives; {@link #toString}
 * shows the {@link #id} only.
 */
public final class RecordKey {
  /** Least length of a secret, in bytes: the output length of SHA-256. */
  public static final int MIN_SECRET_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final String ID_LABEL = "hyperclock record key id";
  private static final String DERIVE_LABEL = "hyperclock derived record key";

  private final SecretKeySpec secret;
  private final int id;

  private RecordKey(byte[] secret) {
    this.secret = new SecretKeySpec(secret, ALGORITHM);
    this.id = ByteBuffer.wrap(mac(ID_LABEL, "")).getInt();
  }

  /**
   * A key for HMAC-SHA-256.
   *
   * @param secret at least {@value #MIN_SECRET_BYTES} bytes that nobody can guess, such as those of
   *     a {@link java.security.SecureRandom}; copied, so the caller may overwrite them afterwards.
   *     Text that a person chose is not a secret in this sense
   * @return a new key
   * @throws IllegalArgumentException if the secret is too short
   */
  public static RecordKey hmacSha256(byte[] secret) {
    Objects.requireNonNull(secret, "secret must not be null");
    if (secret.length < MIN_SECRET_BYTES) {
      throw new IllegalArgumentException(
          "secret.length must be >= " + MIN_SECRET_BYTES + ": secret.length=" + secret.length);
    }
    return new RecordKey(secret);
  }

  /**
   * Another key, computed from this one and a name: where several tiers share one secret, each has
   * its own key, and a record of one is refused by the others.
   *
   * @param purpose any text, such as the name of a data directory or of a tenant
   * @return a key, always the same for the same secret and purpose
   */
  public RecordKey derive(String purpose) {
    return new RecordKey(
        mac(DERIVE_LABEL, Objects.requireNonNull(purpose, "purpose must not be null")));
  }

  /**
   * Tells keys apart without showing anything of the secret: computed from it, and written into
   * each record, so that a reader with several keys knows which to use.
   *
   * @return any number, the same for the same secret
   */
  public int id() {
    return id;
  }

  /**
   * Something that computes message authentication codes with this key, for tiers.
   *
   * @return a new one, for one thread at a time
   */
  public Mac newMac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " must be available in every JDK", e);
    }
  }

  private byte[] mac(String label, String text) {
    Mac mac = newMac();
    mac.update(label.getBytes(StandardCharsets.US_ASCII));
    mac.update((byte) 0);
    byte[] chars = new byte[Character.BYTES * text.length()];
    ByteBuffer.wrap(chars).asCharBuffer().put(text);
    return mac.doFinal(chars);
  }

  @Override
  public String toString() {
    return String.format("RecordKey[id=%08x]", id);
  }
}
