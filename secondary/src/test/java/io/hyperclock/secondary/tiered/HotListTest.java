/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The list of what a cache had, in the directory of its disk tier: old, damaged, of others, signed.
 */
class HotListTest extends HotRestartScenario {
  @Test
  void anOldListBringsWhatTheTierHasNow() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    close(cache);
    byte[] old = Files.readAllBytes(directory.resolve("restart.keys"));
    cache = open();
    awaitWarm(cache, KEYS);
    awaitNoWarmUp();
    for (long key = 0; key < KEYS; key++) {
      put(cache, key, 2);
    }
    close(cache);
    Files.write(directory.resolve("restart.keys"), old);
    cache = open();
    awaitWarm(cache, KEYS);
    assertThat(inPrimary(cache, 2)).hasSize(KEYS);
  }

  /** Opens and closes the tier about 150 times, and each writes through to the disk. */
  @Test
  @Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
  void everyDamagedListCostsWarmthOnly() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    close(cache);
    Path file = directory.resolve("restart.keys");
    byte[] list = Files.readAllBytes(file);
    for (int at = 0; at < list.length; at += at < 64 ? 1 : 97) {
      byte[] damaged = list.clone();
      damaged[at] ^= 4;
      try (DiskSecondaryCache tier = damagedStart(file, damaged)) {
        assertThat(tier.restartList()).as("at=%s", at).isNull();
        assertThat(tier.diskStats().warmStart()).isTrue();
      }
    }
    for (int length = 0; length < list.length; length += length < 64 ? 1 : 97) {
      try (DiskSecondaryCache tier = damagedStart(file, Arrays.copyOf(list, length))) {
        assertThat(tier.restartList()).as("length=%s", length).isNull();
        assertThat(tier.diskStats().warmStart()).isTrue();
      }
    }
    try (DiskSecondaryCache tier = damagedStart(file, list)) {
      assertThat(tier.restartList()).isNotNull();
    }
    try (DiskSecondaryCache tier = disk()) {
      assertThat(tier.restartList()).as("there for one start").isNull();
    }
  }

  private DiskSecondaryCache damagedStart(Path file, byte[] bytes) throws Exception {
    writers.awaitEnd();
    Files.write(file, bytes);
    return disk();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "link", "directory"})
  void whatIsNotTheTiersStaysAsItIs(String kind) throws Exception {
    Path file = directory.resolve("restart.keys");
    Path elsewhere = Files.createDirectories(directory.resolve("other")).resolve("file");
    Files.writeString(elsewhere, "elsewhere");
    switch (kind) {
      case "text" -> Files.writeString(file, "not a list");
      case "link" -> Files.createSymbolicLink(file, elsewhere);
      default -> Files.createDirectory(file);
    }
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    close(cache);
    if (kind.equals("text")) {
      assertThat(file).hasContent("not a list");
    } else {
      assertThat(Files.isDirectory(file) || Files.isSymbolicLink(file)).isTrue();
    }
    assertThat(elsewhere).hasContent("elsewhere");
    cache = open();
    awaitNoWarmUp();
    assertThat(cache.primary().monitor().occupancy()).isZero();
    assertThat(version(cache, 3)).as("the tier itself is warm").isEqualTo(1);
  }

  @Test
  void listOfAnotherStoreIsNotUsed() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    close(cache);
    byte[] foreign = Files.readAllBytes(directory.resolve("restart.keys"));
    Files.delete(directory.resolve("index.snap"));
    close(open());
    Files.write(directory.resolve("restart.keys"), foreign);
    try (DiskSecondaryCache tier = disk()) {
      assertThat(tier.diskStats().warmStart()).isTrue();
      assertThat(tier.restartList()).isNull();
    }
  }

  @Test
  void withRecordKeyTheListIsSigned() throws Exception {
    secret = SECRET;
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    close(cache);
    Path file = directory.resolve("restart.keys");
    byte[] signed = Files.readAllBytes(file);
    cache = open();
    awaitWarm(cache, KEYS);
    close(cache);
    for (int at : new int[] {40, signed.length - 25}) {
      byte[] forged = signed.clone();
      forged[at] ^= 1;
      CRC32C crc = new CRC32C();
      crc.update(forged, 16, forged.length - 20 - 16);
      ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN).putInt(12, (int) crc.getValue());
      try (DiskSecondaryCache tier = damagedStart(file, forged)) {
        assertThat(tier.diskStats().warmStart()).isTrue();
        assertThat(tier.restartList()).as("at=%s", at).isNull();
      }
    }
    try (DiskSecondaryCache tier = damagedStart(file, signed)) {
      assertThat(tier.restartList()).isNotNull();
    }
  }
}
