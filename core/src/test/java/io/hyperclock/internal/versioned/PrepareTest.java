/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a prepare shows to reads when its group is decided and it is not yet written down. */
@Tag("versioned")
class PrepareTest {
  private final DefaultVersionedCache<?> cache = (DefaultVersionedCache<?>) newCache();
  private final PrepareGroup group = cache.newGroup();

  private static VersionedCache<String> newCache() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    return builder.capacityBytes(10_000).estimatedEntryCharge(100).nanoClock(() -> 0).build();
  }

  private Prepare member(@Nullable String value, PrepareMode mode) {
    VersionedShard shard = cache.shards[0];
    return new Prepare(shard, 0, 1, 1, value, 0, 0, mode, Long.MAX_VALUE, (Group) group);
  }

  @Test
  void undecided() {
    assertThat(member("p", PrepareMode.PLAIN).shown()).isNull();
    assertThat(member("p", PrepareMode.IN_DOUBT).shown()).isSameAs(Prepare.IN_DOUBT);
    assertThat(member("p", PrepareMode.PLAIN).shownToWriter()).isEqualTo("p");
  }

  @Test
  void committed() {
    group.commit();
    assertThat(member("p", PrepareMode.PLAIN).shown()).isEqualTo("p");
    assertThat(member("p", PrepareMode.IN_DOUBT).shown()).isEqualTo("p");
    assertThat(member(null, PrepareMode.PLAIN).shown()).isSameAs(Prepare.NOTHING);
    assertThat(member("p", PrepareMode.PLAIN).shownToWriter()).isEqualTo("p");
    assertThat(member(null, PrepareMode.PLAIN).shownToWriter()).isSameAs(Prepare.NOTHING);
  }

  @Test
  void aborted() {
    group.abort();
    assertThat(member("p", PrepareMode.IN_DOUBT).shown()).isNull();
    assertThat(member("p", PrepareMode.PLAIN).shownToWriter()).isNull();
  }

  @Test
  void expired() {
    ((Group) group).end(Prepare.EXPIRED);
    assertThat(member("p", PrepareMode.IN_DOUBT).shown()).isSameAs(Prepare.NOTHING);
    assertThat(member("p", PrepareMode.PLAIN).shown()).isNull();
    assertThat(member("p", PrepareMode.IN_DOUBT).shownToWriter()).isSameAs(Prepare.NOTHING);
  }

  @Test
  void onlyAPlainOneIsNothingToReads() {
    assertThat(member("p", PrepareMode.PLAIN).isPlain()).as("of a group").isFalse();
    assertThat(alone("p", PrepareMode.PLAIN).isPlain()).isTrue();
    assertThat(alone("p", PrepareMode.IN_DOUBT).isPlain()).isFalse();
  }

  private Prepare alone(@Nullable String value, PrepareMode mode) {
    VersionedShard shard = cache.shards[0];
    return new Prepare(shard, 0, 1, 1, value, 0, 0, mode, Long.MAX_VALUE, null);
  }

  /** Its group was ended before it came into its slot. */
  @Test
  void whatIsWithdrawnIsNeverPublished() {
    Prepare prepare = member("p", PrepareMode.PLAIN);
    assertThat(prepare.isNew()).isTrue();
    assertThat(prepare.tryEnd(Prepare.ABORTED)).isTrue();
    assertThat(prepare.isNew()).isFalse();
    assertThat(prepare.publish()).isFalse();
    assertThat(prepare.isPending()).isFalse();
    assertThat(prepare.tryEnd(Prepare.ABORTED)).as("again").isTrue();
    prepare.end(Prepare.COMMITTED);
  }

  @Test
  void oneCommittedValueIsBroughtInBeforeTheVerdictIsWrittenDown() {
    Prepare.Beneath first = new Prepare.Beneath("c", 1);
    Prepare prepare = alone("p", PrepareMode.PLAIN);
    assertThat(prepare.beneath()).isNull();
    assertThat(prepare.bringIn(first)).isTrue();
    assertThat(prepare.bringIn(new Prepare.Beneath("d", 1))).isFalse();
    assertThat(prepare.beneath()).isSameAs(first);
    assertThat(prepare.close()).isSameAs(first);
    Prepare closed = alone("p", PrepareMode.PLAIN);
    assertThat(closed.close()).isNull();
    assertThat(closed.bringIn(first)).as("too late").isFalse();
    assertThat(closed.beneath()).isNull();
  }

  @Test
  void whatIsOnItsWayIsUndecided() {
    Prepare plain = alone("p", PrepareMode.PLAIN);
    assertThat(plain.verdict()).isEqualTo(Prepare.PENDING);
    assertThat(plain.shown()).isNull();
    assertThat(plain.shownToWriter()).isEqualTo("p");
    assertThat(alone("p", PrepareMode.IN_DOUBT).shown()).isSameAs(Prepare.IN_DOUBT);
  }

  @Test
  void whatIsOnItsWayHasNoLeaseThatEnds() {
    VersionedShard shard = cache.shards[0];
    Prepare late =
        new Prepare(shard, 0, 1, 1, "p", 0, 0, PrepareMode.PLAIN, cache.leases.nanos(), null);
    assertThat(cache.leases.expireIfDue(late)).isFalse();
    assertThat(late.publish()).isTrue();
  }
}
