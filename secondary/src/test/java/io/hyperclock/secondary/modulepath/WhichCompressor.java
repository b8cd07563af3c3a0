/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.modulepath;

import io.hyperclock.secondary.compressed.CompressedSecondaryCache;

/** Run on the module path: says which compressor a tier finds there. */
public final class WhichCompressor {
  private WhichCompressor() {}

  /** Prints a name. */
  public static void main(String[] args) {
    try (CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder().capacityBytes(1 << 20).build()) {
      System.out.println(tier.getClass().getModule().getName() + " " + tier.compressorName());
    }
  }
}
