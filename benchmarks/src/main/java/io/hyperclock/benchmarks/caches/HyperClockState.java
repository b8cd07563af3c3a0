/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** HyperClock with default settings, slots on the heap, values owned by the collector. */
@State(Scope.Benchmark)
public class HyperClockState extends Workload {
  private final SlotStorage storage;
  private final EntryType<BenchmarkBlock> type;
  private final boolean automatic;

  /** The cache. */
  public BlockCache<BenchmarkBlock> cache;

  /** Key numbers in the order of reads. */
  public int[] stream;

  private int[] resident;

  /** For JMH. */
  public HyperClockState() {
    this(SlotStorage.HEAP, EntryType.of("block"), false);
  }

  HyperClockState(SlotStorage storage, EntryType<BenchmarkBlock> type, boolean automatic) {
    this.storage = storage;
    this.type = type;
    this.automatic = automatic;
  }

  /** Fills the cache. */
  @Setup
  public void fill() {
    cache = build(capacity(), storage, automatic);
    state.fill(size, size, this::insert, this::read, this::erase);
    resident = residents(cache);
    state.requireFull(resident.length, size);
    stream = KeyStream.among(resident, distribution);
    requireAllCached();
  }

  private void insert(int number) {
    cache.insert(
        KeyObject.file(number),
        KeyObject.offset(number),
        new BenchmarkBlock(number),
        type,
        BenchmarkBlock.CHARGE_BYTES,
        Priority.LOW);
  }

  private void erase(int number) {
    cache.erase(KeyObject.file(number), KeyObject.offset(number));
  }

  private void read(int number) {
    Handle<BenchmarkBlock> handle = cache.lookup(KeyObject.file(number), KeyObject.offset(number));
    if (handle != null) {
      handle.close();
    }
  }

  /**
   * Finds which keys a cache holds.
   *
   * @param cache one that no thread changes
   * @return numbers of the keys, ascending
   */
  public static int[] residents(BlockCache<BenchmarkBlock> cache) {
    IntStream.Builder numbers = IntStream.builder();
    cache
        .monitor()
        .forEachEntry((hi, lo, block, type, charge) -> numbers.add(KeyObject.number(hi, lo)));
    return numbers.build().sorted().toArray();
  }

  /** Checks that no read can have missed. */
  @TearDown
  public void requireAllCached() {
    for (int i : resident) {
      try (var handle = cache.lookup(KeyObject.file(i), KeyObject.offset(i))) {
        requireHit(handle != null && handle.value().number() == i, i);
      }
    }
  }

  /**
   * Makes an empty cache.
   *
   * @param blocks blocks there is room for
   * @param storage where the slots live
   * @return a new cache
   */
  public static BlockCache<BenchmarkBlock> build(long blocks, SlotStorage storage) {
    return build(blocks, storage, false);
  }

  /**
   * Makes an empty cache.
   *
   * @param blocks blocks there is room for
   * @param storage where the slots live
   * @param automatic whether it is not told how large they are
   * @return a new cache
   */
  public static BlockCache<BenchmarkBlock> build(
      long blocks, SlotStorage storage, boolean automatic) {
    BlockCacheBuilder<BenchmarkBlock> builder =
        BlockCache.<BenchmarkBlock>builder()
            .capacityBytes(blocks * BenchmarkBlock.CHARGE_BYTES)
            .metadataCharge(MetadataCharge.NONE)
            .storage(storage);
    return automatic
        ? builder.build()
        : builder.estimatedEntryCharge(BenchmarkBlock.CHARGE_BYTES).build();
  }

  /** The same that sizes itself. */
  @State(Scope.Benchmark)
  public static class Automatic extends HyperClockState {
    /** For JMH. */
    public Automatic() {
      super(SlotStorage.HEAP, EntryType.of("block"), true);
    }
  }

  /** The same that sizes itself, with slots off the heap. */
  @State(Scope.Benchmark)
  public static class AutomaticOffHeap extends HyperClockState {
    /** For JMH. */
    public AutomaticOffHeap() {
      super(SlotStorage.OFF_HEAP, EntryType.of("block"), true);
    }
  }

  /** The same that sizes itself, with values freed explicitly. */
  @State(Scope.Benchmark)
  public static class FreedAutomatic extends HyperClockState {
    /** For JMH. */
    public FreedAutomatic() {
      super(SlotStorage.HEAP, freedType(), true);
    }
  }

  /** The same with slots off the heap. */
  @State(Scope.Benchmark)
  public static class OffHeap extends HyperClockState {
    /** For JMH. */
    public OffHeap() {
      super(SlotStorage.OFF_HEAP, EntryType.of("block"), false);
    }
  }

  /** The same with values freed explicitly. */
  @State(Scope.Benchmark)
  public static class Freed extends HyperClockState {
    /** For JMH. */
    public Freed() {
      super(SlotStorage.HEAP, freedType(), false);
    }
  }

  /** The same with slots off the heap and values freed explicitly. */
  @State(Scope.Benchmark)
  public static class FreedOffHeap extends HyperClockState {
    /** For JMH. */
    public FreedOffHeap() {
      super(SlotStorage.OFF_HEAP, freedType(), false);
    }
  }

  private static EntryType<BenchmarkBlock> freedType() {
    return EntryType.<BenchmarkBlock>named("freed block").disposer((hi, lo, block) -> {}).build();
  }
}
