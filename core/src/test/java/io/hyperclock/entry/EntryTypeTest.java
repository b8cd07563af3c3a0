/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EntryTypeTest {
  /** Does nothing; only its identity matters. */
  private static final class NoCodec implements EntryCodec<String> {
    @Override
    public int encodedSizeBytes(String value) {
      return 0;
    }

    @Override
    public void encode(String value, ByteBuffer target) {}

    @Override
    public String decode(ByteBuffer source, @Nullable Object context) {
      return "";
    }

    @Override
    public long chargeBytes(String value) {
      return 0;
    }
  }

  @Test
  void shortFormIsDataLeftToTheCollector() {
    EntryType<String> type = EntryType.of("data");
    assertThat(type.name()).isEqualTo("data");
    assertThat(type.role()).isEqualTo(EntryRole.DATA_BLOCK);
    assertThat(type.codec()).isNull();
    assertThat(type.disposer()).isNull();
  }

  @Test
  void builderSetsEverything() {
    NoCodec codec = new NoCodec();
    Disposer<Object> disposer = (hi, lo, value) -> {};
    EntryType<String> type =
        EntryType.<String>named("all")
            .role(EntryRole.BLOB_VALUE)
            .codec(codec)
            .disposer(disposer)
            .build();
    assertThat(type.name()).isEqualTo("all");
    assertThat(type.role()).isEqualTo(EntryRole.BLOB_VALUE);
    assertThat(type.codec()).isSameAs(codec);
    assertThat(type.disposer()).isSameAs(disposer);
    assertThat(type.toString()).contains("all").contains("BLOB_VALUE");
  }

  @Test
  void typesAreEqualOnlyToThemselves() {
    EntryType.Builder<String> builder = EntryType.named("twin");
    EntryType<String> first = builder.build();
    EntryType<String> second = builder.build();
    assertThat(first).isEqualTo(first).isNotEqualTo(second);
  }

  @Test
  void aTypeDoesNotChangeWithItsBuilder() {
    EntryType.Builder<String> builder = EntryType.<String>named("fixed").role(EntryRole.MISC);
    EntryType<String> type = builder.build();
    builder.role(EntryRole.INDEX_BLOCK).disposer((hi, lo, value) -> {});
    assertThat(type.role()).isEqualTo(EntryRole.MISC);
    assertThat(type.disposer()).isNull();
  }

  @Test
  void badSettingsAreRefused() {
    assertThatThrownBy(() -> EntryType.of(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name must not be null");
    assertThatThrownBy(() -> EntryType.of(" \t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name must not be blank: name=\" \t\"");
    EntryType.Builder<String> builder = EntryType.named("x");
    assertThatThrownBy(() -> builder.role(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("role must not be null");
    assertThatThrownBy(() -> builder.codec(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("codec must not be null");
    assertThatThrownBy(() -> builder.disposer(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("disposer must not be null");
  }
}
