/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypeRegistryTest {
  @Test
  void typesAreNumberedInTurnUpToTheMost() {
    TypeRegistry registry = new TypeRegistry();
    List<EntryType<String>> types = new ArrayList<>();
    for (int id = 0; id < ChargeWord.MAX_TYPES; id++) {
      types.add(EntryType.of("type"));
      assertThat(registry.idOf(types.get(id))).isEqualTo(id);
    }
    for (int id : new int[] {0, 1, 1000, ChargeWord.MAX_TYPES - 1}) {
      assertThat(registry.idOf(types.get(id))).isEqualTo(id);
      assertThat(registry.of(ChargeWord.of(id, 5))).isSameAs(types.get(id));
    }
    assertThatThrownBy(() -> registry.idOf(EntryType.of("one more")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a cache must have at most %d entry types: types=%1$d", ChargeWord.MAX_TYPES);
  }
}
