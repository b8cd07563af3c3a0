/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

/**
 * What the bytes of an entry are for, so that statistics can tell data from metadata. Several entry
 * types may share one role.
 *
 * <p>Source: RocksDB {@code CacheEntryRole}.
 */
public enum EntryRole {
  /** User data. */
  DATA_BLOCK,
  /** Bloom or other filter. */
  FILTER_BLOCK,
  /** Top level of a partitioned filter. */
  FILTER_META_BLOCK,
  /** Index of data blocks. */
  INDEX_BLOCK,
  /** Any other block of a file. */
  OTHER_BLOCK,
  /** Memory of a write buffer, charged here. */
  WRITE_BUFFER,
  /** Dictionary for compression. */
  COMPRESSION_DICTIONARY,
  /** Memory used while a filter is built, charged here. */
  FILTER_CONSTRUCTION,
  /** Memory of an open reader, charged here. */
  TABLE_READER,
  /** File metadata. */
  FILE_METADATA,
  /** Large value stored outside the sorted data. */
  BLOB_VALUE,
  /** Memory of another cache, charged here. */
  OTHER_CACHE,
  /** Anything else, the default. */
  MISC
}
