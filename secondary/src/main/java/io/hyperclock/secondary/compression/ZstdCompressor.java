/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.hyperclock.secondary.internal.pool.Pool;
import java.nio.ByteBuffer;

/** Zstandard frames without checksum and dictionary. */
final class ZstdCompressor implements Compressor {
  private static final int LEVEL = 1;

  private final Pool<ZstdCompressCtx> compressors =
      new Pool<>(() -> new ZstdCompressCtx().setLevel(LEVEL), ZstdCompressCtx::close);
  private final Pool<ZstdDecompressCtx> decompressors =
      new Pool<>(ZstdDecompressCtx::new, ZstdDecompressCtx::close);

  ZstdCompressor() {}

  @Override
  public int id() {
    return 2;
  }

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public int maxCompressedLength(int rawBytes) {
    return Math.toIntExact(Zstd.compressBound(rawBytes));
  }

  @Override
  public int compress(byte[] raw, int rawOffset, int rawBytes, byte[] target) {
    ZstdCompressCtx context = compressors.take();
    try {
      return context.compressByteArray(target, 0, target.length, raw, rawOffset, rawBytes);
    } finally {
      compressors.giveBack(context);
    }
  }

  @Override
  public int decompress(
      byte[] packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    ZstdDecompressCtx context = decompressors.take();
    try {
      return context.decompressByteArray(target, 0, rawBytes, packed, packedOffset, packedBytes);
    } finally {
      decompressors.giveBack(context);
    }
  }

  @Override
  public int decompress(
      ByteBuffer packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    if (!packed.isDirect()) {
      return Compressor.super.decompress(packed, packedOffset, packedBytes, target, rawBytes);
    }
    ZstdDecompressCtx context = decompressors.take();
    try {
      return context.decompressDirectByteBufferToByteArray(
          target, 0, rawBytes, packed, packedOffset, packedBytes);
    } finally {
      decompressors.giveBack(context);
    }
  }
}
