/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compression;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Raw LZ4 blocks, by native code where it can be loaded, else in Java. */
final class Lz4Compressor implements Compressor {
  private final LZ4Compressor compressor;
  private final LZ4SafeDecompressor decompressor;

  /** Whether memory outside of the heap is read without a detour: not in Java. */
  private final boolean isNative;

  Lz4Compressor() {
    LZ4Factory factory = LZ4Factory.fastestInstance();
    compressor = factory.fastCompressor();
    decompressor = factory.safeDecompressor();
    isNative = decompressor.getClass().getSimpleName().contains("JNI");
  }

  @Override
  public int id() {
    return 1;
  }

  @Override
  public String name() {
    return "lz4";
  }

  @Override
  public int maxCompressedLength(int rawBytes) {
    return compressor.maxCompressedLength(rawBytes);
  }

  @Override
  public int compress(byte[] raw, int rawOffset, int rawBytes, byte[] target) {
    return compressor.compress(raw, rawOffset, rawBytes, target, 0, target.length);
  }

  @Override
  public int decompress(
      byte[] packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    return decompressor.decompress(packed, packedOffset, packedBytes, target, 0, rawBytes);
  }

  @Override
  public int decompress(
      ByteBuffer packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    return isNative
        ? decompressor.decompress(
            packed, packedOffset, packedBytes, ByteBuffer.wrap(target), 0, rawBytes)
        : Compressor.super.decompress(packed, packedOffset, packedBytes, target, rawBytes);
  }
}
