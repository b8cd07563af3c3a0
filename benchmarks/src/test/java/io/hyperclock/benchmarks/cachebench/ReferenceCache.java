/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

/**
 * RocksDB's fixed-table cache, non-strict and fully charged, for one thread: its rules written down
 * a second time, with keys that are numbers and entries of equal charge. Shares no code with the
 * cache.
 */
final class ReferenceCache {
  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);

  private final long hashSeed;
  private final long charge;
  private final int effortCap;
  private final Shard[] shards;
  private final Map<Long, long[]> hashes = new HashMap<>();

  /**
   * A cache.
   *
   * @param estimate charge that the table is made for
   * @param shardCount number of shards, or 0 for as many as RocksDB takes
   * @param effortCap pinned entries to pass per freed one
   */
  ReferenceCache(
      long capacity, long charge, long estimate, int shardCount, int effortCap, long hashSeed) {
    this.hashSeed = hashSeed;
    this.charge = charge;
    this.effortCap = effortCap;
    int count = 1;
    if (shardCount > 0) {
      count = shardCount;
    } else {
      while (count < 64 && capacity / (32 << 20) >= 2L * count) {
        count *= 2;
      }
    }
    shards = new Shard[count];
    for (int i = 0; i < count; i++) {
      shards[i] = new Shard((capacity + count - 1) / count, estimate);
    }
  }

  /** An entry, in a slot or standalone. */
  static final class Entry {
    private final long key;
    private final long home;
    private final long step;
    private final Shard shard;
    private int slot = -1;
    private boolean visible;
    private long acquired;
    private long released;

    private Entry(long key, long[] hash, Shard shard) {
      this.key = key;
      this.home = hash[1];
      this.step = hash[0] | 1;
      this.shard = shard;
    }
  }

  /** The hash of a key that was drawn as a number. */
  static long[] hash(byte[] key, long seed) {
    BigInteger lo = littleEndian(key, 0).xor(unsigned(seed));
    BigInteger hi = littleEndian(key, 8);
    BigInteger product =
        lo.xor(hi).xor(unsigned(0x59973f0033362349L)).multiply(unsigned(0x9E3779B185EBCA87L));
    BigInteger upper = hi.xor(unsigned(0xc202797692d63d58L));
    BigInteger high =
        product
            .shiftRight(64)
            .add(upper)
            .add(unsigned(upper.longValue() & 0xffffffffL).multiply(unsigned(0x85EBCA76L)));
    long low = product.longValue() + 0x03c0000000000000L;
    low ^= Long.reverseBytes(high.longValue());
    BigInteger prime = unsigned(0xC2B2AE3D27D4EB4FL);
    BigInteger last = unsigned(low).multiply(prime);
    long last0 = last.longValue();
    long last1 = last.shiftRight(64).add(high.multiply(prime)).longValue();
    return new long[] {avalanche(last0), avalanche(last1)};
  }

  private static long avalanche(long x) {
    long y = (x ^ (x >>> 37)) * 0x165667919E3779F9L;
    return y ^ (y >>> 32);
  }

  private static BigInteger unsigned(long word) {
    return BigInteger.valueOf(word).mod(WORD);
  }

  private static BigInteger littleEndian(byte[] bytes, int from) {
    BigInteger word = BigInteger.ZERO;
    for (int i = 7; i >= 0; i--) {
      word = word.shiftLeft(8).add(BigInteger.valueOf(bytes[from + i] & 0xff));
    }
    return word;
  }

  static byte[] keyBytes(long number) {
    byte[] all = new byte[27];
    all[0] = 42;
    all[9] = 11;
    all[18] = 4;
    for (int i = 0; i < 8; i++) {
      all[1 + i] = all[10 + i] = all[19 + i] = (byte) (number >>> (8 * i));
    }
    int from = (int) (number % 8);
    return java.util.Arrays.copyOfRange(all, from, from + 16);
  }

  private long[] hash(long key) {
    return hashes.computeIfAbsent(key, k -> hash(keyBytes(k), hashSeed));
  }

  private Shard shard(long[] hash) {
    return shards[(int) (hash[0] >>> 32) & (shards.length - 1)];
  }

  /** Pins an entry or returns null. */
  Entry lookup(long key) {
    long[] hash = hash(key);
    Entry found = shard(hash).find(new Entry(key, hash, shard(hash)), 0);
    if (found != null) {
      found.acquired++;
    }
    return found;
  }

  /** Adds an entry and returns it pinned, or returns null if no pin is wanted. */
  Entry insert(long key, boolean pin) {
    long[] hash = hash(key);
    return shard(hash).insert(new Entry(key, hash, shard(hash)), pin);
  }

  void release(Entry entry) {
    entry.released++;
    if (entry.acquired == entry.released && !entry.visible) {
      entry.shard.free(entry);
    }
  }

  void erase(long key) {
    long[] hash = hash(key);
    shard(hash).erase(new Entry(key, hash, shard(hash)));
  }

  long occupancy() {
    long sum = 0;
    for (Shard shard : shards) {
      sum += shard.occupied;
    }
    return sum;
  }

  long slots() {
    return (long) shards.length * shards[0].slots.length;
  }

  private final class Shard {
    private final long capacity;
    private final Entry[] slots;
    private final int[] passed;
    private final long limit;
    private long usage;
    private long occupied;
    private long hand;

    Shard(long capacity, long estimate) {
      this.capacity = capacity;
      long wanted = (long) Math.floor(capacity / (estimate * 0.7 + 64) + 0.999999);
      long size = Long.highestOneBit(2 * wanted - 1);
      while (size * 64 > capacity) {
        size /= 2;
      }
      slots = new Entry[(int) size];
      passed = new int[slots.length];
      limit = (long) (size * 0.84);
      usage = 64 * size;
    }

    private int slot(Entry entry, int probe) {
      return (int) ((entry.home + probe * entry.step) & (slots.length - 1));
    }

    private Entry find(Entry like, int fromProbe) {
      for (int probe = fromProbe; probe < slots.length; probe++) {
        int slot = slot(like, probe);
        Entry entry = slots[slot];
        if (entry != null && entry.visible && entry.key == like.key) {
          return entry;
        }
        if (passed[slot] == 0) {
          return null;
        }
      }
      return null;
    }

    private Entry insert(Entry entry, boolean pin) {
      boolean noSlot = occupied >= limit;
      occupied++;
      long need = 0;
      if (usage + charge > capacity && charge <= usage) {
        need = charge + (usage > capacity ? Math.min(capacity / 1024, charge) + 1 : 0);
      } else if (noSlot) {
        need = 1;
      }
      boolean freed = need > 0 && evict(need);
      if (noSlot && !freed) {
        occupied--;
        usage += pin ? charge : 0;
        return pin ? standalone(entry) : null;
      }
      usage += charge;
      for (int probe = 0; probe < slots.length; probe++) {
        int slot = slot(entry, probe);
        Entry there = slots[slot];
        if (there == null) {
          slots[slot] = entry;
          entry.slot = slot;
          entry.visible = true;
          entry.acquired = 2;
          entry.released = pin ? 1 : 2;
          return pin ? entry : null;
        }
        if (there.visible && there.key == entry.key) {
          there.acquired += 2;
          there.released += 2;
          return outside(entry, probe, pin);
        }
        passed[slot]++;
      }
      return outside(entry, slots.length, pin);
    }

    private Entry outside(Entry entry, int probes, boolean pin) {
      leave(entry, probes);
      occupied--;
      usage -= pin ? 0 : charge;
      return pin ? standalone(entry) : null;
    }

    private Entry standalone(Entry entry) {
      entry.acquired = 1;
      return entry;
    }

    private void leave(Entry entry, int probes) {
      for (int probe = 0; probe < probes; probe++) {
        passed[slot(entry, probe)]--;
      }
    }

    private boolean evict(long need) {
      long before = occupied;
      long goal = usage - need;
      long pinnedSeen = 0;
      long at = hand;
      long end = at + 3L * slots.length;
      do {
        at = hand;
        hand += 4;
        for (long position = at; position < at + 4; position++) {
          Entry entry = slots[(int) (position & (slots.length - 1))];
          if (entry == null) {
            continue;
          }
          if (entry.acquired != entry.released) {
            pinnedSeen++;
          } else if (entry.acquired == 0 || !entry.visible) {
            free(entry);
          } else {
            entry.acquired = entry.released = Math.min(2, entry.acquired - 1);
          }
        }
      } while (usage > goal && at < end && (before - occupied + 1) * effortCap > pinnedSeen);
      return occupied < before;
    }

    private void free(Entry entry) {
      usage -= charge;
      if (entry.slot >= 0) {
        slots[entry.slot] = null;
        occupied--;
        int probes = 0;
        while (slot(entry, probes) != entry.slot) {
          probes++;
        }
        leave(entry, probes);
      }
    }

    private void erase(Entry like) {
      for (int probe = 0; probe < slots.length; probe++) {
        int slot = slot(like, probe);
        Entry entry = slots[slot];
        boolean last = passed[slot] == 0;
        if (entry != null && entry.visible && entry.key == like.key) {
          entry.visible = false;
          if (entry.acquired == entry.released) {
            free(entry);
          }
        }
        if (last) {
          return;
        }
      }
    }
  }
}
