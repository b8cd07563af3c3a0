/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.internal.record.Records;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WireFormatChecksTest {
  private final byte[] record =
      new Records(null, Set.of()).pack(new byte[] {1, 2, 3}, BYTES.codec(), true);

  /** The layout is a promise to the other processes and to the next version of the code. */
  @Test
  void goldenBytes() {
    WireFormat plain = new WireFormat("orders", 5, null);
    assertThat(plain.key(1, 2)).startsWith("hyperclock:2:b:orders:".getBytes(US_ASCII));
    assertThat(HexFormat.of().formatHex(plain.key(1, 2)))
        .endsWith("3a00000000000000010000000000000002");
    assertThat(plain.probeKey()).isEqualTo("hyperclock:2:p:orders".getBytes(US_ASCII));
    assertThat(HexFormat.of().formatHex(plain.seal(1, 2, 3, BYTES, record)))
        .isEqualTo(
            "6863763274aaa9d1010000000000000002000000000000000500000000000000030000000000000010808496"
                + "876438c60300000000010203");
    RecordKey key = RecordKey.hmacSha256(new byte[RecordKey.MIN_SECRET_BYTES]);
    RecordAuthenticator authenticator =
        new RecordAuthenticator("remote", WireFormat.utf8("orders"), key, List.of());
    assertThat(
            HexFormat.of()
                .formatHex(new WireFormat("orders", 5, authenticator).seal(1, 2, 3, BYTES, record)))
        .isEqualTo(
            "6863733274aaa9d1010000000000000002000000000000000500000000000000030000000000000010808496"
                + "876438c60300000000010203e9b0760194398864d3eecf31761305f3860fd3c3");
  }

  /** A namespace can end in what is a block's key in a shorter one. */
  @Test
  void keyOfAProbeIsNoBlocksKey() {
    ByteBuffer words = ByteBuffer.wrap("0123456789abcde:".getBytes(US_ASCII));
    byte[] block = new WireFormat("a", 0, null).key(words.getLong(), words.getLong());
    assertThat(new WireFormat("a:0123456789abcde", 0, null).probeKey()).isNotEqualTo(block);
    assertThat(new WireFormat("b:a:0123456789abcde", 0, null).probeKey()).isNotEqualTo(block);
  }

  /** An encoder would make question marks of them, and one namespace of two. */
  @Test
  void namespacesWithUnpairedSurrogatesAreRefused() {
    RemoteSecondaryCacheBuilder builder = RemoteSecondaryCache.builder();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.namespace("ab\ud800"))
        .withMessage("namespace must not have unpaired surrogates: index=2, char=\\ud800");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.namespace("\udc00\ud800"));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.namespace("\udfff"));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.namespace("\ud800\ud800\udc00"));
    assertThat(builder.namespace("\ud83d\ude00 \u00e9 \ud7ff\ue000")).isSameAs(builder);
  }

  @Test
  void aValueOfNoBytesIsOpened() {
    byte[] empty = new Records(null, Set.of()).pack(new byte[0], BYTES.codec(), true);
    WireFormat plain = new WireFormat("orders", 5, null);
    WireFormat.Opened opened = plain.open(1, 2, BYTES, plain.seal(1, 2, 3, BYTES, empty));
    assertThat(opened).isNotNull();
    assertThat(opened.record()).isEqualTo(empty);
  }

  /** Of other instances only what is not written here meanwhile is trusted: they are told apart. */
  @Test
  void aValueTellsWhoWroteItAndIsOfItsKeyAndNamespaceOnly() {
    WireFormat plain = new WireFormat("orders", 5, null);
    byte[] sealed = plain.seal(1, 2, 3, BYTES, record);
    assertThat(plain.open(1, 2, BYTES, sealed).own()).isTrue();
    WireFormat.Opened foreign = new WireFormat("orders", 6, null).open(1, 2, BYTES, sealed);
    assertThat(foreign.own()).isFalse();
    assertThat(foreign.number()).isEqualTo(3);
    assertThat(plain.open(0, 2, BYTES, sealed)).isNull();
    assertThat(plain.open(1, 0, BYTES, sealed)).isNull();
    assertThat(new WireFormat("others", 5, null).open(1, 2, BYTES, sealed)).isNull();
  }

  /** Whoever gets the key of probes may write into it. */
  @Test
  void keysAreTheCallers() {
    WireFormat plain = new WireFormat("orders", 5, null);
    Arrays.fill(plain.probeKey(), (byte) 0);
    Arrays.fill(plain.key(1, 2), (byte) 0);
    assertThat(plain.probeKey()).isEqualTo("hyperclock:2:p:orders".getBytes(US_ASCII));
    assertThat(plain.key(1, 2)).startsWith("hyperclock:2:b:orders:".getBytes(US_ASCII));
  }
}
