/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What an analysis has seen. Equal findings of two runs mean that they read the same bytes, in
 * whatever order.
 *
 * @param lookups classes looked up
 * @param found classes that the file has
 * @param references class names in their constant pools
 * @param bytes length of their class files
 * @param checksum sum of a checksum over every lookup
 */
record Findings(long lookups, long found, long references, long bytes, long checksum) {
  static final Findings NONE = new Findings(0, 0, 0, 0, 0);

  /**
   * Adds one lookup.
   *
   * @param name the class looked up
   * @param classFile what was read, or null if there was nothing
   * @param references class names found in it
   */
  Findings plus(String name, byte @Nullable [] classFile, int references) {
    if (classFile == null) {
      return plus(new Findings(1, 0, 0, 0, name.hashCode()));
    }
    CRC32C crc = new CRC32C();
    crc.update(classFile);
    long checksum = crc.getValue() * 31 + name.hashCode();
    return plus(new Findings(1, 1, references, classFile.length, checksum));
  }

  /**
   * Adds other findings.
   *
   * @param other of another thread, or later ones
   */
  Findings plus(Findings other) {
    return new Findings(
        lookups + other.lookups,
        found + other.found,
        references + other.references,
        bytes + other.bytes,
        checksum + other.checksum);
  }
}
