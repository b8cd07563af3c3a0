/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.drops;

/** Looks inside of the files dropped, for tests of whole caches. */
public final class DropTables {
  private DropTables() {}

  /** Places of the table of drops. */
  public static int places(DroppedFiles files) {
    return files.table.size();
  }
}
