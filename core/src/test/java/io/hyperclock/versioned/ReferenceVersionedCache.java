/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import io.hyperclock.stats.SlotAccess;
import io.hyperclock.versioned.ReferencePairs.Fate;
import io.hyperclock.versioned.ReferencePairs.Key;
import io.hyperclock.versioned.ReferencePairs.Pair;
import io.hyperclock.versioned.ReferencePairs.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The contract in its simplest form: a map from keys to pairs of versions, under one lock, with
 * room for everything.
 */
final class ReferenceVersionedCache<V> implements VersionedCache<V>, VersionedMonitor<V> {
  private final Map<Key, Pair<V>> pairs = new HashMap<>();
  private final int maxPrepares;
  private final long leaseNanos;
  private final LongSupplier clock;
  private final NamespaceFunction namespaceOf;
  private long lastId;
  private final long[] ended = new long[Fate.values().length];
  private long refusedInProgress;
  private long refusedNoRoom;

  static final class Members<V> implements PrepareGroup {
    final ReferenceVersionedCache<V> cache;
    final List<Token<V>> tokens = new ArrayList<>();
    Fate fate = Fate.PENDING;

    Members(ReferenceVersionedCache<V> cache) {
      this.cache = cache;
    }

    @Override
    public Decision commit() {
      return cache.endGroup(this, Fate.COMMITTED);
    }

    @Override
    public Decision abort() {
      return cache.endGroup(this, Fate.ABORTED);
    }
  }

  ReferenceVersionedCache(
      int maxPrepares, long leaseNanos, LongSupplier clock, NamespaceFunction namespaceOf) {
    this.maxPrepares = maxPrepares;
    this.leaseNanos = leaseNanos;
    this.clock = clock;
    this.namespaceOf = namespaceOf;
  }

  long nextId() {
    return ++lastId;
  }

  long deadline() {
    return clock.getAsLong() + leaseNanos;
  }

  private Pair<V> pair(long hi, long lo) {
    Pair<V> pair = unlooked(hi, lo);
    if (pair.prepared != null) {
      expireIfDue(pair.prepared);
    }
    return pair;
  }

  private Pair<V> unlooked(long hi, long lo) {
    return pairs.computeIfAbsent(new Key(hi, lo), key -> new Pair<>());
  }

  private void expireIfDue(Token<V> token) {
    if (clock.getAsLong() - token.deadline < 0) {
      return;
    }
    if (token.group != null) {
      endGroup(token.group, Fate.EXPIRED);
    } else {
      end(token, Fate.EXPIRED);
    }
  }

  private void end(Token<V> token, Fate fate) {
    if (token.fate != Fate.PENDING) {
      return;
    }
    token.fate = fate;
    Pair<V> pair = Objects.requireNonNull(pairs.get(token.key));
    pair.prepared = null;
    boolean forgets = fate == Fate.EXPIRED && token.mode == PrepareMode.IN_DOUBT;
    if (fate == Fate.COMMITTED || forgets) {
      pair.committed = forgets ? null : token.value;
      pair.chargeBytes = forgets ? 0 : token.chargeBytes;
    }
    ended[fate.ordinal()]++;
  }

  private synchronized Decision endGroup(Members<V> group, Fate fate) {
    if (group.fate == Fate.PENDING) {
      boolean expired =
          group.tokens.stream().anyMatch(token -> clock.getAsLong() - token.deadline >= 0);
      group.fate = expired ? Fate.EXPIRED : fate;
      group.tokens.forEach(token -> end(token, group.fate));
    }
    return group.fate == fate ? Decision.OK : Decision.STALE;
  }

  @Override
  public synchronized @Nullable V get(long keyHi, long keyLo) {
    Pair<V> pair = unlooked(keyHi, keyLo);
    if (pair.prepared != null && pair.prepared.mode == PrepareMode.IN_DOUBT) {
      expireIfDue(pair.prepared);
      if (pair.prepared != null) {
        throw new InDoubtException(keyHi, keyLo);
      }
    }
    return pair.committed;
  }

