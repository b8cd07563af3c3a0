/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.VersionedCache;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * A participant of a two-phase commit that serves accounts from a cache. Its vote is a prepare of
 * all accounts of a transaction; the coordinator's decision commits or aborts them at once. What it
 * has voted is on its disk, so that it can vote again after a crash: then in doubt, because the
 * coordinator may have decided meanwhile.
 */
final class Participant {
  private static final long CHARGE_BYTES = 64;

  private final Disk disk;
  private final VersionedCache<Long> cache;
  private final Map<Long, PrepareGroup> open = new HashMap<>();

  /** What survives a crash. */
  static final class Disk {
    final Map<Long, Long> balances = new HashMap<>();
    final Map<Long, Map<Long, Long>> votes = new LinkedHashMap<>();
  }

  private Participant(Disk disk) {
    this.disk = disk;
    this.cache =
        VersionedCache.<Long>builder().capacityBytes(1 << 20).estimatedEntryCharge(64).build();
  }

  /** A participant with what is on its disk; transactions it has voted for are in doubt. */
  static Participant start(Disk disk) {
    Participant participant = new Participant(disk);
    disk.votes.forEach((id, balances) -> participant.prepare(id, balances, PrepareMode.IN_DOUBT));
    return participant;
  }

  /**
   * Votes for a transaction.
   *
   * @return false if it must be aborted
   */
  boolean vote(long transaction, Map<Long, Long> balances) {
    if (!prepare(transaction, balances, PrepareMode.PLAIN)) {
      return false;
    }
    disk.votes.put(transaction, balances);
    return true;
  }

  private boolean prepare(long transaction, Map<Long, Long> balances, PrepareMode mode) {
    PrepareGroup group = cache.newGroup();
    for (Map.Entry<Long, Long> entry : balances.entrySet()) {
      PrepareOutcome outcome =
          cache.prepare(0, entry.getKey(), entry.getValue(), CHARGE_BYTES, mode, group).outcome();
      if (outcome != PrepareOutcome.PREPARED) {
        group.abort();
        return false;
      }
    }
    open.put(transaction, group);
    return true;
  }

  /** The coordinator's decision of one transaction. */
  void decide(long transaction, boolean commit) {
    PrepareGroup group = open.remove(transaction);
    Map<Long, Long> balances = disk.votes.remove(transaction);
    if (balances == null || group == null) {
      return;
    }
    if (commit) {
      disk.balances.putAll(balances);
      if (group.commit() == Decision.STALE) {
        // The lease has ended: reads find the new balances on the disk.
        balances.keySet().forEach(account -> cache.erase(0, account));
      }
    } else {
      group.abort();
    }
  }

  /** Decides whatever is in doubt as the coordinator has. */
  void resolve(LongPredicate committed) {
    for (Long transaction : Map.copyOf(open).keySet()) {
      decide(transaction, committed.test(transaction));
    }
  }

  /**
   * Reads an account.
   *
   * @throws InDoubtException if it belongs to a transaction that this participant cannot decide
   */
  long balance(long account) {
    Long cached = cache.get(0, account);
    if (cached == null) {
      cached = disk.balances.getOrDefault(account, 0L);
      cache.put(0, account, cached, CHARGE_BYTES);
    }
    return cached;
  }
}
