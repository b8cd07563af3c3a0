/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** [two-versions] Who comes into a slot to write, and what each way out leaves behind. */
@Timeout(60)
class WriterLatchTest {
  private static final int SLOT = 3;
  private static final long PINNED = MetaWord.visible(2, false, true, 0) + MetaWord.ACQUIRE_ONE;

  private final CountingSlotStore store = new CountingSlotStore(8);
  private final SlotProtocol slots = new SlotProtocol(store, 3);
  private final WriterLatch latch = new WriterLatch(slots);

  @BeforeEach
  void fill() {
    assertThat(slots.claim(SLOT)).isTrue();
    slots.fill(SLOT, 1, 2, "value", ChargeWord.of(0, 1));
    set(PINNED);
  }

  private void set(long meta) {
    store.setMetaRelease(SLOT, meta);
    store.reset();
  }

  private long meta() {
    return store.words().metaAcquire(SLOT);
  }

  @Test
  void oneWriterIsInside() {
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.ENTERED);
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.BUSY);
    latch.setValue(SLOT, "other");
    latch.leave(SLOT);
    assertThat(store.valueAcquire(SLOT)).isEqualTo("other");
    assertThat(meta()).isEqualTo(PINNED);
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.ENTERED);
  }

  @Test
  void noWriterComesInWhereNoneMay() {
    set(MetaWord.hidden(PINNED));
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.GONE);
    set(PINNED | MetaWord.PREPARED);
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.PREPARED);
    assertThat(meta()).isEqualTo(PINNED | MetaWord.PREPARED);
  }

  @Test
  void waitingEndsAfterAWhile() {
    int waits = 0;
    while (WriterLatch.mayWait(waits)) {
      waits++;
    }
    assertThat(waits).isBetween(100, 100_000);
    assertThat(WriterLatch.mayWait(waits + 1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPreparedVersionStaysWhenItsWriterGoes(boolean readable) {
    assertThat(latch.enter(SLOT)).isEqualTo(WriterLatch.ENTERED);
    latch.prepare(SLOT, readable);
    assertThat(MetaWord.isPrepared(meta())).isTrue();
    assertThat(MetaWord.isEntered(meta())).isFalse();
    assertThat(MetaWord.isReadable(meta())).isEqualTo(readable);
    assertThat(MetaWord.refcount(meta())).isEqualTo(1);
    latch.complete(SLOT);
    assertThat(MetaWord.isPrepared(meta())).isFalse();
    assertThat(MetaWord.isReadable(meta())).isTrue();
    assertThat(MetaWord.refcount(meta())).isZero();
    assertThat(MetaWord.releases(meta())).as("a prepare is a use").isEqualTo(3);
  }

  @Test
  void completingDoesNotWearTheCountersOut() {
    int worn = (1 << (MetaWord.COUNTER_BITS - 1)) + 4;
    set(MetaWord.visible(worn, false, true, 0) + MetaWord.ACQUIRE_ONE | MetaWord.PREPARED);
    latch.complete(SLOT);
    assertThat(MetaWord.releases(meta())).isEqualTo(worn);
    assertThat(MetaWord.refcount(meta())).isZero();
  }

  @Test
  void readsAreSentToAPreparedVersionOnce() {
    set(PINNED | MetaWord.PREPARED);
    latch.divertReads(SLOT);
    assertThat(meta()).isEqualTo(MetaWord.notReadable(PINNED | MetaWord.PREPARED));
    store.reset();
    latch.divertReads(SLOT);
    assertThat(store.stores()).isZero();
    set(PINNED);
    latch.divertReads(SLOT);
    assertThat(meta()).as("not prepared any more").isEqualTo(PINNED);
  }

  @Test
  void whatIsHiddenIsTheLastHoldersToTearDown() {
    set(PINNED + MetaWord.ACQUIRE_ONE | MetaWord.PREPARED | MetaWord.WRITER);
    assertThat(latch.hideAndRelease(SLOT)).isFalse();
    assertThat(meta()).isEqualTo(MetaWord.hidden(PINNED));
    set(PINNED | MetaWord.PREPARED);
    assertThat(latch.hideAndRelease(SLOT)).isTrue();
    assertThat(meta()).isEqualTo(MetaWord.UNDER_CONSTRUCTION);
  }
}
