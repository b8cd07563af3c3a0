/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Secondary tiers behind a block cache.
 *
 * <p>{@link io.hyperclock.secondary.TieredBlockCache} is a block cache with tiers below it; {@link
 * io.hyperclock.secondary.SecondaryCache} is the contract of a tier. {@link
 * io.hyperclock.secondary.compressed.CompressedSecondaryCache} is one in memory; the libraries that
 * it can compress with are optional modules, there if the application requires them or {@code
 * --add-modules} names them. {@link io.hyperclock.secondary.remote.RemoteSecondaryCache} is one on a
 * server; its client needs the class path, or {@code --add-modules ALL-MODULE-PATH}.
 */
@SuppressWarnings("requires-automatic")
module io.hyperclock.secondary {
  requires transitive io.hyperclock;
  requires static com.github.luben.zstd_jni;
  requires static io.netty.buffer;
  requires static io.netty.common;
  requires static io.netty.transport;
  requires static jdk.jfr;
  requires static lettuce.core;
  requires static micrometer.core;
  requires static org.jspecify;
  requires static org.lz4.java;

  exports io.hyperclock.secondary;
  exports io.hyperclock.secondary.compressed;
  exports io.hyperclock.secondary.compression;
  exports io.hyperclock.secondary.disk;
  exports io.hyperclock.secondary.metrics;
  exports io.hyperclock.secondary.remote;
}
