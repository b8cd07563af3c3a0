/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

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

    assertEquals("compressed index", record.name());
    assertEquals(EntryRole.INDEX_BLOCK, record.role());
  }

  @Test
  void typesOfOneNameAreToldApart() {
    EntryType<String> one = EntryType.of("block");
    EntryType<String> another = EntryType.of("block");

    assertNotSame(types.recordType(one), types.recordType(another));
    assertSame(one, types.original(types.recordType(one)));
    assertSame(another, types.original(types.recordType(another)));
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
    assertSame(beyond, types.recordType(EntryType.of("and another")));
    assertNull(types.original(beyond));
    for (int i = 0; i < REMEMBERED; i++) {
      assertSame(records.get(i), types.recordType(originals.get(i)));
      assertSame(originals.get(i), types.original(records.get(i)));
    }
  }
}
