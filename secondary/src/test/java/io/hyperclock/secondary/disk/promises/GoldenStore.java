/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the small store that is kept, for each format, in {@code
 * src/test/resources/disk-format/<format>}, and checks one. What was released is never written
 * again; another format gets files of its own, and this class the content that they need.
 */
final class GoldenStore {
  /** Without a record key. */
  static final String PLAIN = "v1";

  /** With {@link #KEY}. */
  static final String SIGNED = "v2";

  static final RecordKey KEY =
      RecordKey.hmacSha256(
          "a secret that is in every copy of the sources".getBytes(StandardCharsets.US_ASCII));

  private static final int REGION = 4 << 10;
  static final int KEYS = 12;
  static final int OVERWRITTEN = 3;
  static final int ERASED = 5;

  private GoldenStore() {}

  /**
   * @param args directory to write {@code data} and {@code index.snap} to, which must not exist;
   *     the format
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    write(directory, args[1]);
  }

  static DiskSecondaryCacheBuilder settings(Path directory, String format) {
    DiskSecondaryCacheBuilder settings = settings(directory);
    return format.equals(SIGNED) ? settings.recordKey(KEY) : settings;
  }

  static DiskSecondaryCacheBuilder settings(Path directory) {
    return DiskSecondaryCache.builder()
        .directory(directory)
        .regionBytes(REGION)
        .capacityBytes(6 * REGION)
        .estimatedRecordBytes(512)
        .compression(Compression.NONE);
  }

  static int sizeOf(int key) {
    return 12 + 97 * key;
  }

  static void write(Path directory, String format) {
    try (DiskSecondaryCache tier = settings(directory, format).build()) {
      for (int key = 0; key < KEYS; key++) {
        require(Rig.put(tier, key, 1, sizeOf(key)), "accepted", key);
      }
      require(Rig.put(tier, OVERWRITTEN, 2, sizeOf(OVERWRITTEN)), "accepted", OVERWRITTEN);
      Rig.erase(tier, ERASED);
    }
  }

  /** Throws if the tier does not hold exactly what {@link #write} left. */
  static void check(DiskSecondaryCache tier) {
    for (int key = 0; key < KEYS; key++) {
      TierResult<byte[]> result = tier.lookupNow(Rig.request(key));
      int expected = key == ERASED ? Rig.NONE : key == OVERWRITTEN ? 2 : 1;
      require(Rig.version(key, result) == expected, "version " + expected, key);
      require(key == ERASED || result.value().length == sizeOf(key), "size", key);
    }
  }

  private static void require(boolean holds, String what, int key) {
    if (!holds) {
      throw new AssertionError("value must be as written: " + what + ", key=" + key);
    }
  }
}
