/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compression;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The compressors that come with this module. Those that need a library are there if it is and its
 * native part, if it has one, can be loaded; this is tried, by a round trip, once in the life of
 * this class.
 */
public enum Compression {
  /** LZ4, needs {@code at.yawk.lz4:lz4-java}: by far the fastest, native or not. */
  LZ4(Lz4Compressor::new),
  /** Zstandard, needs {@code com.github.luben:zstd-jni}: smallest, and slower. */
  ZSTD(ZstdCompressor::new),
  /** What the JDK has: always there, small, and slow both ways. */
  DEFLATE(DeflateCompressor::new),
  /** None: values are stored as they are encoded. */
  NONE(null);

  private static final System.Logger LOGGER = System.getLogger(Compression.class.getName());

  private final @Nullable Supplier<Compressor> maker;
  private @Nullable Compressor compressor;
  private boolean tried;

  Compression(@Nullable Supplier<Compressor> maker) {
    this.maker = maker;
  }

  /**
   * Whether it can be used here.
   *
   * @return false if its library is missing or does not work
   */
  public boolean isAvailable() {
    return this == NONE || compressor() != null;
  }

  /**
   * The compressor.
   *
   * @return the same at every call; null if it cannot be used or there is none
   */
  public synchronized @Nullable Compressor compressor() {
    if (!tried && maker != null) {
      tried = true;
      try {
        Compressor made = maker.get();
        requireRoundTrip(made);
        compressor = made;
      } catch (RuntimeException | LinkageError e) {
        LOGGER.log(System.Logger.Level.INFO, () -> name() + " cannot be used: " + e);
      }
    }
    return compressor;
  }

  /**
   * Chooses what can be used.
   *
   * @param preferred best first
   * @return the first that can be used; where none can, {@link #DEFLATE}
   */
  public static Compression firstAvailable(List<Compression> preferred) {
    for (Compression compression : preferred) {
      if (compression.isAvailable()) {
        return compression;
      }
    }
    return DEFLATE;
  }

  private static void requireRoundTrip(Compressor compressor) {
    byte[] raw = new byte[1 << 10];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = (byte) (i >>> 4);
    }
    byte[] packed = new byte[compressor.maxCompressedLength(raw.length)];
    int packedBytes = compressor.compress(raw, 0, raw.length, packed);
    byte[] again = new byte[raw.length];
    int bytes = compressor.decompress(packed, 0, packedBytes, again, raw.length);
    if (bytes != raw.length || !Arrays.equals(raw, again)) {
      throw new IllegalStateException("round trip must give the same bytes: bytes=" + bytes);
    }
  }
}
