/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import org.jspecify.annotations.Nullable;

/**
 * A prepared version as seen at one moment.
 *
 * @param <V> type of the values
 * @param value the value, null if the prepare is one of a delete
 * @param chargeBytes its charge
 * @param mode what readers find
 * @param grouped whether it is decided with a group
 * @param id {@link PrepareToken#id} of its token
 */
public record PreparedVersion<V>(
    @Nullable V value, long chargeBytes, PrepareMode mode, boolean grouped, long id) {
  /**
   * Whether a commit will remove the key.
   *
   * @return true if there is no value
   */
  public boolean isDelete() {
    return value == null;
  }
}
