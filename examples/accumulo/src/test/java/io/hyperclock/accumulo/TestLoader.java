/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.accumulo.core.spi.cache.BlockCache.Loader;

/** A loader that counts its loads and remembers what it was given. */
final class TestLoader implements Loader {
  private final Map<String, Loader> dependencies = new LinkedHashMap<>();
  private final Function<Map<String, byte[]>, byte[]> load;
  private final AtomicInteger loads = new AtomicInteger();
  private volatile int maxSize;

  private TestLoader(Function<Map<String, byte[]>, byte[]> load) {
    this.load = load;
  }

  static TestLoader of(Function<Map<String, byte[]>, byte[]> load) {
    return new TestLoader(load);
  }

  static TestLoader ofBytes(byte[] bytes) {
    return new TestLoader(resolved -> bytes);
  }

  TestLoader needs(String name, Loader loader) {
    dependencies.put(name, loader);
    return this;
  }

  int loads() {
    return loads.get();
  }

  int maxSize() {
    return maxSize;
  }

  @Override
  public Map<String, Loader> getDependencies() {
    return dependencies;
  }

  @Override
  public byte[] load(int maxSize, Map<String, byte[]> resolved) {
    this.maxSize = maxSize;
    loads.incrementAndGet();
    return load.apply(resolved);
  }
}
