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

  private final @Nullable Lazy lazy;

  Compression(@Nullable Supplier<Compressor> maker) {
    this.lazy = maker == null ? null : new Lazy(name(), maker);
  }

  /** A compressor that is made when it is first asked for. */
  static final class Lazy {
    private final String name;
    private final Supplier<Compressor> maker;
    private @Nullable Compressor compressor;
    private boolean tried;

    Lazy(String name, Supplier<Compressor> maker) {
      this.name = name;
      this.maker = maker;
    }

    /**
     * Null if it cannot be used. An error, such as one for want of memory, says nothing of that.
     */
    synchronized @Nullable Compressor get() {
      if (!tried) {
        try {
          Compressor made = maker.get();
          requireRoundTrip(made);
          compressor = made;
        } catch (RuntimeException | LinkageError e) {
          log(e);
        }
        tried = true;
      }
      return compressor;
    }

    private void log(Throwable why) {
      try {
        LOGGER.log(System.Logger.Level.INFO, () -> name + " cannot be used: " + why);
      } catch (RuntimeException e) {
        // Of a logger that fails nothing can be said anywhere; the next compressor is tried.
      }
    }
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
  public @Nullable Compressor compressor() {
    return lazy == null ? null : lazy.get();
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
