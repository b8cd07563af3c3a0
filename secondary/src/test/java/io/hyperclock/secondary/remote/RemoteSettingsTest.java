/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperclock.LogLines;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.CompressionStats;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the settings of a tier do that no server is needed for. */
class RemoteSettingsTest {
  private static final int VALUE_BYTES = 10_000;

  private static RemoteSecondaryCacheBuilder builder() {
    return RemoteTiers.builder(new FickleStore(new Random(1)));
  }

  /** Of a value that shrinks to almost nothing. */
  private static CompressionStats afterInsert(
      RemoteSecondaryCacheBuilder settings, EntryType<byte[]> type) {
    try (RemoteSecondaryCache tier = settings.build()) {
      assertThat(tier.insert(HI, 1, new byte[VALUE_BYTES], type, true)).isTrue();
      return tier.compressionStats();
    }
  }

  @Test
  void valuesAreCompressedAsChosen() {
    assertThat(afterInsert(builder(), TestValues.BYTES).ratio()).isLessThan(0.1);
    assertThat(afterInsert(builder().compression(Compression.NONE), TestValues.BYTES).ratio())
        .isGreaterThanOrEqualTo(1);
    RunLengthCompressor runs = new RunLengthCompressor();
    CompressionStats own = afterInsert(builder().compressor(runs), TestValues.BYTES);
    assertThat(own.storedBytes())
        .isEqualTo(runs.compress(new byte[VALUE_BYTES], 0, VALUE_BYTES, new byte[VALUE_BYTES]));
  }

  @Test
  void rolesMayStayAsTheyAreEncoded() {
    Set<EntryRole> indexes = Set.of(EntryRole.INDEX_BLOCK);
    assertThat(afterInsert(builder().uncompressedRoles(indexes), TestValues.INDEX).raw())
        .isEqualTo(1);
    assertThat(afterInsert(builder().uncompressedRoles(indexes), TestValues.BYTES).raw()).isZero();
  }

  @Test
  void changesAreLoggedUnderTheNameOfTheTiersClass() {
    ScriptedStore store = new ScriptedStore();
    store.onRead = () -> CompletableFuture.failedFuture(ScriptedStore.notSent());
    try (LogLines lines = new LogLines(RemoteSecondaryCache.class.getName());
        RemoteSecondaryCache tier = RemoteTiers.builder(store).name("shared blocks").build()) {
      assertThat(tier.name()).isEqualTo("shared blocks");
      String line = "WARNING tier=shared blocks, state=BYPASS, server must answer: ";
      TierTestLimits.eventually(
          () -> lines.with(line).stream().anyMatch(one -> one.startsWith(line)));
    }
  }

  @Test
  void whatMayBeUnderWayIsAtLeastTwiceTheLargestBatchAndTheLargestValue() {
    for (boolean isValue : new boolean[] {true, false}) {
      RemoteSecondaryCacheBuilder settings =
          builder().maxValueBytes(isValue ? 1000 : 10).maxBatchBytes(isValue ? 10 : 1000);
      assertThatIllegalArgumentException()
          .isThrownBy(settings.maxInFlightBytes(1999)::build)
          .withMessageContainingAll("maxInFlightBytes=1999", "=1000", "=10");
      settings.maxInFlightBytes(2000).build().close();
    }
  }

  @Test
  void timesThatAreNotSetAreThoseThatAreDocumented() {
    RemoteSecondaryCacheBuilder settings = RemoteSecondaryCache.builder();
    assertThat(settings.ttl).isEqualTo(Duration.ofHours(1));
    assertThat(settings.timeout).isEqualTo(Duration.ofMillis(100));
    assertThat(settings.probeInterval).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aStoreAndANamespaceMustBeGiven() {
    ScriptedStore store = new ScriptedStore();
    assertThatIllegalStateException()
        .isThrownBy(RemoteSecondaryCache.builder().store(store)::build)
        .withMessageEndingWith("namespace=null");
    assertThatIllegalStateException()
        .isThrownBy(RemoteSecondaryCache.builder().namespace("orders")::build)
        .withMessageEndingWith("store=null, namespace=orders");
    assertThat(store.closes).hasValue(0);
  }
}
