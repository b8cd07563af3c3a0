/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import io.hyperclock.entry.Key128;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.schema.TableId;

/**
 * A row's key: as bytes, and as the 128 bits under which the row is looked for. Clients choose
 * their partition keys, and the hash is not cryptographic: rows keep all the bytes, which decide.
 */
record RowKey(byte[] bytes, long hi, long lo) {
  static RowKey of(RowCacheKey key) {
    try (DataOutputBuffer out = new DataOutputBuffer(32 + key.key.length)) {
      key.tableId.serialize(out);
      out.writeUTF(key.indexName == null ? "" : key.indexName);
      out.write(key.key);
      byte[] bytes = out.toByteArray();
      Key128 hash = Key128.of(bytes);
      return new RowKey(bytes, hash.hi(), hash.lo());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RowCacheKey decode(ByteBuffer bytes) {
    try (DataInputBuffer in = new DataInputBuffer(bytes, false)) {
      TableId table = TableId.deserialize(in);
      String index = in.readUTF();
      byte[] key = new byte[in.available()];
      in.readFully(key);
      return new RowCacheKey(table, index.isEmpty() ? null : index, key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
