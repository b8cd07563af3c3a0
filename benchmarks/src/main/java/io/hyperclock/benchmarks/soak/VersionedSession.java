/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareResult;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.PreparedVersion;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedStats;
import io.hyperclock.versioned.Versions;
import io.hyperclock.versioned.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What one worker does to a cache of two versions. */
final class VersionedSession implements Part.Session {
  private static final int MOST_PREPARED = 16;

  /**
   * What is to be decided.
   *
   * @param writes the writes, by key
   * @param proposals their values; none for a delete
   * @param token how it is decided, or null for a group
   * @param group how it is decided, or null for a single one
   */
  private record Vote(
      List<SoakVersions.Write> writes,
      List<Proposal> proposals,
      @Nullable PrepareToken token,
      @Nullable PrepareGroup group) {}

  private final VersionedPart part;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final VersionedCache<Proposal> cache;
  private final Space space;
  private final List<Vote> votes = new ArrayList<>();

  VersionedSession(VersionedPart part, SoakWorker worker) {
    this.part = part;
    this.worker = worker;
    this.random = worker.random;
    this.cache = part.cache();
    this.space = part.space;
  }

  @Override
  public void step() {
    int key = part.key(random);
    switch (random.nextInt(32)) {
      case 0, 1, 2, 3 -> write(key, true);
      case 4 -> write(key, false);
      case 5 -> erase(key);
      case 6, 7, 8, 9 -> prepare(key);
      case 10, 11 -> prepareGroup();
      case 12, 13, 14, 15, 16, 17 -> decide();
      case 18 -> readForWrite(key);
      case 19 -> readVersions(key);
      case 20 -> readPrepared(key);
      case 21 -> rarely();
      default -> get(key);
    }
  }

  private Proposal propose(SoakVersions.Write write, Proposal.State state) {
    return new Proposal(
        new SoakBlock(space.hi, Space.lo(write.key()), write.version(), false, worker.doing()),
        state);
  }

  private void get(int key) {
    worker.doing("versioned get");
    Proposal found = read(key, 0);
    Proposal.Partner partner = found == null ? null : found.partner();
    if (partner != null) {
      read(partner.key(), partner.version());
    }
  }

  private @Nullable Proposal read(int key, long atLeast) {
    long floor = Math.max(atLeast, space.versions.floor(key));
    Proposal found;
    try {
      found = cache.get(space.hi, Space.lo(key));
    } catch (InDoubtException e) {
      return null;
    }
    check(key, floor, found);
    if (found == null) {
      worker.counts.misses.increment();
      return null;
    }
    worker.counts.hits.increment();
    Proposal.State state = found.state();
    if (state == Proposal.State.PREPARED || state == Proposal.State.UNDONE) {
      worker.findings.report("read as committed: " + found);
    }
    return found;
  }

  private void check(int key, long floor, @Nullable Proposal found) {
    if (found != null) {
      String wrong = space.wrong(key, floor, found.block());
      if (!wrong.isEmpty()) {
        worker.findings.report(wrong + ": " + found + ", operation=" + worker.doing());
      }
    }
  }

  private void write(int key, boolean isPut) {
    worker.doing(isPut ? "versioned put" : "versioned replace");
    SoakVersions.Write write = space.versions.begin(key);
    boolean isDone = false;
    try {
      Proposal value = propose(write, Proposal.State.COMMITTED);
      WriteResult result =
          isPut
              ? cache.put(space.hi, Space.lo(key), value, value.chargeBytes())
              : cache.replace(space.hi, Space.lo(key), value, value.chargeBytes());
      isDone =
          result == WriteResult.INSERTED
              || result == WriteResult.REPLACED
              || result == WriteResult.DROPPED;
    } finally {
      space.versions.end(write, isDone);
    }
  }

  private void erase(int key) {
    worker.doing("versioned erase");
    SoakVersions.Write write = space.versions.begin(key);
    boolean isDone = false;
    try {
      isDone = cache.erase(space.hi, Space.lo(key)) == WriteResult.ERASED;
    } finally {
      space.versions.end(write, isDone);
    }
  }

  private void prepare(int key) {
    if (votes.size() >= MOST_PREPARED) {
      decide();
      return;
    }
    worker.doing("prepare");
    SoakVersions.Write write = space.versions.begin(key);
    Proposal value = propose(write, Proposal.State.PREPARED);
    boolean isDelete = random.nextInt(8) == 0;
    @Nullable PrepareToken token = null;
    try {
      token =
          cache
              .prepare(
                  space.hi,
                  Space.lo(key),
                  isDelete ? null : value,
                  isDelete ? 0 : value.chargeBytes(),
                  mode())
              .token();
    } finally {
      if (token == null) {
        space.versions.end(write, false);
      } else {
        votes.add(new Vote(List.of(write), List.of(value), token, null));
      }
    }
  }

  private PrepareMode mode() {
    return random.nextInt(8) == 0 ? PrepareMode.IN_DOUBT : PrepareMode.PLAIN;
  }

