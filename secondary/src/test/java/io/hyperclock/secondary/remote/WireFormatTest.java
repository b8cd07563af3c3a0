/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.internal.record.Records;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values that a released version wrote to a server, one for each compressor, with and without a
 * record key, are read; those of other versions of the format are not. What is in {@code
 * src/test/resources/wire-format} is never written again: another format gets files of its own.
 * Records on disk are the same bytes inside.
 */
class WireFormatTest {
  private static final String NAMESPACE = "orders";
  private static final long HI = 0x0123_4567_89ab_cdefL;
  private static final long LO = 42;
  private static final long NUMBER = 7;
  private static final long WRITER = 5;
  private static final RecordKey KEY =
      RecordKey.hmacSha256("a secret that is in every copy of the sources".getBytes(US_ASCII));

  /** Prints the golden values of the format that is written now. */
  public static void main(String[] args) {
    System.out.println("key=" + HexFormat.of().formatHex(envelope(null).key(HI, LO)));
    for (Compression compression : Compression.values()) {
      Records records = new Records(compression.compressor(), Set.of());
      byte[] record = records.pack(value(), BYTES.codec(), true);
      for (RecordKey key : new RecordKey[] {null, KEY.derive("tenant"), KEY}) {
        System.out.println(
            name(compression, key)
                + "="
                + HexFormat.of().formatHex(envelope(key).seal(HI, LO, NUMBER, BYTES, record)));
      }
    }
  }

  /** Makes all compressors shrink it. */
  private static byte[] value() {
    byte[] value = new byte[200];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (i % 13 * (i % 7));
    }
    return value;
  }

  private static String name(Compression compression, @Nullable RecordKey key) {
    String signed = key == null ? "plain" : key == KEY ? "signed" : "derived";
    return compression.name().toLowerCase(Locale.ROOT) + "." + signed;
  }

  private static WireFormat envelope(@Nullable RecordKey key) {
    return new WireFormat(
        NAMESPACE,
        WRITER,
        key == null
            ? null
            : new RecordAuthenticator("remote", WireFormat.utf8(NAMESPACE), key, List.of()));
  }

  private static byte[] golden(String name) throws IOException {
    Properties all = new Properties();
    try (InputStream in = WireFormatTest.class.getResourceAsStream("/wire-format/v2.properties")) {
      assertThat(in).isNotNull();
      all.load(in);
    }
    return HexFormat.of().parseHex(all.getProperty(name));
  }

  private static TierResult<byte[]> read(
      Compression compression, @Nullable RecordKey key, byte[] sealed) {
    WireFormat.Opened opened = envelope(key).open(HI, LO, BYTES, sealed);
    return opened == null
        ? TierResult.miss(TierOutcome.CORRUPT)
        : new Records(compression.compressor(), Set.of())
            .restore(opened.record(), new TierRequest<>(HI, LO, BYTES, null, false), true);
  }

  @ParameterizedTest
  @EnumSource
  void readsWhatWasWritten(Compression compression) throws IOException {
    for (RecordKey key : new RecordKey[] {null, KEY.derive("tenant"), KEY}) {
      byte[] sealed = golden(name(compression, key));
      TierResult<byte[]> result = read(compression, key, sealed);
      assertThat(result.value()).as(name(compression, key)).isEqualTo(value());
      WireFormat.Opened opened = envelope(key).open(HI, LO, BYTES, sealed);
      assertThat(opened.own()).isTrue();
      assertThat(opened.number()).isEqualTo(NUMBER);
    }
  }

  @Test
  void keysAreWhereTheyWere() throws IOException {
    assertThat(envelope(null).key(HI, LO)).isEqualTo(golden("key"));
    assertThat(envelope(KEY).key(HI, LO)).isEqualTo(golden("key"));
  }

  /** What compressors write may differ between their versions; raw values may not. */
  @Test
  void writesTheSame() throws IOException {
    byte[] record = new Records(null, Set.of()).pack(value(), BYTES.codec(), true);
    for (RecordKey key : new RecordKey[] {null, KEY.derive("tenant"), KEY}) {
      assertThat(envelope(key).seal(HI, LO, NUMBER, BYTES, record))
          .isEqualTo(golden(name(Compression.NONE, key)));
    }
  }

  /** Sound in all but the version: a miss, not an error and not a value. */
  @ParameterizedTest
  @ValueSource(chars = {'0', '1', '3', '9', '\0', '\u00ff'})
  void otherVersionsAreMisses(char version) throws IOException {
    byte[] sealed = golden("none.plain");
    assertThat(sealed[3]).isEqualTo((byte) '2');
    sealed[3] = (byte) version;
    assertThat(read(Compression.NONE, null, sealed).outcome()).isEqualTo(TierOutcome.CORRUPT);
  }

  @Test
  void compressorsThatAreNotThereAreMisses() throws IOException {
    byte[] sealed = golden("deflate.plain");
    assertThat(read(Compression.NONE, null, sealed).outcome()).isEqualTo(TierOutcome.CORRUPT);
    ByteBuffer words = ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN);
    int record = WireFormat.HEADER_BYTES;
    sealed[record + 8] = 63;
    words.putInt(record, crc(sealed, record + 4, sealed.length));
    words.putInt(4, crc(sealed, 8, record + 4));
    assertThat(envelope(null).open(HI, LO, BYTES, sealed)).isNotNull();
    assertThat(read(Compression.DEFLATE, null, sealed).outcome()).isEqualTo(TierOutcome.CORRUPT);
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
