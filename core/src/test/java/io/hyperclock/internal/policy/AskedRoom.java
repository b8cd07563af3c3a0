/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/** Evicts nothing that there is: tells what it was asked for, and says that so much has left. */
public final class AskedRoom implements Replacement {
  /** What was asked for in turn: bytes, and {@code !} without an effort cap. */
  public final List<String> asked = new ArrayList<>();

  /** Entries that were asked for the last time. */
  public int entries;

  /** Charge of the entry for which it was asked the last time. */
  public long chargeBytes;

  /** Bytes of the one entry that leaves for so many; none leaves if negative. */
  public LongUnaryOperator left = bytes -> bytes;

  /** Slots looked at for it. */
  public int looks;

  /** Called before something leaves. */
  public Runnable before = () -> {};

  /** Whether an entry of two buckets leaves. */
  public BooleanSupplier local = () -> false;

  /** How often one was to. */
  public int localTries;

  /** Entries that came and were on no sum, when it was asked. */
  public int unknownEntries;

  /** Whether no insert waited for it, when it was asked. */
  public boolean hasTime;

  /** How often it was told of the end of an insert. */
  public int flushes;

  @Override
  public int worth(long meta, long cold) {
    return 0;
  }

  @Override
  public void makeRoom(EvictableEntries residents, EvictionRequest request) {
    asked.add(request.bytes() + (request.mustFree() ? "!" : ""));
    entries = request.missingEntries();
    chargeBytes = request.chargeBytes();
    unknownEntries = request.unknownEntries();
    hasTime = request.hasTime();
    request.looked(looks);
    before.run();
    long bytes = left.applyAsLong(request.bytes());
    if (bytes >= 0) {
      request.freed(bytes);
      request.defer(bytes);
    }
  }

  @Override
  public boolean makeRoomIn(
      EvictableEntries residents, int first, int second, EvictionRequest request) {
    localTries++;
    return local.getAsBoolean();
  }

  @Override
  public void flush(EvictionRequest request) {
    flushes++;
  }

  @Override
  public int newcomer(long hash, Priority priority, long chargeBytes) {
    return 0;
  }

  @Override
  public int countdown(Priority priority) {
    return 0;
  }

  @Override
  public long searchedForDead() {
    return 0;
  }

  @Override
  public Replacement resized(SlotProtocol slots, int entries) {
    return this;
  }
}
