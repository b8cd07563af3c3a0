/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CapacityMode;
import io.hyperclock.internal.sizing.TableSizing;
import java.util.Objects;

/**
 * Capacity and mode of a cache, shared out among its shards. Of two changes at the same moment the
 * last one to be stored is what every shard ends with.
 */
final class CapacitySettings {
  private final Shards shards;
  private volatile long capacityBytes;
  private volatile CapacityMode mode;

  CapacitySettings(Shards shards, CacheConfig<?> config) {
    this.shards = shards;
    this.capacityBytes = config.capacityBytes();
    this.mode = config.mode();
  }

  long capacityBytes() {
    return capacityBytes;
  }

  void setCapacityBytes(long capacityBytes) {
    TableSizing.requireCapacity(capacityBytes);
    this.capacityBytes = capacityBytes;
    long applied;
    do {
      applied = this.capacityBytes;
      for (int i = 0; i < shards.count(); i++) {
        long share = TableSizing.share(applied, shards.count(), i);
        Shard swept;
        do {
          swept = shards.at(i).newest();
          swept.enforcer().setCapacity(share);
          // Else another table has taken the place of what was swept.
        } while (swept != shards.at(i).newest());
        Resizing resizing = shards.resizing(i);
        if (resizing != null) {
          resizing.fit();
        }
      }
    } while (applied != this.capacityBytes);
  }

  CapacityMode mode() {
    return mode;
  }

  void setMode(CapacityMode mode) {
    this.mode = Objects.requireNonNull(mode, "mode must not be null");
    CapacityMode applied;
    do {
      applied = this.mode;
      for (int i = 0; i < shards.count(); i++) {
        shards.at(i).ledger().setStrict(applied == CapacityMode.STRICT);
      }
    } while (applied != this.mode);
  }
}