  @Override
  public synchronized @Nullable V readForWrite(long keyHi, long keyLo) {
    Pair<V> pair = pair(keyHi, keyLo);
    return pair.prepared == null ? pair.committed : pair.prepared.value;
  }

  @Override
  public synchronized Versions<V> readVersions(long keyHi, long keyLo) {
    return versions(pair(keyHi, keyLo));
  }

  private Versions<V> versions(Pair<V> pair) {
    Token<V> token = pair.prepared;
    return new Versions<>(
        pair.committed,
        token == null
            ? null
            : new PreparedVersion<>(
                token.value, token.chargeBytes, token.mode, token.group != null, token.id));
  }

  private WriteResult inProgress() {
    refusedInProgress++;
    return WriteResult.IN_PROGRESS;
  }

  @Override
  public synchronized WriteResult put(long keyHi, long keyLo, V value, long chargeBytes) {
    Pair<V> pair = pair(keyHi, keyLo);
    if (pair.prepared != null) {
      return inProgress();
    }
    boolean present = pair.committed != null;
    pair.committed = value;
    pair.chargeBytes = chargeBytes;
    return present ? WriteResult.REPLACED : WriteResult.INSERTED;
  }

  @Override
  public synchronized WriteResult insert(long keyHi, long keyLo, V value, long chargeBytes) {
    Pair<V> pair = pair(keyHi, keyLo);
    if (pair.committed != null) {
      return WriteResult.KEPT_EXISTING;
    }
    pair.committed = value;
    pair.chargeBytes = chargeBytes;
    return WriteResult.INSERTED;
  }

  @Override
  public synchronized WriteResult replace(long keyHi, long keyLo, V value, long chargeBytes) {
    return pair(keyHi, keyLo).committed == null
        ? WriteResult.NOT_PRESENT
        : put(keyHi, keyLo, value, chargeBytes);
  }

  @Override
  public synchronized WriteResult erase(long keyHi, long keyLo) {
    Pair<V> pair = pair(keyHi, keyLo);
    if (pair.prepared != null) {
      return inProgress();
    }
    boolean present = pair.committed != null;
    pair.committed = null;
    pair.chargeBytes = 0;
    return present ? WriteResult.ERASED : WriteResult.NOT_PRESENT;
  }

  @Override
  public PrepareResult prepare(
      long keyHi, long keyLo, @Nullable V value, long chargeBytes, PrepareMode mode) {
    return prepareIn(new Key(keyHi, keyLo), value, chargeBytes, mode, null);
  }

  @Override
  @SuppressWarnings("unchecked")
  public PrepareResult prepare(
      long keyHi,
      long keyLo,
      @Nullable V value,
      long chargeBytes,
      PrepareMode mode,
      PrepareGroup group) {
    if (!(group instanceof Members<?> members) || members.cache != this) {
      throw new IllegalArgumentException("group must be of this cache: group=" + group);
    }
    return prepareIn(new Key(keyHi, keyLo), value, chargeBytes, mode, (Members<V>) members);
  }

  private synchronized PrepareResult prepareIn(
      Key key, @Nullable V value, long chargeBytes, PrepareMode mode, @Nullable Members<V> group) {
    if (flying().size() >= maxPrepares) {
      expireLeases();
    }
    if (flying().size() >= maxPrepares) {
      refusedNoRoom++;
      return new PrepareResult(PrepareOutcome.NO_ROOM, null);
    }
    if (group != null && group.fate != Fate.PENDING) {
      return groupEnded();
    }
    Pair<V> pair = pair(key.hi(), key.lo());
    if (pair.prepared != null) {
      inProgress();
      return new PrepareResult(PrepareOutcome.IN_PROGRESS, null);
    }
    if (group != null && group.fate != Fate.PENDING) {
      return groupEnded();
    }
    Token<V> token = new Token<>(this, key, value, chargeBytes, mode, group);
    pair.prepared = token;
    if (group != null) {
      group.tokens.add(token);
    }
    return new PrepareResult(PrepareOutcome.PREPARED, token);
  }

