/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.accumulo.core.file.blockfile.impl.BasicCacheProvider;
import org.apache.accumulo.core.file.blockfile.impl.CacheProvider;
import org.apache.accumulo.core.spi.cache.BlockCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of blocks that fail as those of the engine's LRU cache do when it evicts too early. */
class ClassReaderTest {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final String EVICTED = "Block was evicted: a block";

  @TempDir private static Path directory;
  private static Map<String, Path> classFiles;
  private static ClassTable table;

  private Caches caches;
  private int loads;
  private int failures;

  @BeforeAll
  static void makeTable() throws IOException {
    classFiles = ClassTable.classFiles("/modules/java.management");
    table = ClassTable.open(directory, BLOCK_BYTES, classFiles);
  }

  @BeforeEach
  void startCaches() {
    caches = new Caches(CacheChoice.LRU, 8L << 20, BLOCK_BYTES);
  }

  @AfterEach
  void stopCaches() {
    caches.close();
  }

  @Test
  void readsAgainWhatAnEarlyEvictionFailed() throws IOException {
    try (ClassReader reader = new ClassReader(table.file(), failing(3, EVICTED))) {
      for (Map.Entry<String, Path> entry : classFiles.entrySet()) {
        assertThat(reader.read(entry.getKey()))
            .as(entry.getKey())
            .isEqualTo(Files.readAllBytes(entry.getValue()));
      }
      assertThat(reader.read("zzz")).isNull();
    }
    assertThat(failures).isGreaterThan(table.blocks().size() / 3);
  }

  @Test
  void givesUpAfterTenEarlyEvictions() throws IOException {
    try (ClassReader reader = new ClassReader(table.file(), failing(1, EVICTED))) {
      assertThatThrownBy(() -> reader.read(table.classes().get(0)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(EVICTED);
    }
    assertThat(failures).isEqualTo(10);
  }

  @Test
  void otherFailuresReachTheCallerAtOnce() throws IOException {
    try (ClassReader reader = new ClassReader(table.file(), failing(1, "closed"))) {
      assertThatThrownBy(() -> reader.read(table.classes().get(0)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("closed");
    }
    assertThat(failures).isEqualTo(1);
  }

  /** Caches whose data cache fails every n-th read. */
  private CacheProvider failing(int every, String message) {
    CacheProvider provider = caches.provider();
    BlockCache data =
        (BlockCache)
            Proxy.newProxyInstance(
                BlockCache.class.getClassLoader(),
                new Class<?>[] {BlockCache.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("getBlock") && ++loads % every == 0) {
                    failures++;
                    throw new IllegalStateException(message);
                  }
                  try {
                    return method.invoke(provider.getDataCache(), arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return new BasicCacheProvider(provider.getIndexCache(), data);
  }
}
