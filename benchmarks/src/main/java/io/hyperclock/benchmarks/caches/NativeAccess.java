/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

/** What JVMs that are started here need to reach slots off the heap by address. */
public final class NativeAccess {
  /** Of JVMs that run no jar, so that no manifest says it; 17 takes it and does nothing. */
  public static final String OPTION = "--enable-native-access=ALL-UNNAMED";

  private NativeAccess() {}
}
