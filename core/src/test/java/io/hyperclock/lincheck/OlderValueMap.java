/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lincheck;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a cache without evictions must look like to its callers: a map that keeps the older value.
 * Lincheck makes one for each scenario, and calls the methods by their names.
 */
public final class OlderValueMap {
  private final Map<Integer, Integer> values = new HashMap<>();

  /** Made by Lincheck. */
  public OlderValueMap() {}

  public @Nullable Integer get(int key) {
    return values.get(key);
  }

  public @Nullable Integer peek(int key) {
    return values.get(key);
  }

  public @Nullable Integer lookup(int key) {
    return values.get(key);
  }

  public boolean insert(int key, int value) {
    return values.putIfAbsent(key, value) == null;
  }

  public int insertPinned(int key, int value) {
    values.putIfAbsent(key, value);
    return value;
  }

  public int putPinned(int key, int value) {
    values.put(key, value);
    return value;
  }

  public boolean put(int key, int value) {
    return values.put(key, value) != null;
  }

  public boolean replace(int key, int value) {
    return values.replace(key, value) != null;
  }

  public @Nullable Integer increase(int key) {
    Integer before = values.get(key);
    if (before != null) {
      values.put(key, before + 10);
    }
    return before;
  }

  public @Nullable Integer take(int key) {
    return values.remove(key);
  }

  public boolean erase(int key) {
    return values.remove(key) != null;
  }
}
