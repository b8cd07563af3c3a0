/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.internal.record.Encoding;
import io.hyperclock.secondary.internal.record.Records;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Records made here, and those of processes that compress differently. */
final class Codecs {
  private static final int ID_AT = Records.HEADER_BYTES - 1;

  private final Records writing;
  private final int id;
  private final int maxValueBytes;
  private final Map<Integer, Records> others = new ConcurrentHashMap<>();

  /** For values of so many bytes at most, as they are encoded. */
  Codecs(Encoding encoding, int maxValueBytes) {
    Compressor compressor = encoding.compressor();
    this.writing = new Records(compressor, encoding.rawRoles(), maxValueBytes);
    this.maxValueBytes = maxValueBytes;
    this.id = compressor == null ? 0 : compressor.id();
  }

  Records writing() {
    return writing;
  }

  /** What restores this record; if nothing can, records for which it is damaged. */
  Records reading(byte[] record) {
    int wanted = record[ID_AT];
    if (wanted == 0 || wanted == id || !Records.isSound(record)) {
      return writing;
    }
    return others.computeIfAbsent(wanted, this::find);
  }

  private Records find(int wanted) {
    for (Compression compression : Compression.values()) {
      Compressor compressor = compression.compressor();
      if (compressor != null && compressor.id() == wanted) {
        return new Records(compressor, Set.of(), maxValueBytes);
      }
    }
    return writing;
  }
}
