/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockLoader;
import io.hyperclock.EntryAttributes;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.internal.observe.IncidentLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class LoadRequestTest {
  private static final Key128 KEY = new Key128(1, 2);

  private final IncidentLog failures = new IncidentLog("a disposer threw");
  private final List<@Nullable Object> freed = new ArrayList<>();

  @SuppressWarnings("unchecked")
  private LoadRequest<Object, String> request(EntryType<?> type, long estimate) {
    BlockLoader<Object> rules = (hi, lo) -> null;
    return new LoadRequest<>(
        KEY,
        (ResultKind<Object, String>) (ResultKind<?, String>) new TestForm(),
        (EntryType<Object>) type,
        rules,
        new LoadRequest.Terms(type, estimate, failures));
  }

  private long charge(EntryType<?> type, long estimate, Object value) {
    return request(type, estimate).entry(KEY, value).chargeBytes();
  }

  @Test
  void aChargeThatNobodyTellsIsTheSizeOfAnArrayOrABuffer() {
    EntryType<Object> type = EntryType.of("collected");
    long unknown = EntryAttributes.UNKNOWN_CHARGE;
    assertThat(charge(type, unknown, new byte[5])).isEqualTo(5);
    assertThat(charge(type, unknown, ByteBuffer.allocate(7).limit(3))).isEqualTo(7);
    assertThatThrownBy(() -> charge(type, unknown, "text"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("chargeBytes must be known")
        .hasMessageEndingWith("type=java.lang.String");
  }

  @Test
  void theEstimateAndTheCodecGoBeforeTheSize() {
    assertThat(charge(EntryType.of("collected"), 9, new byte[5])).isEqualTo(9);
    assertThat(charge(EntryType.of("collected"), 9, "text")).isEqualTo(9);
    EntryType<byte[]> coded = EntryType.<byte[]>named("coded").codec(EntryCodec.ofBytes()).build();
    long byCodec = EntryCodec.ofBytes().chargeBytes(new byte[5]);
    assertThat(charge(coded, 9, new byte[5])).isEqualTo(byCodec);
  }

  /** What a loader left empty before it threw. */
  @Test
  void noDisposerIsAskedToFreeNull() {
    EntryType<Object> type =
        EntryType.<Object>named("freed").disposer((hi, lo, value) -> freed.add(value)).build();
    request(type, 1).dispose(1, 2, null);
    request(type, 1).dispose(1, 2, "value");
    assertThat(freed).containsExactly("value");
    assertThat(failures.count()).isZero();
  }

  @Test
  void aDisposerThatThrowsIsCountedAndTheValueHasNoOtherOwner() {
    EntryType<Object> type =
        EntryType.<Object>named("broken")
            .disposer(
                (hi, lo, value) -> {
                  freed.add(value);
                  throw new IllegalStateException("broken");
                })
            .build();
    assertThatThrownBy(() -> charge(type, EntryAttributes.UNKNOWN_CHARGE, "text"))
        .hasMessageContaining("chargeBytes must be known");
    assertThat(freed).containsExactly("text");
    assertThat(failures.count()).isEqualTo(1);
  }
}
