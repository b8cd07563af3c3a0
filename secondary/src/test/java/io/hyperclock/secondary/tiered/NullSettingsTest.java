/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.hyperclock.BlockCache;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCacheBuilder;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.metrics.TieredMetrics;
import io.hyperclock.secondary.remote.LettuceRemoteStore;
import io.hyperclock.secondary.remote.LettuceRemoteStoreBuilder;
import io.hyperclock.secondary.remote.RemoteSecondaryCache;
import io.hyperclock.secondary.remote.RemoteSecondaryCacheBuilder;
import io.micrometer.core.instrument.Tags;
import java.util.Collections;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A setting that is null is refused by its name. */
@SuppressWarnings("NullAway")
class NullSettingsTest {
  private static final RecordKey KEY = RecordKey.hmacSha256(new byte[32]);

  private static void refuses(String name, ThrowingCallable setter) {
    assertThatNullPointerException().isThrownBy(setter).withMessage(name + " must not be null");
  }

  @Test
  void ofATieredCache() {
    TieredBlockCacheBuilder<Object> cache = TieredBlockCache.builder(BlockCache.builder());
    refuses("primary", () -> TieredBlockCache.builder(null));
    refuses("tier", () -> cache.tier(null));
    refuses("admission", () -> cache.admission(null));
    refuses("evictionListener", () -> cache.evictionListener(null));
    refuses("executor", () -> cache.executor(null));
    refuses("observer", () -> cache.observer(null));
    refuses("slowReadAfter", () -> cache.slowReadAfter(null));
    refuses("tierTimeout", () -> cache.tierTimeout(null));
    refuses("warmRestart", () -> cache.warmRestart(null));
  }

  @Test
  void ofACompressedTier() {
    CompressedSecondaryCacheBuilder tier = CompressedSecondaryCache.builder();
    refuses("name", () -> tier.name(null));
    refuses("first", () -> tier.compression(null));
    refuses("compressor", () -> tier.compressor(null));
    refuses("next", () -> tier.compression(Compression.NONE, (Compression[]) null));
    refuses("roles", () -> tier.uncompressedRoles(null));
    assertThatNullPointerException()
        .isThrownBy(() -> tier.uncompressedRoles(Collections.singleton(null)))
        .withMessage("roles must not contain null");
  }

  @Test
  void ofATierOnDisk() {
    DiskSecondaryCacheBuilder tier = DiskSecondaryCache.builder();
    refuses("name", () -> tier.name(null));
    refuses("directory", () -> tier.directory(null));
    refuses("device", () -> tier.device(null));
    refuses("probeInterval", () -> tier.probeInterval(null));
    refuses("stallLimit", () -> tier.stallLimit(null));
    refuses("closeLimit", () -> tier.closeLimit(null));
    refuses("current", () -> tier.recordKey(null));
    refuses("former", () -> tier.recordKey(KEY, (RecordKey) null));
    refuses("former", () -> tier.recordKey(KEY, (RecordKey[]) null));
    refuses("next", () -> tier.compression(Compression.NONE, (Compression) null));
  }

  @Test
  void ofATierOnAServer() {
    RemoteSecondaryCacheBuilder tier = RemoteSecondaryCache.builder();
    refuses("name", () -> tier.name(null));
    refuses("store", () -> tier.store(null));
    refuses("namespace", () -> tier.namespace(null));
    refuses("ttl", () -> tier.ttl(null));
    refuses("timeout", () -> tier.timeout(null));
    refuses("probeInterval", () -> tier.probeInterval(null));
    refuses("current", () -> tier.recordKey(null));
    refuses("former", () -> tier.recordKey(KEY, (RecordKey) null));
    refuses("former", () -> tier.recordKey(KEY, (RecordKey[]) null));
    refuses("executor", () -> tier.executor(null));
    refuses("logger", () -> tier.logger(null));
    LettuceRemoteStoreBuilder store = LettuceRemoteStore.builder("redis://localhost");
    refuses("uri", () -> LettuceRemoteStore.builder(null));
    refuses("connectTimeout", () -> store.connectTimeout(null));
    refuses("commandTimeout", () -> store.commandTimeout(null));
    refuses("sslOptions", () -> store.sslOptions(null));
  }

  @Test
  void ofMeters() {
    try (TieredBlockCache<Object> cache =
        TieredBlockCache.builder(BlockCache.<Object>builder().capacityBytes(1 << 20)).build()) {
      refuses("cache", () -> new TieredMetrics(null, "blocks", Tags.empty()));
      refuses("cacheName", () -> new TieredMetrics(cache, null, Tags.empty()));
    }
  }
}
