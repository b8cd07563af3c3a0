/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.BlockLoader;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.cache.InvariantsChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Base of all contract tests: builds caches of one variant and checks after each test that they are
 * whole, that no pin was left behind and that every block was freed as often as it should.
 */
abstract class CacheContract {
  static final long HI = 0x0123456789abcdefL;

  /** Held so that the level stays set: callback failures are provoked on purpose. */
  static final Logger LOGGER = Logger.getLogger("io.hyperclock");

  static {
    LOGGER.setLevel(Level.OFF);
  }

  final Variant variant;
  final long seed =
      Long.getLong("hyperclock.test.seed", ThreadLocalRandom.current().nextLong(1L << 32));
  final SplittableRandom random = new SplittableRandom(seed);
  final BlockLedger blocks = new BlockLedger();
  private final List<BlockCache<?>> caches = new ArrayList<>();
  private final List<BlockCache<?>> closed = new ArrayList<>();

  @RegisterExtension
  final TestExecutionExceptionHandler seedReporter =
      (ExtensionContext context, Throwable failure) -> {
        failure.addSuppressed(new Circumstances(circumstances()));
        throw failure;
      };

  CacheContract(Variant variant) {
    this.variant = variant;
  }

  /** A builder of the variant that charges entries only; the hash seed follows the test's seed. */
  final BlockCacheBuilder<Object> builder(long capacityBytes, long estimatedEntryCharge) {
    return variant
        .<Object>builder(capacityBytes, estimatedEntryCharge)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(HashSeed.fixed(seed));
  }

  /** A cache that is checked and closed after the test. */
  final <V> BlockCache<V> track(BlockCache<V> cache) {
    caches.add(cache);
    return cache;
  }

  final BlockCache<Object> cache(long capacityBytes, long estimatedEntryCharge) {
    return track(builder(capacityBytes, estimatedEntryCharge).build());
  }

  /** Builder of a cache in which {@code entries} of charge 1 fit whatever shard they fall into. */
  final BlockCacheBuilder<Object> roomyBuilder(int entries) {
    return builder((2L * entries + 16) * variant.shards(), 1);
  }

  final BlockCache<Object> roomy(int entries) {
    return track(roomyBuilder(entries).build());
  }

  /** Closes a tracked cache early. */
  final void close(BlockCache<?> cache) {
    cache.close();
    closed.add(cache);
  }

  /** Loads blocks that are freed explicitly. */
  final BlockLoader<Object> blockLoader(long charge) {
    return BlockLoader.of(LoadContractTest.widened(Block.TYPE), b -> charge, (hi, lo) -> block(lo));
  }

  final Block block(long lo) {
    return blocks.make(lo);
  }

  static String text(long lo) {
    return "value " + lo;
  }

  /** Inserts a text that the collector owns. */
  static InsertResult insert(BlockCache<Object> cache, long lo, long chargeBytes) {
    return cache.insert(HI, lo, text(lo), chargeBytes);
  }

  /** Inserts a new block, which stays the test's if it is refused. */
  final InsertResult insertBlock(
      BlockCache<Object> cache, long lo, long charge, Priority priority) {
    Block block = block(lo);
    InsertResult result = cache.insert(HI, lo, block, Block.TYPE, charge, priority);
    if (result.callerKeepsValue()) {
      blocks.keep(block);
    }
    return result;
  }

  /** Inserts a new block that must fit. */
  final Block inserted(BlockCache<Object> cache, long lo, long chargeBytes) {
    Block block = block(lo);
    assertThat(cache.insert(HI, lo, block, Block.TYPE, chargeBytes, Priority.LOW))
        .isEqualTo(InsertResult.INSERTED);
    return block;
  }

  /** Inserts and pins a new block, which stays the test's if there is no room. */
  final Handle<Object> insertPinned(BlockCache<Object> cache, long lo, long chargeBytes) {
    Block block = block(lo);
    try {
      return cache.insertPinned(HI, lo, block, Block.TYPE, chargeBytes, Priority.LOW);
    } catch (CapacityExceededException e) {
      blocks.keep(block);
      throw e;
    }
  }

  static Handle<Object> pin(BlockCache<Object> cache, long lo) {
    Handle<Object> handle = cache.lookup(HI, lo);
    assertThat(handle).as("entry %d", lo).isNotNull();
    return handle;
  }

  /** Whether a key is present; does not count as a use. */
  static boolean has(BlockCache<Object> cache, long lo) {
    Handle<Object> handle = cache.lookup(HI, lo);
    if (handle == null) {
      return false;
    }
    handle.discard();
    return true;
  }

  static long countPresent(BlockCache<Object> cache, long fromLo, long toLo) {
    long found = 0;
    for (long lo = fromLo; lo < toLo; lo++) {
      found += has(cache, lo) ? 1 : 0;
    }
    return found;
  }

  /** Ends a pin in one of the ways there are. */
  static void letGo(Handle<?> handle, SplittableRandom random) {
    switch (random.nextInt(8)) {
      case 0, 1 -> handle.eraseIfLast();
      case 2, 3, 4 -> handle.discard();
      default -> handle.close();
    }
  }

  static void release(List<? extends Handle<?>> handles) {
    handles.forEach(Handle::close);
    handles.clear();
  }

  final String circumstances() {
    return variant + ", hyperclock.test.seed=" + seed;
  }

  /** The one door to the checker of the cache's inner state. */
  private static List<String> violations(BlockCache<?> cache) {
    return InvariantsChecker.violations(cache);
  }

  @AfterEach
  final void cachesAreWhole() {
    for (BlockCache<?> cache : caches) {
      if (!closed.contains(cache)) {
        assertThat(violations(cache)).as("invariants: %s", circumstances()).isEmpty();
        assertThat(cache.monitor().pinnedUsageBytes())
            .as("pins left: %s", circumstances())
            .isZero();
        cache.close();
      }
      assertThat(violations(cache)).as("after close: %s", circumstances()).isEmpty();
    }
    assertThat(blocks.violations()).as("blocks: %s", circumstances()).isEmpty();
  }

  /** Says with which settings a test failed. */
  private static final class Circumstances extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Circumstances(String text) {
      super(text, null, false, false);
    }
  }
}
