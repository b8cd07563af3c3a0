/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RecordKeyTest {
  private static byte[] filled(int bytes, int with) {
    byte[] secret = new byte[bytes];
    Arrays.fill(secret, (byte) with);
    return secret;
  }

  @Test
  void shortSecretsAreRefusedWithoutShowingThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordKey.hmacSha256(filled(31, 0x5a)))
        .withMessage("secret.length must be >= 32: secret.length=31");
    assertThatNullPointerException()
        .isThrownBy(() -> RecordKey.hmacSha256(null))
        .withMessage("secret must not be null");
  }

  /** RFC 4231, test case 6: a key longer than a block of the hash. */
  @Test
  void computesHmacSha256() {
    byte[] code =
        RecordKey.hmacSha256(filled(131, 0xaa))
            .newMac()
            .doFinal("Test Using Larger Than Block-Size Key - Hash Key First".getBytes(US_ASCII));
    assertThat(HexFormat.of().formatHex(code))
        .isEqualTo("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  }

  @Test
  void secretIsCopied() {
    byte[] secret = filled(32, 1);
    RecordKey key = RecordKey.hmacSha256(secret);
    byte[] before = key.newMac().doFinal();
    Arrays.fill(secret, (byte) 0);
    assertThat(key.newMac().doFinal()).isEqualTo(before);
  }

  @Test
  void idTellsSecretsApartAndIsAllThatIsShown() {
    RecordKey key = RecordKey.hmacSha256(filled(32, 1));
    assertThat(key.id()).isEqualTo(RecordKey.hmacSha256(filled(32, 1)).id());
    assertThat(key.id()).isNotEqualTo(RecordKey.hmacSha256(filled(32, 2)).id());
    assertThat(key).hasToString(String.format("RecordKey[id=%08x]", key.id()));
  }

  @Test
  void derivedKeysDiffer() {
    RecordKey key = RecordKey.hmacSha256(filled(32, 1));
    assertThat(key.derive("a").id()).isEqualTo(key.derive("a").id());
    assertThat(
            Arrays.asList(
                key.id(),
                key.derive("").id(),
                key.derive("a").id(),
                key.derive("a").derive("a").id(),
                key.derive("\ud800").id(),
                key.derive("\ud801").id(),
                key.derive("?").id()))
        .doesNotHaveDuplicates();
  }
}
