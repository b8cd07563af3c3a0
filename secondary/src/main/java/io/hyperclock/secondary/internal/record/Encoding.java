/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.compression.Compressor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a tier makes records of values: the part of its settings that all tiers have. LZ4 unless told
 * otherwise, then Zstandard; filters as they are. Not thread-safe.
 */
public final class Encoding {
  private List<Compression> preferred = List.of(Compression.LZ4, Compression.ZSTD);
  private @Nullable Compressor foreign;
  private Set<EntryRole> rawRoles = EnumSet.of(EntryRole.FILTER_BLOCK, EntryRole.FILTER_META_BLOCK);

  /** The first of these that can be used. */
  public void prefer(Compression first, Compression... next) {
    List<Compression> list = new ArrayList<>();
    list.add(Objects.requireNonNull(first, "first must not be null"));
    for (Compression compression : Objects.requireNonNull(next, "next must not be null")) {
      list.add(Objects.requireNonNull(compression, "next must not be null"));
    }
    preferred = list;
    foreign = null;
  }

  /**
   * A compressor of the caller's.
   *
   * @throws IllegalArgumentException if its id is not one for such
   */
  public void use(Compressor compressor) {
    int id = Objects.requireNonNull(compressor, "compressor must not be null").id();
    if (id < Compressor.MIN_FOREIGN_ID || id > Compressor.MAX_ID) {
      throw new IllegalArgumentException(
          "id must be in [" + Compressor.MIN_FOREIGN_ID + ", " + Compressor.MAX_ID + "]: id=" + id);
    }
    foreign = compressor;
  }

  /** Values of these roles stay as they are encoded. */
  public void leaveRaw(Set<EntryRole> roles) {
    EnumSet<EntryRole> copy = EnumSet.noneOf(EntryRole.class);
    for (EntryRole role : Objects.requireNonNull(roles, "roles must not be null")) {
      copy.add(Objects.requireNonNull(role, "roles must not contain null"));
    }
    rawRoles = copy;
  }

  /** The compressor, chosen now; null for none. */
  public @Nullable Compressor compressor() {
    return foreign != null ? foreign : Compression.firstAvailable(preferred).compressor();
  }

  /** Roles whose values stay as they are encoded. */
  public Set<EntryRole> rawRoles() {
    return EnumSet.copyOf(rawRoles);
  }
}
