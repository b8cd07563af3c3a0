/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EncodingTest {
  private final Encoding encoding = new Encoding();

  private static final class Numbered extends RunLengthCompressor {
    private final int id;

    Numbered(int id) {
      this.id = id;
    }

    @Override
    public int id() {
      return id;
    }
  }

  @Test
  void valuesAreCompressedByLz4AndFiltersLeftUnlessToldOtherwise() {
    assertThat(encoding.compressor()).isSameAs(Compression.LZ4.compressor());
    assertThat(encoding.rawRoles())
        .containsExactlyInAnyOrder(EntryRole.FILTER_BLOCK, EntryRole.FILTER_META_BLOCK);
  }

  @Test
  void whatWasToldLastCounts() {
    Compressor foreign = new RunLengthCompressor();
    encoding.prefer(Compression.DEFLATE, Compression.LZ4);
    assertThat(encoding.compressor()).isSameAs(Compression.DEFLATE.compressor());
    encoding.use(foreign);
    assertThat(encoding.compressor()).isSameAs(foreign);
    encoding.prefer(Compression.NONE);
    assertThat(encoding.compressor()).isNull();
  }

  @Test
  void foreignCompressorsHaveNumbersOfTheirOwn() {
    for (int id : new int[] {Compressor.MIN_FOREIGN_ID, Compressor.MAX_ID}) {
      encoding.use(new Numbered(id));
      assertThat(encoding.compressor().id()).isEqualTo(id);
    }
    for (int id : new int[] {Compressor.MIN_FOREIGN_ID - 1, Compressor.MAX_ID + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> encoding.use(new Numbered(id)))
          .withMessage("id must be in [16, 127]: id=" + id);
    }
    assertThat(encoding.compressor().id()).as("as it was").isEqualTo(Compressor.MAX_ID);
  }

  @Test
  void rolesAreCopied() {
    Set<EntryRole> roles = EnumSet.of(EntryRole.INDEX_BLOCK);
    encoding.leaveRaw(roles);
    roles.clear();
    assertThat(encoding.rawRoles()).containsExactly(EntryRole.INDEX_BLOCK);
    encoding.rawRoles().clear();
    assertThat(encoding.rawRoles()).containsExactly(EntryRole.INDEX_BLOCK);
    encoding.leaveRaw(Set.of());
    assertThat(encoding.rawRoles()).isEmpty();
  }
}
