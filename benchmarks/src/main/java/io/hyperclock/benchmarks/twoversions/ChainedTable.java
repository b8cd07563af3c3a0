/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with chains, where a committed and a prepared value of a key are two nodes: the
 * control. New nodes go to the head of their chain. A search walks the whole chain, or it relies on
 * prepared nodes standing before committed ones and stops at the first committed match.
 */
public final class ChainedTable implements TwoVersionTable {
  private static final int LOCKS = 47;

  private final boolean stopsEarly;
  private final byte[][] keys;
  private final @Nullable Node[] heads;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

  private static final class Node {
    final byte[] key;
    final boolean prepared;
    Object value;
    @Nullable Node next;

    Node(byte[] key, Object value, boolean prepared, @Nullable Node next) {
      this.key = key;
      this.value = value;
      this.prepared = prepared;
      this.next = next;
    }
  }

  /** What a search has found; one for each thread. */
  private static final class Found {
    @Nullable Node committed;
    @Nullable Node prepared;
    int nodes;
  }

  private final ThreadLocal<Found> founds = ThreadLocal.withInitial(Found::new);

  /**
   * An empty table.
   *
   * @param buckets number of chains
   * @param keys number of keys
   * @param stopsEarly whether a search stops at a committed match
   */
  public ChainedTable(int buckets, int keys, boolean stopsEarly) {
    this.stopsEarly = stopsEarly;
    this.heads = new @Nullable Node[buckets];
    this.keys = new byte[keys][];
    Arrays.setAll(this.keys, TextKeys::of);
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  private int bucket(byte[] key) {
    return Integer.remainderUnsigned(TextKeys.hash(key), heads.length);
  }

  private Found search(int bucket, byte[] key) {
    Found found = founds.get();
    found.committed = null;
    found.prepared = null;
    found.nodes = 0;
    for (Node node = heads[bucket]; node != null; node = node.next) {
      found.nodes++;
      if (Arrays.equals(node.key, key)) {
        if (node.prepared) {
          found.prepared = node;
        } else {
          found.committed = node;
          if (stopsEarly) {
            break;
          }
        }
      }
    }
    return found;
  }

  /**
   * Nodes that a search for a key looks at, while nobody writes.
   *
   * @param number the key's number
   * @return a count
   */
  public int nodesTouched(int number) {
    byte[] key = keys[number];
    int bucket = bucket(key);
    return search(bucket, key).nodes;
  }

  @Override
  public @Nullable Object findForRead(int number) {
    byte[] key = keys[number];
    int bucket = bucket(key);
    ReentrantLock lock = locks[bucket % LOCKS];
    lock.lock();
    try {
      Node node = search(bucket, key).committed;
      return node == null ? null : node.value;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Object findForWrite(int number) {
    byte[] key = keys[number];
    int bucket = bucket(key);
    ReentrantLock lock = locks[bucket % LOCKS];
    lock.lock();
    try {
      Found found = search(bucket, key);
      Node node = found.prepared == null ? found.committed : found.prepared;
      return node == null ? null : node.value;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void put(int number, Object value) {
    byte[] key = keys[number];
    int bucket = bucket(key);
    ReentrantLock lock = locks[bucket % LOCKS];
    lock.lock();
    try {
      Node present = search(bucket, key).committed;
      if (present == null) {
        heads[bucket] = new Node(key, value, false, heads[bucket]);
      } else {
        present.value = value;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void prepare(int number, Object value) {
    byte[] key = keys[number];
    int bucket = bucket(key);
    ReentrantLock lock = locks[bucket % LOCKS];
    lock.lock();
    try {
      heads[bucket] = new Node(key, value, true, heads[bucket]);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(int number) {
    byte[] key = keys[number];
    int bucket = bucket(key);
    ReentrantLock lock = locks[bucket % LOCKS];
    lock.lock();
    try {
      Node gone = search(bucket, key).committed;
      Node before = null;
      for (Node node = heads[bucket]; gone != null && node != gone; node = node.next) {
        before = node;
      }
      if (gone != null && before == null) {
        heads[bucket] = gone.next;
      } else if (gone != null) {
        before.next = gone.next;
      }
    } finally {
      lock.unlock();
    }
  }
}
