/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordTypesTest {
  private static final int REMEMBERED = 64;

  private final RecordTypes types = new RecordTypes();

  @Test
  void aRecordHasTheNameAndTheRoleOfItsValue() {
    EntryType<String> original =
        EntryType.<String>named("index").role(EntryRole.INDEX_BLOCK).build();

    EntryType<byte[]> record = types.recordType(original);

    assertThat(record.name()).isEqualTo("compressed index");
    assertThat(record.role()).isEqualTo(EntryRole.INDEX_BLOCK);
  }

  @Test
  void typesOfOneNameAreToldApart() {
    EntryType<String> one = EntryType.of("block");
    EntryType<String> another = EntryType.of("block");

    assertThat(types.recordType(another)).isNotSameAs(types.recordType(one));
    assertThat(types.original(types.recordType(one))).isSameAs(one);
    assertThat(types.original(types.recordType(another))).isSameAs(another);
  }

  @Test
  void typesBeyondTheLastShareOneThatStandsForNoneAndTheOthersStayKnown() {
    List<EntryType<byte[]>> records = new ArrayList<>();
    List<EntryType<String>> originals = new ArrayList<>();
    for (int i = 0; i < REMEMBERED; i++) {
      originals.add(EntryType.of("type " + i));
      records.add(types.recordType(originals.get(i)));
    }

    EntryType<byte[]> beyond = types.recordType(EntryType.of("one more"));
    assertThat(types.recordType(EntryType.of("and another"))).isSameAs(beyond);
    assertThat(types.original(beyond)).isNull();
    for (int i = 0; i < REMEMBERED; i++) {
      assertThat(types.recordType(originals.get(i))).isSameAs(records.get(i));
      assertThat(types.original(records.get(i))).isSameAs(originals.get(i));
    }
  }
}
