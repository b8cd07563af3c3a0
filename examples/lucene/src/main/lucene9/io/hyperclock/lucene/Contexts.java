/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import org.apache.lucene.store.IOContext;

/** What an IOContext of Lucene 9.12 says. */
final class Contexts {
  private Contexts() {}

  /** Whether the file is read once and never again: commits, checksums. */
  static boolean readOnce(IOContext context) {
    return context.readOnce;
  }

  /** Whether the file is read from end to end for a merge. */
  static boolean merges(IOContext context) {
    return context.context == IOContext.Context.MERGE;
  }
}
