/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.testing.TestValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * The codes of the golden files with a record key, computed as {@code docs/disk-format.md} says and
 * not as the tier does: P8.
 */
class SignedFormatTest {
  private static final int HEAD = 4 << 10;
  private static final int REGION = 4 << 10;
  private static final int SIGNED_MAGIC = 0x02444348;
  private static final int CODE = 20;

  private final ByteBuffer data = golden("data");
  private final ByteBuffer snapshot = golden("index.snap");

  private static ByteBuffer golden(String file) {
    try {
      return ByteBuffer.wrap(GoldenFilesTest.golden(GoldenStore.SIGNED, file))
          .order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** As in the documents, with nothing of the tier but the secret. */
  private static byte[] code(
      String format, byte[] scope, long hi, long lo, EntryRole role, String type, byte[] content)
      throws Exception {
    byte[] secret =
        "a secret that is in every copy of the sources".getBytes(StandardCharsets.US_ASCII);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    ByteBuffer subject = ByteBuffer.allocate(1_000).order(ByteOrder.LITTLE_ENDIAN);
    subject.put((byte) 1);
    subject.putInt(format.length()).put(format.getBytes(StandardCharsets.US_ASCII));
    subject.putInt(scope.length).put(scope);
    subject.putLong(hi).putLong(lo);
    for (String text : new String[] {role.name(), type}) {
      subject.putInt(text.length());
      text.chars().forEach(c -> subject.putChar((char) c));
    }
    subject.putInt(content.length).putInt(GoldenStore.KEY.id());
    mac.update(subject.array(), 0, subject.position());
    ByteBuffer code = ByteBuffer.allocate(CODE).order(ByteOrder.LITTLE_ENDIAN);
    return code.putInt(GoldenStore.KEY.id()).put(mac.doFinal(content), 0, 16).array();
  }

  @Test
  void records() throws Exception {
    byte[] epoch = Arrays.copyOfRange(snapshot.array(), 32, 40);
    int records = 0;
    for (int region = 0; region < snapshot.getInt(56); region++) {
      int start = HEAD + region * REGION;
      int end = start + snapshot.getInt(64 + 16 * region + 8);
      int payloadBytes;
      for (int at = start; at < end; at += (64 + payloadBytes + 63) / 64 * 64) {
        payloadBytes = data.getInt(at + 40);
        byte[] payload = Arrays.copyOfRange(data.array(), at + 64, at + 64 + payloadBytes);
        byte[] content = Arrays.copyOf(payload, payloadBytes - CODE);
        assertThat(data.getInt(at)).as("magic").isEqualTo(SIGNED_MAGIC);
        assertThat(content.length - 9).as("raw").isEqualTo(data.getInt(at + 68));
        CRC32C crc = new CRC32C();
        crc.update(content, 4, content.length - 4);
        assertThat(data.getInt(at + 64)).as("crc32c").isEqualTo((int) crc.getValue());
        assertThat(Arrays.copyOfRange(payload, content.length, payloadBytes))
            .isEqualTo(
                code(
                    "disk record",
                    epoch,
                    data.getLong(at + 24),
                    data.getLong(at + 32),
                    TestValues.BYTES.role(),
                    TestValues.BYTES.name(),
                    content));
        records++;
      }
    }
    assertThat(records).isEqualTo(GoldenStore.KEYS + 1);
  }

  @Test
  void snapshot() throws Exception {
    int length = snapshot.capacity() - CODE;
    byte[] content = Arrays.copyOf(snapshot.array(), length);
    assertThat(snapshot.getInt(8)).as("version").isEqualTo(2);
    assertThat(snapshot.getLong(16)).as("length").isEqualTo(length);
    CRC32C crc = new CRC32C();
    crc.update(content, 16, length - 16);
    assertThat(snapshot.getInt(12)).as("crc").isEqualTo((int) crc.getValue());
    assertThat(Arrays.copyOfRange(snapshot.array(), length, snapshot.capacity()))
        .isEqualTo(
            code("disk snapshot", new byte[0], 0, 0, EntryRole.DATA_BLOCK, "snapshot", content));
  }

  /** The head has no secret: it says only which snapshot belongs to the data. */
  @Test
  void head() {
    assertThat(data.getInt(8)).as("version").isEqualTo(1);
    assertThat(data.getLong(16)).as("incarnation").isEqualTo(snapshot.getLong(24));
  }
}
