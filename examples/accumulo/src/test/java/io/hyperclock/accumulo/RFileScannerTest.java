/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryRole;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.client.rfile.RFile;
import org.apache.accumulo.core.client.rfile.RFileWriter;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.file.blockfile.impl.BasicCacheProvider;
import org.apache.accumulo.core.file.blockfile.impl.CachableBlockFile.CachableBuilder;
import org.apache.accumulo.core.spi.crypto.NoCryptoServiceFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads a small RFile through Accumulo's own scanner, with the cache chosen by its property. */
class RFileScannerTest {
  private static final int ROWS = 20_000;
  private static final String MANAGER = HyperClockBlockCacheManager.class.getName();

  @TempDir private Path directory;
  private FileSystem files;
  private String file;

  @BeforeEach
  void writeFile() throws Exception {
    files = FileSystem.getLocal(new Configuration());
    file = directory.resolve("test.rf").toString();
    try (RFileWriter writer =
        RFile.newWriter()
            .to(file)
            .withFileSystem(files)
            .withTableProperties(Map.of("table.file.compress.blocksize", "16K"))
            .build()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(new Key(row(i), "family", "qualifier"), new Value("value " + i));
      }
    }
  }

  @Test
  void scansEveryRow() {
    try (Scanner scanner = scanner(2 << 20)) {
      int expected = 0;
      for (Map.Entry<Key, Value> entry : scanner) {
        assertThat(entry.getKey().getRow()).hasToString(row(expected));
        assertThat(entry.getValue()).hasToString("value " + expected);
        expected++;
      }
      assertThat(expected).isEqualTo(ROWS);
    }
  }

  @Test
  void seeksWithMoreDataThanCache() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    try (Scanner scanner = scanner(100 << 10)) {
      for (int i = 0; i < 500; i++) {
        int number = random.nextInt(random.nextInt(1, ROWS));
        scanner.setRange(Range.exact(row(number)));
        Iterator<Map.Entry<Key, Value>> entries = scanner.iterator();
        assertThat(entries.next().getValue()).as("seed=%d", seed).hasToString("value " + number);
        assertThat(entries.hasNext()).isFalse();
      }
    }
  }

  @Test
  void chargesTheIndexThatTheReaderBuildsForABusyBlock() throws Exception {
    HyperClockBlockCache data = new HyperClockBlockCache(1 << 20, 16 << 10, EntryRole.DATA_BLOCK);
    List<Long> usages = new ArrayList<>();
    try (var reader =
        new org.apache.accumulo.core.file.rfile.RFile.Reader(
            new CachableBuilder()
                .fsPath(files, new org.apache.hadoop.fs.Path(file))
                .conf(files.getConf())
                .cryptoService(NoCryptoServiceFactory.NONE)
                .cacheProvider(new BasicCacheProvider(null, data)))) {
      for (int i = 0; i < 32; i++) {
        reader.seek(Range.exact(row(i % 2 == 0 ? 100 : 5)), Set.of(), false);
        assertThat(reader.getTopValue()).hasToString("value " + (i % 2 == 0 ? 100 : 5));
        usages.add(data.usageBytes());
      }
    }

    assertThat(data.getStats().hitCount()).isEqualTo(data.getStats().requestCount() - 1);
    assertThat(usages).isSorted();
    assertThat(Set.copyOf(usages)).hasSizeGreaterThan(2);
  }

  private Scanner scanner(long dataBytes) {
    return RFile.newScanner()
        .from(file)
        .withFileSystem(files)
        .withTableProperties(Map.of("general.block.cache.manager.class", MANAGER))
        .withDataCache(dataBytes)
        .withIndexCache(1 << 20)
        .build();
  }

  private static String row(int number) {
    return "row-%08d".formatted(number);
  }
}
