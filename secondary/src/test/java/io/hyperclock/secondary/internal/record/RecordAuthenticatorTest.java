/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierMetric;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecordAuthenticatorTest {
  private static final long HI = 7;
  private static final long LO = 8;
  private static final byte[] SCOPE = "scope".getBytes(StandardCharsets.US_ASCII);

  private final RecordAuthenticator ours = of(key(1));
  private final byte[] record =
      new Records(null, Set.of()).pack(new byte[] {1, 2, 3}, BYTES.codec(), true);

  private static RecordKey key(int number) {
    byte[] secret = new byte[RecordKey.MIN_SECRET_BYTES];
    Arrays.fill(secret, (byte) number);
    return RecordKey.hmacSha256(secret);
  }

  private static RecordAuthenticator of(RecordKey current, RecordKey... former) {
    return new RecordAuthenticator("test", SCOPE, current, List.of(former));
  }

  private static long figure(RecordAuthenticator of, String name) {
    return of.metrics().stream()
        .filter(figure -> figure.name().equals(name))
        .mapToLong(TierMetric::value)
        .findFirst()
        .orElseThrow();
  }

  private static boolean accepts(RecordAuthenticator by, byte[] signed) {
    return by.strip(HI, LO, BYTES, signed) != null;
  }

  /**
   * The layout is a promise to the other processes and to the next version of the code. The tag can
   * be computed again with any HMAC-SHA-256 from the layout in the comment of the class.
   */
  @Test
  void goldenBytes() {
    assertThat(HexFormat.of().formatHex(ours.append(HI, LO, BYTES, record)))
        .isEqualTo("876438c60300000000010203f4d11434d98ded372391b2c73d11ff3bfd420fd7");
  }

  @Test
  void givesBackWhatItSigned() {
    assertThat(ours.strip(HI, LO, BYTES, ours.append(HI, LO, BYTES, record))).isEqualTo(record);
    byte[] empty = new byte[0];
    assertThat(ours.strip(HI, LO, BYTES, ours.append(HI, LO, BYTES, empty))).isEqualTo(empty);
    assertThat(figure(ours, "authentication.failed")).isZero();
    assertThat(figure(ours, "authentication.unknown.key")).isZero();
  }

  @Test
  void everyFlippedBitAndEveryCutIsRefusedAndCounted() {
    byte[] signed = ours.append(HI, LO, BYTES, record);
    for (int bit = 0; bit < 8 * signed.length; bit++) {
      byte[] damaged = signed.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(accepts(ours, damaged)).as("bit=" + bit).isFalse();
    }
    int keyIdBits = 32;
    assertThat(figure(ours, "authentication.failed")).isEqualTo(8L * signed.length - keyIdBits);
    assertThat(figure(ours, "authentication.unknown.key")).isEqualTo(keyIdBits);
    for (int length = 0; length < signed.length; length++) {
      assertThat(accepts(ours, Arrays.copyOf(signed, length))).as("length=" + length).isFalse();
    }
    assertThat(accepts(ours, Arrays.copyOf(signed, signed.length + 1))).isFalse();
  }

  @Test
  void otherKeysTypesScopesFormatsAndSecretsAreRefused() {
    byte[] signed = ours.append(HI, LO, BYTES, record);
    EntryCodec<byte[]> codec = BYTES.codec();
    EntryType<byte[]> otherName = EntryType.<byte[]>named("bytes2").codec(codec).build();
    EntryType<byte[]> otherRole =
        EntryType.<byte[]>named("bytes").role(EntryRole.INDEX_BLOCK).codec(codec).build();
    EntryType<byte[]> same = EntryType.<byte[]>named("bytes").codec(codec).build();
    assertThat(ours.strip(LO, HI, BYTES, signed)).isNull();
    assertThat(ours.strip(HI, LO + 1, BYTES, signed)).isNull();
    assertThat(ours.strip(HI + 1, LO, BYTES, signed)).isNull();
    assertThat(ours.strip(HI, LO, otherName, signed)).isNull();
    assertThat(ours.strip(HI, LO, otherRole, signed)).isNull();
    assertThat(ours.strip(HI, LO, same, signed)).isNotNull();
    assertThat(figure(ours, "authentication.failed")).isEqualTo(5);
    byte[] longer = "scope2".getBytes(StandardCharsets.US_ASCII);
    assertThat(accepts(new RecordAuthenticator("test", longer, key(1), List.of()), signed))
        .isFalse();
    assertThat(accepts(new RecordAuthenticator("tests", SCOPE, key(1), List.of()), signed))
        .isFalse();
    RecordAuthenticator stranger = of(key(2));
    assertThat(accepts(stranger, signed)).isFalse();
    assertThat(figure(stranger, "authentication.unknown.key")).isEqualTo(1);
  }

  /** Names that an encoder to UTF-8 or UTF-16 would make equal. */
  @Test
  void namesWithUnpairedSurrogatesDiffer() {
    EntryType<byte[]> first = EntryType.<byte[]>named("\ud800").codec(BYTES.codec()).build();
    EntryType<byte[]> second = EntryType.<byte[]>named("\ud801").codec(BYTES.codec()).build();
    byte[] signed = ours.append(HI, LO, first, record);
    assertThat(ours.strip(HI, LO, first, signed)).isNotNull();
    assertThat(ours.strip(HI, LO, second, signed)).isNull();
  }

  @Test
  void formerKeysAreReadAndNotWritten() {
    byte[] old = ours.append(HI, LO, BYTES, record);
    RecordAuthenticator rotated = of(key(2), key(3), key(1));
    assertThat(accepts(rotated, old)).isTrue();
    byte[] renewed = rotated.append(HI, LO, BYTES, record);
    assertThat(accepts(ours, renewed)).isFalse();
    assertThat(accepts(of(key(2)), renewed)).isTrue();
    byte[] claimsOtherKey = old.clone();
    System.arraycopy(renewed, record.length, claimsOtherKey, record.length, Integer.BYTES);
    assertThat(accepts(rotated, claimsOtherKey)).isFalse();
    assertThat(figure(rotated, "authentication.failed")).isEqualTo(1);
  }

  @Test
  void readsWithAndWithoutAKeyDoNotMix() {
    assertThat(accepts(ours, record)).isFalse();
    assertThat(Records.isSound(ours.append(HI, LO, BYTES, record))).isFalse();
  }

  @Test
  void signsTheBeginningOfAnArray() {
    byte[] bytes = new byte[45 + RecordAuthenticator.TRAILER_BYTES + 5];
    Arrays.fill(bytes, (byte) 9);
    ours.sign(HI, LO, BYTES, bytes, 45);
    assertThat(ours.verifies(HI, LO, BYTES, bytes, 45)).isTrue();
    assertThat(bytes).startsWith(9, 9, 9, 9, 9).endsWith(9, 9, 9, 9, 9);
    assertThat(ours.verifies(HI, LO, BYTES, bytes, 44)).isFalse();
    assertThat(ours.verifies(HI, LO, BYTES, bytes, bytes.length)).isFalse();
    long before = figure(ours, "authentication.unknown.key");
    assertThat(ours.verifies(HI, LO, BYTES, bytes, -1)).isFalse();
    assertThat(figure(ours, "authentication.unknown.key")).isEqualTo(before + 1);
  }

  @Test
  void threadsShareIt() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    Thread[] threads = new Thread[8];
    for (int t = 0; t < threads.length; t++) {
      long lo = t;
      threads[t] =
          new Thread(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  byte[] signed = ours.append(i, lo, BYTES, record);
                  if (ours.strip(i, lo, BYTES, signed) == null) {
                    refused.incrementAndGet();
                  }
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(refused).hasValue(0);
  }
}
