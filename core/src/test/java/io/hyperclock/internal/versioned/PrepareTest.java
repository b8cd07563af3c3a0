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
  private final TwoVersionCache<?> cache = (TwoVersionCache<?>) newCache();
  private final PrepareGroup group = cache.newGroup();

  private static VersionedCache<String> newCache() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    return builder.capacityBytes(10_000).estimatedEntryCharge(100).build();
  }

  private Prepare member(@Nullable String value, PrepareMode mode) {
    VersionedShard shard = cache.shards()[0];
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
  }

  @Test
  void aborted() {
    group.abort();
    assertThat(member("p", PrepareMode.IN_DOUBT).shown()).isNull();
    assertThat(member("p", PrepareMode.PLAIN).shownToWriter()).isNull();
  }
}
