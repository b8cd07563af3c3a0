/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TieredBlockCache;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileKeysRestartTest {
  @TempDir Path directory;
  static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  @Test
  void warm() {
    assertThat(run()).isZero();
    assertThat(run()).isEqualTo(1000);
  }

  int run() {
    int found = 0;
    DiskSecondaryCache disk =
        DiskSecondaryCache.builder().directory(directory).capacityBytes(64 << 20).build();
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(64))
            .tier(disk)
            .admission(AdmissionPolicy.ALL)
            .executor(Runnable::run)
            .build()) {
      FileKeys files = cache.fileKeys();
      for (int i = 0; i < 1000; i++) {
        long file = files.open("db/" + i + ".sst");
        try (Handle<byte[]> handle = cache.lookup(file, 0, TYPE)) {
          if (handle != null) {
            found++;
            continue;
          }
        }
        cache.insert(file, 0, new byte[] {(byte) i}, TYPE, 64, Priority.LOW);
      }
      cache.setCapacityBytes(1);
    }
    return found;
  }
}
