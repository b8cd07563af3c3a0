/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.CachedBTreePartition;
import org.apache.cassandra.db.partitions.CachedPartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A table that Cassandra's schema knows, without a server; its partitions as the cache has them.
 */
final class TestTable {
  static final int CACHE_MEBIBYTES = 8;
  static final TableMetadata METADATA;

  static {
    DatabaseDescriptor.clientInitialization(
        true,
        () -> {
          Config config = new Config();
          config.row_cache_size = new DataStorageSpec.LongMebibytesBound(CACHE_MEBIBYTES);
          config.row_cache_class_name = HyperClockRowCacheProvider.class.getName();
          return config;
        });
    DatabaseDescriptor.setPartitionerUnsafe(org.apache.cassandra.dht.Murmur3Partitioner.instance);
    METADATA =
        TableMetadata.builder("shop", "orders")
            .addPartitionKeyColumn("customer", UTF8Type.instance)
            .addClusteringColumn("number", Int32Type.instance)
            .addRegularColumn("text", UTF8Type.instance)
            .build();
    Schema.instance.transform(
        SchemaTransformations.addKeyspace(
            KeyspaceMetadata.create("shop", KeyspaceParams.simple(1), Tables.of(METADATA)), false));
  }

  private TestTable() {}

  static RowCacheKey key(String customer) {
    return new RowCacheKey(METADATA.id, null, UTF8Type.instance.decompose(customer));
  }

  /** A partition of some rows of the same text. */
  static CachedPartition partition(String customer, int rows, String text) {
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(METADATA, customer);
    for (int number = 0; number < rows; number++) {
      update.row(number).timestamp(1).add("text", text);
    }
    return CachedBTreePartition.create(
        update.build().unfilteredIterator(), FBUtilities.nowInSeconds());
  }

  static CachedPartition partition(String customer, String text) {
    return partition(customer, 3, text);
  }

  /** What {@link #partition} was given; fails if rows do not agree. */
  static String textOf(CachedPartition partition) {
    String text = null;
    int number = 0;
    for (Row row : (CachedBTreePartition) partition) {
      Cell<?> cell = row.getCell(METADATA.getColumn(UTF8Type.instance.decompose("text")));
      String found = UTF8Type.instance.compose(cell.buffer());
      if (text != null && !text.equals(found)) {
        throw new AssertionError("rows differ: " + text + ", " + found);
      }
      int at = Int32Type.instance.compose(row.clustering().bufferAt(0));
      if (at != number++) {
        throw new AssertionError("rows must be in order: " + at);
      }
      text = found;
    }
    return text;
  }
}