  private static PrepareResult groupEnded() {
    return new PrepareResult(PrepareOutcome.GROUP_ENDED, null);
  }

  private List<Token<V>> flying() {
    return pairs.values().stream().map(pair -> pair.prepared).filter(Objects::nonNull).toList();
  }

  @Override
  public PrepareGroup newGroup() {
    return new Members<>(this);
  }

  @Override
  public Decision commit(PrepareToken token) {
    return decide(token, Fate.COMMITTED);
  }

  @Override
  public Decision abort(PrepareToken token) {
    return decide(token, Fate.ABORTED);
  }

  @SuppressWarnings("unchecked")
  private synchronized Decision decide(PrepareToken token, Fate fate) {
    if (!(token instanceof Token<?> other) || other.cache != this) {
      return Decision.STALE;
    }
    Token<V> own = (Token<V>) other;
    if (own.group != null) {
      throw new IllegalArgumentException(
          "a prepare of a group must be decided with its group: id=" + own.id);
    }
    expireIfDue(own);
    end(own, fate);
    return own.fate == fate ? Decision.OK : Decision.STALE;
  }

  @Override
  public synchronized int markInDoubt(KeyPredicate keys) {
    int marked = 0;
    for (Token<V> token : flying()) {
      if (token.mode == PrepareMode.PLAIN && keys.test(token.key.hi(), token.key.lo())) {
        token.mode = PrepareMode.IN_DOUBT;
        marked++;
      }
    }
    return marked;
  }

  @Override
  public synchronized int expireLeases() {
    long before = ended[Fate.EXPIRED.ordinal()];
    flying().forEach(token -> pair(token.key.hi(), token.key.lo()));
    return (int) (ended[Fate.EXPIRED.ordinal()] - before);
  }

  @Override
  public VersionedMonitor<V> monitor() {
    return this;
  }

  @Override
  public synchronized void forEach(VersionVisitor<V> visitor) {
    for (Key key : List.copyOf(pairs.keySet())) {
      Versions<V> versions = versions(pair(key.hi(), key.lo()));
      if (versions.committed() != null || versions.prepared() != null) {
        visitor.visit(key.hi(), key.lo(), versions);
      }
    }
  }

  @Override
  public synchronized NamespaceStats namespaceStats(int namespace) {
    long[] sums = new long[4];
    pairs.forEach(
        (key, pair) -> {
          if (namespaceOf.namespaceOf(key.hi(), key.lo()) == namespace) {
            sums[0] += pair.committed == null ? 0 : 1;
            sums[1] += pair.chargeBytes;
            sums[2] += pair.prepared == null ? 0 : 1;
            sums[3] += pair.prepared == null ? 0 : pair.prepared.chargeBytes;
          }
        });
    return new NamespaceStats(sums[0], sums[1], sums[2], sums[3]);
  }

  @Override
  public synchronized VersionedStats stats() {
    long items = pairs.values().stream().filter(pair -> pair.committed != null).count();
    long alone =
        pairs.values().stream()
            .filter(pair -> pair.committed == null && pair.prepared != null)
            .count();
    long itemBytes = pairs.values().stream().mapToLong(pair -> pair.chargeBytes).sum();
    long preparedBytes = flying().stream().mapToLong(token -> token.chargeBytes).sum();
    long inDoubt = flying().stream().filter(token -> token.mode == PrepareMode.IN_DOUBT).count();
    return new VersionedStats(
        Long.MAX_VALUE,
        itemBytes + preparedBytes,
        0,
        items + alone,
        Long.MAX_VALUE,
        items,
        itemBytes,
        flying().size(),
        preparedBytes,
        maxPrepares,
        inDoubt,
        ended[Fate.COMMITTED.ordinal()],
        ended[Fate.ABORTED.ordinal()],
        ended[Fate.EXPIRED.ordinal()],
        refusedInProgress,
        refusedNoRoom,
        0,
        0,
        SlotAccess.ARRAY);
  }
}
