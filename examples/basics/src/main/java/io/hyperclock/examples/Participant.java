/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.VersionedCache;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * A participant of a two-phase commit that serves accounts from a cache. Its vote is a prepare of
 * all accounts of a transaction; the coordinator's decision commits or aborts them at once. What it
 * has voted is on its disk, so that it can vote again after a crash: then in doubt, because the
 * coordinator may have decided meanwhile.
 *
 * <p>A vote locks its accounts until it is decided, however long that takes: so the lease of the
 * prepares never ends. Hits take no lock; all else takes turns, so that no balance that was read
 * from disk before a decision is cached after it.
 */
final class Participant {
  private static final long CHARGE_BYTES = 64;

  private final Disk disk;
  private final VersionedCache<Long> cache;
  private final Map<Long, PrepareGroup> open = new HashMap<>();

  /** What survives a crash. */
  static class Disk {
    final Map<Long, Long> balances = new HashMap<>();
    final Map<Long, Map<Long, Long>> votes = new ConcurrentHashMap<>();

    long balance(long account) {
      return balances.getOrDefault(account, 0L);
    }
  }

  private Participant(Disk disk, LongSupplier nanoClock) {
    this.disk = disk;
    this.cache =
        VersionedCache.<Long>builder()
            .capacityBytes(1 << 20)
            .estimatedEntryCharge(CHARGE_BYTES)
            .lease(ChronoUnit.FOREVER.getDuration())
            .nanoClock(nanoClock)
            .build();
  }

  /**
   * A participant with what is on its disk; transactions it has voted for are in doubt.
   *
   * @throws IllegalStateException if their accounts cannot be locked; the disk is unchanged then
   */
  static Participant start(Disk disk) {
    return start(disk, System::nanoTime);
  }

  static Participant start(Disk disk, LongSupplier nanoClock) {
    Participant participant = new Participant(disk, nanoClock);
    disk.votes.forEach(
        (transaction, balances) -> {
          if (!participant.prepare(transaction, balances, PrepareMode.IN_DOUBT)) {
            throw new IllegalStateException("cannot be locked: transaction=" + transaction);
          }
        });
    return participant;
  }

  /**
   * Votes for a transaction. The coordinator may ask again.
   *
   * @return false if it must be aborted, such as for an account of another undecided one
   */
  synchronized boolean vote(long transaction, Map<Long, Long> balances) {
    Map<Long, Long> voted = disk.votes.get(transaction);
    if (voted != null) {
      return voted.equals(balances);
    }
    if (!prepare(transaction, balances, PrepareMode.PLAIN)) {
      return false;
    }
    boolean done = false;
    try {
      disk.votes.put(transaction, Map.copyOf(balances));
      done = true;
      return true;
    } finally {
      if (!done) {
        open.remove(transaction).abort();
      }
    }
  }

  private boolean prepare(long transaction, Map<Long, Long> balances, PrepareMode mode) {
    PrepareGroup group = cache.newGroup();
    boolean done = false;
    try {
      for (Map.Entry<Long, Long> entry : balances.entrySet()) {
        PrepareOutcome outcome =
            cache.prepare(0, entry.getKey(), entry.getValue(), CHARGE_BYTES, mode, group).outcome();
        if (outcome != PrepareOutcome.PREPARED) {
          return false;
        }
      }
      open.put(transaction, group);
      done = true;
      return true;
    } finally {
      if (!done) {
        group.abort(); // Else its locks would stay.
      }
    }
  }

  /** The coordinator's decision of one transaction: first on the disk, then for readers. */
  synchronized void decide(long transaction, boolean commit) {
    Map<Long, Long> balances = disk.votes.get(transaction);
    if (balances != null && commit) {
      disk.balances.putAll(balances);
    }
    PrepareGroup group = open.get(transaction);
    if (group != null && commit) {
      group.commit();
    } else if (group != null) {
      group.abort();
    }
    open.remove(transaction);
    disk.votes.remove(transaction); // At last: a decision that fails half way is asked for again.
  }

  /** Decides whatever is in doubt as the coordinator has. */
  void resolve(LongPredicate committed) {
    for (long transaction : disk.votes.keySet()) {
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
    return cached == null ? readFromDisk(account) : cached;
  }

  private synchronized long readFromDisk(long account) {
    long balance = disk.balance(account);
    cache.insert(0, account, balance, CHARGE_BYTES); // keeps what has been committed
    return balance;
  }
}
