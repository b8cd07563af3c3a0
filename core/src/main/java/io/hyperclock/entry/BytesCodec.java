/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** See {@link EntryCodec#ofBytes}. */
final class BytesCodec implements ArrayCodec<byte[]> {
  static final BytesCodec INSTANCE = new BytesCodec();

  private BytesCodec() {}

  @Override
  public int encodedSizeBytes(byte[] value) {
    return value.length;
  }

  @Override
  public void encode(byte[] value, ByteBuffer target) {
    target.put(value);
  }

  @Override
  public byte[] decode(ByteBuffer source, @Nullable Object context) {
    byte[] value = new byte[source.remaining()];
    source.get(value);
    return value;
  }

  @Override
  public byte[] decodeArray(byte[] encoded, @Nullable Object context) {
    return encoded;
  }

  @Override
  public long chargeBytes(byte[] value) {
    return value.length;
  }
}
