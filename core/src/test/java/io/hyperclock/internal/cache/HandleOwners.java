/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.Handle;
import io.hyperclock.internal.handle.EntryHandle;
import io.hyperclock.internal.handle.StandaloneEntry;
import java.lang.reflect.Field;

/** For tests: what a handle holds. */
public final class HandleOwners {
  private HandleOwners() {}

  /** Whether a handle holds a value alone that an exchange took out of its entry. */
  public static boolean isOverwritten(Handle<?> handle) {
    try {
      Field owner = EntryHandle.class.getDeclaredField("owner");
      owner.setAccessible(true);
      return owner.get(handle) instanceof StandaloneEntry && !handle.isStandalone();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
