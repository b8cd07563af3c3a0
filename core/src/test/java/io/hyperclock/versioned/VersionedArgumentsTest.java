/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import static io.hyperclock.versioned.PrepareMode.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.MetadataCharge;
import io.hyperclock.internal.versioned.VersionedInvariants;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a cache of two versions refuses, and that it leaves nothing behind. */
@Tag("versioned")
class VersionedArgumentsTest {
  private static final int NAMESPACES = 3;

  /** The low word of a key is its namespace. */
  private final VersionedCache<String> cache = newCache();

  private static VersionedCache<String> newCache() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    return builder
        .capacityBytes(10_000)
        .estimatedEntryCharge(100)
        .metadataCharge(MetadataCharge.NONE)
        .namespaces(NAMESPACES, (hi, lo) -> (int) lo)
        .build();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(cache.monitor().stats().usageBytes()).isZero();
    assertThat(cache.monitor().stats().occupancy()).isZero();
    assertThat(cache.monitor().stats().prepares()).isZero();
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  private static void refusesNull(String name, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessage(name + " must not be null");
  }

  private static void refuses(String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void nullIsRefusedByName() {
    refusesNull("value", () -> cache.put(0, 1, null, 1));
    refusesNull("value", () -> cache.insert(0, 1, null, 1));
    refusesNull("value", () -> cache.replace(0, 1, null, 1));
    refusesNull("mode", () -> cache.prepare(0, 1, "p", 1, null));
    refusesNull("token", () -> cache.commit(null));
    refusesNull("token", () -> cache.abort(null));
    refusesNull("keys", () -> cache.markInDoubt(null));
    refusesNull("visitor", () -> cache.monitor().forEach(null));
    refusesNull("lease", () -> VersionedCache.builder().lease(null));
  }

  @Test
  void chargesOutOfRangeAreRefused() {
    for (long charge : new long[] {-1, BlockCache.MAX_CHARGE_BYTES + 1}) {
      String message = "chargeBytes=" + charge;
      refuses(message, () -> cache.put(0, 1, "c", charge));
      refuses(message, () -> cache.insert(0, 1, "c", charge));
      refuses(message, () -> cache.replace(0, 1, "c", charge));
      refuses(message, () -> cache.prepare(0, 1, "p", charge, PLAIN));
    }
  }

  @Test
  void namespacesOutOfRangeAreRefused() {
    for (int namespace : new int[] {-1, NAMESPACES}) {
      String message = "namespace must be in [0, 3): namespace=" + namespace;
      refuses(message, () -> cache.put(0, namespace, "c", 1));
      refuses(message, () -> cache.insert(0, namespace, "c", 1));
      refuses(message, () -> cache.prepare(0, namespace, "p", 1, PLAIN));
      refuses(message, () -> cache.monitor().namespaceStats(namespace));
    }
    assertThat(cache.monitor().namespaceStats(NAMESPACES - 1))
        .isEqualTo(new NamespaceStats(0, 0, 0, 0));
  }

  @Test
  void numbersOfNamespacesOutOfRangeAreRefused() {
    for (int count : new int[] {0, VersionedCacheBuilder.MAX_NAMESPACES + 1}) {
      refuses(
          "namespaces=" + count, () -> VersionedCache.builder().namespaces(count, (hi, lo) -> 0));
    }
  }

  @Test
  void groupsOfNoCacheAreRefused() {
    PrepareGroup forged =
        new PrepareGroup() {
          @Override
          public Decision commit() {
            throw new AssertionError("must not be called");
          }

          @Override
          public Decision abort() {
            throw new AssertionError("must not be called");
          }
        };
    refuses("group must be of this cache", () -> cache.prepare(0, 1, "p", 1, PLAIN, forged));
    refuses("group=null", () -> cache.prepare(0, 1, "p", 1, PLAIN, null));
    PrepareGroup other = newCache().newGroup();
    refuses(
        "group must be of this cache: group=" + other,
        () -> cache.prepare(0, 1, "p", 1, PLAIN, other));
  }

  @Test
  void decisionOfAMemberNamesIt() {
    PrepareGroup group = cache.newGroup();
    PrepareToken token = cache.prepare(0, 1, "p", 1, PLAIN, group).orThrow();
    assertThat(token.keyHi()).isZero();
    assertThat(token.keyLo()).isEqualTo(1);
    assertThat(token.id()).isPositive();
    refuses("id=" + token.id(), () -> cache.commit(token));
    assertThat(group.abort()).isEqualTo(Decision.OK);
  }
}
