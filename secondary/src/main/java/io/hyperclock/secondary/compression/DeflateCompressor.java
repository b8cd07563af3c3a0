/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compression;

import io.hyperclock.secondary.internal.pool.Pool;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Raw deflate blocks, by the JDK. */
final class DeflateCompressor implements Compressor {
  private final Pool<Deflater> deflaters =
      new Pool<>(() -> new Deflater(Deflater.BEST_SPEED, true), Deflater::end);
  private final Pool<Inflater> inflaters = new Pool<>(() -> new Inflater(true), Inflater::end);

  DeflateCompressor() {}

  @Override
  public int id() {
    return 3;
  }

  @Override
  public String name() {
    return "deflate";
  }

  /** One that does not fit here is of no use. */
  @Override
  public int maxCompressedLength(int rawBytes) {
    return rawBytes;
  }

  @Override
  public int compress(byte[] raw, int rawOffset, int rawBytes, byte[] target) {
    Deflater deflater = deflaters.take();
    try {
      deflater.setInput(raw, rawOffset, rawBytes);
      deflater.finish();
      int bytes = deflater.deflate(target);
      return deflater.finished() ? bytes : -1;
    } finally {
      deflater.reset();
      deflaters.giveBack(deflater);
    }
  }

  @Override
  public int decompress(
      byte[] packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    Inflater inflater = inflaters.take();
    inflater.setInput(packed, packedOffset, packedBytes);
    return inflate(inflater, target, rawBytes);
  }

  @Override
  public int decompress(
      ByteBuffer packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    Inflater inflater = inflaters.take();
    inflater.setInput(packed.slice(packedOffset, packedBytes));
    return inflate(inflater, target, rawBytes);
  }

  private int inflate(Inflater inflater, byte[] target, int rawBytes) {
    try {
      int bytes = inflater.inflate(target, 0, rawBytes);
      return inflater.finished() ? bytes : -1;
    } catch (DataFormatException e) {
      return -1;
    } finally {
      inflater.reset();
      inflaters.giveBack(inflater);
    }
  }
}
