/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package stranger;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.remote.LettuceRemoteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Uses what does not need a library, and shows that what needs one says so if it is missing.
 * Arguments: the libraries that are missing.
 */
public final class Everything {
  private static final EntryType<byte[]> BLOCK =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  private Everything() {}

  /** Throws if anything is not as it should be. */
  public static void main(String[] args) throws Exception {
    List<String> missing = List.of(args);
    for (SlotStorage storage : SlotStorage.values()) {
      primary(storage);
    }
    require(Compression.LZ4.isAvailable() != missing.contains("lz4"), "lz4");
    require(Compression.ZSTD.isAvailable() != missing.contains("zstd"), "zstd");
    tiers();
    needs("micrometer", missing, () -> Meters.bind());
    needs(
        "lettuce",
        missing,
        () -> LettuceRemoteStore.builder("redis://127.0.0.1:1").build().close());
    System.out.println("everything works, missing " + missing);
  }

  private static void primary(SlotStorage storage) {
    try (BlockCache<byte[]> cache =
        BlockCache.<byte[]>builder().capacityBytes(1 << 20).storage(storage).build()) {
      for (long key = 0; key < 10_000; key++) {
        cache.insert(1, key, new byte[1_000], 1_000);
      }
      require(cache.get(1, 9_999) != null, "the last insert");
      require(cache.monitor().stats().usageBytes() <= 1 << 20, "capacity");
    }
  }

  private static void tiers() throws Exception {
    Path directory = Files.createTempDirectory("stranger");
    for (int run = 0; run < 2; run++) {
      try (TieredBlockCache<byte[]> cache =
          TieredBlockCache.builder(
                  BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(4_096))
              .tier(
                  CompressedSecondaryCache.builder()
                      .capacityBytes(1 << 20)
                      .estimatedEntryCharge(4_096)
                      .build())
              .tier(
                  DiskSecondaryCache.builder()
                      .directory(directory.resolve("tier"))
                      .capacityBytes(64 << 20)
                      .build())
              .build()) {
        for (long key = 0; run == 0 && key < 2_000; key++) {
          byte[] block = new byte[4_096];
          block[0] = (byte) key;
          cache.insert(1, key, block, BLOCK, block.length, Priority.LOW);
        }
        int found = 0;
        for (long key = 0; key < 2_000; key++) {
          try (Handle<byte[]> pin = cache.lookup(1, key, BLOCK, null)) {
            if (pin != null) {
              require(pin.value()[0] == (byte) key, "value of " + key);
              found++;
            }
          }
        }
        require(found > 500, "found " + found + " of 2000 in run " + run);
      }
    }
  }

  private static void needs(String library, List<String> missing, Part part) throws Exception {
    try {
      part.run();
    } catch (NoClassDefFoundError e) {
      require(missing.contains(library), "no error with " + library + ": " + e);
      return;
    }
    require(!missing.contains(library), "an error without " + library);
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private interface Part {
    void run() throws Exception;
  }
}
