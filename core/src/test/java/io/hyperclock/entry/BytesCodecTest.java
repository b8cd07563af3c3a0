/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BytesCodecTest {
  @Test
  void givesBackWhatItEncoded() {
    EntryCodec<byte[]> codec = EntryCodec.ofBytes();
    byte[] value = {1, -2, 3};
    ByteBuffer target = ByteBuffer.allocate(5).position(1);
    codec.encode(value, target);
    assertThat(target.position()).isEqualTo(1 + codec.encodedSizeBytes(value));
    byte[] decoded = codec.decode(target.flip().position(1), null);
    assertThat(decoded).isEqualTo(value).isNotSameAs(value);
    assertThat(codec.chargeBytes(value)).isEqualTo(3);
    assertThat(codec.decode(ByteBuffer.allocate(0), null)).isEmpty();
  }
}
