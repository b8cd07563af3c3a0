/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.FileKey;
import io.hyperclock.examples.UnderAnEngine.OwnBlocks;
import io.hyperclock.files.CachedFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnderAnEngineTest {
  @Test
  void readsATable(@TempDir Path dir) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(80_000).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 10_000; i++) {
      bytes.putLong(i);
    }
    Path path = Files.write(dir.resolve("table"), bytes.array());
    try (UnderAnEngine engine = new UnderAnEngine(1 << 20, Runnable::run)) {
      CachedFile table = engine.table("store", 1, path);
      UnderAnEngine.ahead(table, 0);
      assertThat(table.stats().blocksAhead()).isPositive();
      assertThat(UnderAnEngine.sum(table, 0, 10_000)).isEqualTo(10_000L * 9_999 / 2);
      assertThat(UnderAnEngine.pinned(table, 8 * 77)).isEqualTo((byte) 77);
      int sum = 0;
      for (byte b : bytes.array()) {
        sum += b;
      }
      assertThat(UnderAnEngine.scan(table)).isEqualTo(sum);
      engine.deleted(List.of(table));
      engine.close();
      assertThat(engine.outstanding()).isZero();
    }
  }

  @Test
  void readsBlocksOfItsOwn() throws Exception {
    OwnBlocks blocks = new OwnBlocks(256 << 10);
    FileKey file = FileKey.of("store", 1);
    for (int i = 0; i < 1000; i++) {
      long offset = i % 100 * 4096L;
      assertThat(blocks.first(file, offset)).isEqualTo(offset);
    }
    blocks.close();
    assertThat(blocks.outstanding()).isZero();
  }
}
