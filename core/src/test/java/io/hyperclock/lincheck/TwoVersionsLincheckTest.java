/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lincheck;

import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.internal.versioned.VersionedInvariants;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareResult;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.PreparedVersion;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Reads, writes, prepares and decisions of two keys, alone and in groups, are linearizable. Real
 * threads only: commit and abort wait for each other, which a chosen schedule would not allow.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class TwoVersionsLincheckTest {
  static final int KEYS = 2;
  static final int GROUPS = 2;

  private final VersionedCache<Integer> cache = cache();
  private final AtomicReferenceArray<@Nullable PrepareToken> tokens =
      new AtomicReferenceArray<>(KEYS);
  private final List<PrepareGroup> groups = new ArrayList<>();

  public TwoVersionsLincheckTest() {
    for (int i = 0; i < GROUPS; i++) {
      groups.add(cache.newGroup());
    }
  }

  private static VersionedCache<Integer> cache() {
    VersionedCacheBuilder<Integer> builder = VersionedCache.builder();
    return builder
        .capacityBytes(10_000)
        .estimatedEntryCharge(1000)
        .shards(1)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(HashSeed.fixed(1))
        .maxPreparedShare(1)
        .nanoClock(() -> 0)
        .build();
  }

  @Operation
  public @Nullable Integer get(@Param(name = "key") int key) {
    return cache.get(0, key);
  }

  @Operation
  public @Nullable Integer readForWrite(@Param(name = "key") int key) {
    return cache.readForWrite(0, key);
  }

  @Operation
  public String put(@Param(name = "key") int key, @Param(name = "value") int value) {
    return unlessStopped(key, () -> cache.put(0, key, value, 1).name());
  }

  /**
   * A write is refused too where another writer of the key has been stopped for long: then this one
   * tries again, until the key shows the prepared version that it is refused for.
   */
  private String unlessStopped(int key, Supplier<String> write) {
    for (; ; ) {
      String result = write.get();
      if (!result.equals("IN_PROGRESS") || cache.readVersions(0, key).prepared() != null) {
        return result;
      }
      Thread.yield();
    }
  }

  @Operation
  public String insert(@Param(name = "key") int key, @Param(name = "value") int value) {
    return unlessStopped(key, () -> cache.insert(0, key, value, 1).name());
  }

  @Operation
  public String replace(@Param(name = "key") int key, @Param(name = "value") int value) {
    return unlessStopped(key, () -> cache.replace(0, key, value, 1).name());
  }

  @Operation
  public String erase(@Param(name = "key") int key) {
    return unlessStopped(key, () -> cache.erase(0, key).name());
  }

  @Operation
  public String prepare(@Param(name = "key") int key, @Param(name = "value") int value) {
    return unlessStopped(
        key,
        () -> {
          PrepareResult result = cache.prepare(0, key, value, 1, PrepareMode.PLAIN);
          if (result.token() != null) {
            tokens.set(key, result.token());
          }
          return result.outcome().name();
        });
  }

  @Operation
  public String prepareInGroup(
      @Param(name = "key") int key,
      @Param(name = "value") int value,
      @Param(name = "key") int group) {
    boolean deletes = value == 1;
    Integer version = deletes ? null : value;
    int charge = deletes ? 0 : 1;
    return unlessStopped(
        key,
        () ->
            cache
                .prepare(0, key, version, charge, PrepareMode.PLAIN, groups.get(group))
                .outcome()
                .name());
  }

  @Operation
  public boolean commit(@Param(name = "key") int key) {
    return decide(key, true);
  }

  @Operation
  public boolean abort(@Param(name = "key") int key) {
    return decide(key, false);
  }

  /** Whether this call ended a prepare of the key; waits for the token of one that it sees. */
  private boolean decide(int key, boolean commits) {
    for (; ; ) {
      PreparedVersion<Integer> seen = cache.readVersions(0, key).prepared();
      if (seen == null || seen.grouped()) {
        return false;
      }
      PrepareToken token = tokens.get(key);
      if (token != null && token.id() == seen.id() && tokens.compareAndSet(key, token, null)) {
        Decision decision = commits ? cache.commit(token) : cache.abort(token);
        return decision == Decision.OK;
      }
      Thread.yield();
    }
  }

  @Operation
  public String commitGroup(@Param(name = "key") int group) {
    for (; ; ) {
      Decision decision = groups.get(group).commit();
      if (decision != Decision.IN_PROGRESS) {
        return decision.name();
      }
      Thread.yield();
    }
  }

  @Operation
  public String abortGroup(@Param(name = "key") int group) {
    return groups.get(group).abort().name();
  }

  @Validate
  public void whole() {
    List<String> violations = VersionedInvariants.violations(cache);
    if (!violations.isEmpty()) {
      throw new AssertionError(violations.toString());
    }
  }

  @Test
  void stress() {
    Lincheck.stress().sequentialSpecification(TwoVersionsMap.class).check(getClass());
  }
}
