/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package stranger;

import io.hyperclock.secondary.SecondaryCache;

/** What the stranger's project is made for; its tests hold a tier to the contract. */
public final class OwnTier {
  private OwnTier() {}

  /** The tier's class. */
  public static Class<SecondaryCache> kind() {
    return SecondaryCache.class;
  }
}
