/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.secondary.testing.DiskWriters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.accumulo.core.conf.ConfigurationCopy;
import org.apache.accumulo.core.conf.DefaultConfiguration;
import org.apache.accumulo.core.file.blockfile.cache.impl.BlockCacheConfiguration;
import org.apache.accumulo.core.file.blockfile.cache.impl.BlockCacheManagerFactory;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.apache.accumulo.core.spi.cache.BlockCacheManager;
import org.apache.accumulo.core.spi.cache.CacheType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HyperClockBlockCacheManagerTest {
  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "general.block.cache.manager.class",
              "io.hyperclock.accumulo.HyperClockBlockCacheManager",
              "tserver.cache.data.size",
              "4M",
              "tserver.cache.index.size",
              "2M",
              "tserver.cache.summary.size",
              "1M"));

  private final DiskWriters writers = new DiskWriters();

  @Test
  void isStartedByClassNameWithASizeForEachType() throws Exception {
    BlockCacheManager manager = start();

    assertThat(manager).isInstanceOf(HyperClockBlockCacheManager.class);
    assertThat(manager.getBlockCache(CacheType.DATA).getMaxSize()).isEqualTo(4 << 20);
    assertThat(manager.getBlockCache(CacheType.INDEX).getMaxSize()).isEqualTo(2 << 20);
    assertThat(manager.getBlockCache(CacheType.SUMMARY).getMaxSize()).isEqualTo(1 << 20);
  }

  @Test
  void typesDoNotShareBlocks() throws Exception {
    BlockCacheManager manager = start();

    manager.getBlockCache(CacheType.DATA).cacheBlock("f+0", new byte[1]);

    assertThat(manager.getBlockCache(CacheType.DATA).getBlock("f+0")).isNotNull();
    assertThat(manager.getBlockCache(CacheType.INDEX).getBlock("f+0")).isNull();
  }

  @Test
  void stopEmptiesCachesAndLeavesThemUsable() throws Exception {
    BlockCacheManager manager = start();
    BlockCache cache = manager.getBlockCache(CacheType.DATA);
    cache.cacheBlock("f+0", new byte[1]);

    manager.stop();

    assertThat(manager.getBlockCache(CacheType.DATA)).isNull();
    assertThat(cache.getBlock("f+0")).isNull();
    assertThat(cache.getBlock("f+0", TestLoader.ofBytes(new byte[1]))).isNotNull();
    manager.stop();
  }

  @Test
  void aTypeOfSizeZeroIsNotCached() throws Exception {
    settings.put("tserver.cache.data.size", "0");
    BlockCache cache = start().getBlockCache(CacheType.DATA);

    cache.cacheBlock("f+0", new byte[1]);

    assertThat(cache).isNotInstanceOf(HyperClockBlockCache.class);
    assertThat(cache.getBlock("f+0")).isNull();
  }

  @Test
  void entryBytesDecideHowManyBlocksFit() throws Exception {
    settings.put("tserver.cache.config.hyperclock.default.entry.bytes", "1024");
    settings.put("tserver.cache.config.hyperclock.index.entry.bytes", "65536");
    BlockCacheManager manager = start();

    assertThat(smallBlocksKept(manager, CacheType.DATA)).isGreaterThan(4_000);
    assertThat(smallBlocksKept(manager, CacheType.INDEX)).isLessThan(100);
  }

  @Test
  void withoutEntryBytesAsManyBlocksFitAsTheMemoryHolds() throws Exception {
    BlockCacheManager manager = start();

    assertThat(smallBlocksKept(manager, CacheType.DATA)).isGreaterThan(5_000);
    assertThat(smallBlocksKept(manager, CacheType.INDEX)).isGreaterThan(2_500);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "many", "", "10k"})
  void refusesEntryBytesThatAreNotAPositiveNumber(String value) {
    settings.put("tserver.cache.config.hyperclock.data.entry.bytes", value);

    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("entry.bytes must be a whole number > 0: type=DATA, value=" + value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "-0.1", "half", ""})
  void refusesACompressedShareThatLeavesNothing(String value) {
    settings.put("tserver.cache.config.hyperclock.data.compressed.share", value);

    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("compressed.share must be in [0, 1): type=DATA, value=" + value);
  }

  @Test
  void refusesAPropertyItDoesNotKnow() {
    settings.put("tserver.cache.config.hyperclock.default.entry.byte", "1024");

    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("property=entry.byte");
  }

  @Test
  void typesDoNotShareADirectory(@TempDir Path directory) throws Exception {
    settings.put("tserver.cache.config.hyperclock.default.compressed.share", "0.5");
    settings.put("tserver.cache.config.hyperclock.default.disk.directory", directory.toString());
    settings.put("tserver.cache.config.hyperclock.default.disk.bytes", "33554432");
    BlockCacheManager manager = start();
    manager.getBlockCache(CacheType.DATA).cacheBlock("f+0", new byte[] {1});
    manager.stop();
    writers.awaitEnd();

    manager = start();
    assertThat(manager.getBlockCache(CacheType.DATA).getBlock("f+0").getBuffer())
        .containsExactly(1);
    assertThat(manager.getBlockCache(CacheType.INDEX).getBlock("f+0")).isNull();
    manager.stop();
    writers.awaitEnd();
    try (Stream<Path> folders = Files.list(directory)) {
      assertThat(folders.map(folder -> folder.getFileName().toString()))
          .containsExactlyInAnyOrder("data", "index", "summary");
    }
  }

  @Test
  void refusesASizeThatHasNoRoomForOneSlot() {
    settings.put("tserver.cache.data.size", "3B");

    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes");
  }

  private static int smallBlocksKept(BlockCacheManager manager, CacheType type) {
    BlockCache cache = manager.getBlockCache(type);
    for (int i = 0; i < 10_000; i++) {
      cache.cacheBlock("f+" + i, new byte[1]);
    }
    int kept = 0;
    for (int i = 0; i < 10_000; i++) {
      kept += cache.getBlock("f+" + i) == null ? 0 : 1;
    }
    return kept;
  }

  private BlockCacheManager start() throws Exception {
    ConfigurationCopy configuration = new ConfigurationCopy(DefaultConfiguration.getInstance());
    settings.forEach(configuration::set);
    BlockCacheManager manager = BlockCacheManagerFactory.getClientInstance(configuration);
    manager.start(BlockCacheConfiguration.forTabletServer(configuration));
    return manager;
  }
}
