/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.entry.EntryType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers of which type the value in a record is, by giving the record a type of its own for
 * each: a word less in every record. Thread-safe.
 */
final class RecordTypes {
  /** For the records of all types beyond so many: a cache knows a limited number. */
  private static final int MAX_TYPES = 64;

  private static final EntryType<byte[]> OTHER = EntryType.of("compressed record");

  private final Map<EntryType<?>, EntryType<byte[]>> records = new ConcurrentHashMap<>();
  private final Map<EntryType<?>, EntryType<?>> originals = new ConcurrentHashMap<>();

  /** Type of the records with values of a type. */
  EntryType<byte[]> recordType(EntryType<?> original) {
    EntryType<byte[]> known = records.get(original);
    if (known != null) {
      return known;
    }
    return records.size() >= MAX_TYPES ? OTHER : records.computeIfAbsent(original, this::make);
  }

  private EntryType<byte[]> make(EntryType<?> original) {
    EntryType<byte[]> type =
        EntryType.<byte[]>named("compressed " + original.name()).role(original.role()).build();
    originals.put(type, original);
    return type;
  }

  /** Type of the values in records of a type, or null if it was not remembered. */
  @Nullable EntryType<?> original(EntryType<?> recordType) {
    return originals.get(recordType);
  }
}
