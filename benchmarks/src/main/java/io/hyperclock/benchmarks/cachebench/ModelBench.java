/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.benchmarks.cachebench.model.ModelEntry;
import io.hyperclock.benchmarks.cachebench.model.RocksDbModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The model of RocksDB's rules, as a cache that runs the workload. */
final class ModelBench implements BenchCache<ModelEntry<byte[]>> {
  private final RocksDbModel<byte[]> model;
  private final long charge;

  ModelBench(RocksDbModel.Settings settings) {
    this.model = new RocksDbModel<>(settings);
    this.charge = settings.chargeBytes();
  }

  @Override
  public @Nullable ModelEntry<byte[]> lookup(long hi, long lo) {
    return model.lookup(hi, lo);
  }

  @Override
  public byte[] value(ModelEntry<byte[]> held) {
    return held.value();
  }

  @Override
  public void release(ModelEntry<byte[]> held) {
    model.release(held);
  }

  @Override
  public ModelEntry<byte[]> insertHeld(long hi, long lo, byte[] value, Origin origin) {
    return model.insertHeld(hi, lo, value);
  }

  @Override
  public void insert(long hi, long lo, byte[] value, Origin origin) {
    model.insert(hi, lo, value);
  }

  @Override
  public void erase(long hi, long lo) {
    model.erase(hi, lo);
  }

  @Override
  public void setCapacityBytes(long capacityBytes) {
    model.setCapacityBytes(capacityBytes);
  }

  @Override
  public Scan scan() {
    long entries = model.visibleEntries();
    return new Scan(entries, entries * charge);
  }

  @Override
  public long occupancy() {
    return model.occupancy();
  }

  @Override
  public long slots() {
    return model.slots();
  }

  @Override
  public boolean keepsNewcomers() {
    return true;
  }

  @Override
  public List<String> problems() {
    return List.of();
  }

  @Override
  public void close() {}
}