  private void prepareGroup() {
    if (votes.size() >= MOST_PREPARED) {
      decide();
      return;
    }
    worker.doing("prepare of a group");
    PrepareGroup group = cache.newGroup();
    List<SoakVersions.Write> writes = new ArrayList<>();
    List<Proposal> proposals = new ArrayList<>();
    try {
      for (int i = 2 + random.nextInt(3); i > 0; i--) {
        int key = part.key(random);
        SoakVersions.Write write = space.versions.begin(key);
        Proposal value = propose(write, Proposal.State.PREPARED);
        boolean isIn = false;
        try {
          PrepareResult result =
              cache.prepare(space.hi, Space.lo(key), value, value.chargeBytes(), mode(), group);
          isIn = result.token() != null;
        } finally {
          if (isIn) {
            writes.add(write);
            proposals.add(value);
          } else {
            space.versions.end(write, false);
          }
        }
      }
      for (int i = 1; i < writes.size(); i++) {
        if (writes.get(i).alone()) {
          proposals
              .get(i - 1)
              .partner(new Proposal.Partner(writes.get(i).key(), writes.get(i).version()));
        }
      }
    } finally {
      votes.add(new Vote(writes, proposals, null, group));
    }
  }

  private void decide() {
    worker.doing("decide");
    if (!votes.isEmpty()) {
      decide(votes.remove(random.nextInt(votes.size())));
    }
  }

  private void decide(Vote vote) {
    boolean isCommit = random.nextInt(4) != 0;
    worker.doing(isCommit ? "commit" : "abort");
    Decision decision = Decision.STALE;
    if (isCommit) {
      vote.proposals().forEach(each -> each.state(Proposal.State.BEING_COMMITTED));
    }
    PrepareToken token = vote.token();
    PrepareGroup group = vote.group();
    try {
      for (int times = 1 + random.nextInt(2); times > 0; times--) {
        Decision before = decision;
        if (token != null) {
          decision = isCommit ? cache.commit(token) : cache.abort(token);
        } else if (group != null) {
          decision = isCommit ? group.commit() : group.abort();
        }
        if (before == Decision.OK && decision != Decision.OK) {
          worker.findings.report("a decision must not change: it was OK, now " + decision);
        }
      }
    } finally {
      boolean isCommitted = isCommit && decision == Decision.OK;
      vote.proposals()
          .forEach(
              each -> each.state(isCommitted ? Proposal.State.COMMITTED : Proposal.State.UNDONE));
      vote.writes().forEach(write -> space.versions.end(write, isCommitted));
    }
  }

  private void readForWrite(int key) {
    worker.doing("readForWrite");
    long floor = space.versions.floor(key);
    check(key, floor, cache.readForWrite(space.hi, Space.lo(key)));
  }

  private void readVersions(int key) {
    worker.doing("readVersions");
    long floor = space.versions.floor(key);
    Versions<Proposal> found = cache.readVersions(space.hi, Space.lo(key));
    check(key, floor, found.committed());
    PreparedVersion<Proposal> prepared = found.prepared();
    check(key, floor, prepared == null ? null : prepared.value());
  }

  private void readPrepared(int key) {
    worker.doing("readPrepared");
    long floor = space.versions.floor(key);
    PreparedVersion<Proposal> prepared = cache.readVersions(space.hi, Space.lo(key)).prepared();
    check(key, floor, prepared == null ? null : prepared.value());
  }

  private void rarely() {
    switch (random.nextInt(16)) {
      case 0 -> {
        worker.doing("markInDoubt");
        int remainder = random.nextInt(64);
        cache.markInDoubt((hi, lo) -> Space.key(lo) % 64 == remainder);
      }
      case 1 -> {
        worker.doing("expireLeases");
        part.advanceClock();
        cache.expireLeases();
      }
      case 2 -> {
        worker.doing("versioned visit");
        cache
            .monitor()
            .forEach(
                (hi, lo, versions) -> {
                  check(Space.key(lo), 0, versions.committed());
                });
      }
      case 3 -> {
        worker.doing("versioned stats");
        VersionedStats stats = cache.monitor().stats();
        if (stats.occupancy() > stats.slots() || stats.usageBytes() < 0) {
          worker.findings.report("occupancy must be <= slots, usage >= 0: " + stats);
        }
      }
      case 4 -> {
        worker.doing("namespaceStats");
        cache.monitor().namespaceStats(random.nextInt(VersionedPart.namespaces()));
      }
      default -> decide();
    }
  }

  @Override
  public void finish() {
    worker.doing("finish");
    while (!votes.isEmpty()) {
      if (random.nextInt(4) == 0) {
        forget(votes.remove(0));
      } else {
        decide(votes.remove(0));
      }
    }
  }

  /** Leaves a vote undecided: it ends with its lease. */
  private void forget(Vote vote) {
    vote.writes().forEach(write -> space.versions.end(write, false));
  }
}
