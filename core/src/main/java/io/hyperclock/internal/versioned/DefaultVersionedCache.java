/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.sizing.SlotStores;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.KeyPredicate;
import io.hyperclock.versioned.NamespaceStats;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.PrepareResult;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionVisitor;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedMonitor;
import io.hyperclock.versioned.VersionedStats;
import io.hyperclock.versioned.Versions;
import io.hyperclock.versioned.WriteResult;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cache: checks arguments, chooses the shard, keeps leases and the cap of prepares. */
public final class DefaultVersionedCache<V> implements VersionedCache<V> {
  final VersionedShard[] shards;
  private final Buckets buckets;
  private final VersionedCounts counts;
  private final VersionedConfig config;
  private final VersionedMonitor<V> monitor = new Monitor();
  final Leases leases;
  private final AtomicLong lastId = new AtomicLong();

  /** Allocates all slots. */
  public DefaultVersionedCache(VersionedConfig config) {
    this(config, SlotStores.of(config.storage()));
  }

  /** Keeps slots in the stores given, one for each shard. */
  DefaultVersionedCache(VersionedConfig config, IntFunction<SlotStore> stores) {
    TableSizing sizing = TableSizing.of(config);
    this.buckets = new Buckets(sizing.buckets(), config.seed().value());
    this.counts = new VersionedCounts(config.namespaces());
    this.config = config;
    this.shards = new VersionedShard[sizing.shards()];
    double cap = Math.floor((double) shards.length * sizing.slots() * config.maxPreparedShare());
    int maxPrepares = (int) Math.max(1, Math.min(Integer.MAX_VALUE, cap));
    this.leases = new Leases(shards, counts, config, maxPrepares);
    for (int i = 0; i < shards.length; i++) {
      long share = TableSizing.share(config.capacityBytes(), shards.length, i);
      CapacityLedger ledger = sizing.ledger(share, config.mode());
      SlotProtocol slots = sizing.slotsOf(stores.apply(sizing.slots()));
      shards[i] = new VersionedShard(buckets, counts, leases, slots, ledger, sizing);
    }
  }

  private VersionedShard shard(long hash) {
    return shards[Buckets.shard(hash, shards.length)];
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V get(long keyHi, long keyLo) {
    long hash = buckets.hash(keyHi, keyLo);
    return (V) shard(hash).get(keyHi, keyLo, hash);
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V readForWrite(long keyHi, long keyLo) {
    long hash = buckets.hash(keyHi, keyLo);
    return (V) shard(hash).search(keyHi, keyLo, hash, true);
  }

  @Override
  public Versions<V> readVersions(long keyHi, long keyLo) {
    long hash = buckets.hash(keyHi, keyLo);
    VersionedShard shard = shard(hash);
    StackReserve.requireLittle();
    int slot = shard.pin(keyHi, keyLo, hash);
    return slot < 0 ? new Versions<>(null, null) : shard.pinnedVersions(slot);
  }

  private int namespace(long keyHi, long keyLo) {
    return counts.requireNamespace(config.namespaceOf().namespaceOf(keyHi, keyLo));
  }

  @Override
  public WriteResult put(long keyHi, long keyLo, V value, long chargeBytes) {
    return write(Write.PUT, keyHi, keyLo, value, chargeBytes);
  }

  @Override
  public WriteResult insert(long keyHi, long keyLo, V value, long chargeBytes) {
    return write(Write.INSERT, keyHi, keyLo, value, chargeBytes);
  }

  @Override
  public WriteResult replace(long keyHi, long keyLo, V value, long chargeBytes) {
    return write(Write.REPLACE, keyHi, keyLo, value, chargeBytes);
  }

  @Override
  public WriteResult erase(long keyHi, long keyLo) {
    return write(Write.ERASE, keyHi, keyLo, Prepare.NOTHING, 0);
  }

  private WriteResult write(Write write, long keyHi, long keyLo, Object value, long chargeBytes) {
    Objects.requireNonNull(value, "value must not be null");
    ChargeWord.requireCharge(chargeBytes);
    int namespace = write.mayAdd() ? namespace(keyHi, keyLo) : 0;
    StackReserve.require();
    long hash = buckets.hash(keyHi, keyLo);
    return shard(hash).write(write, keyHi, keyLo, hash, value, namespace, chargeBytes);
  }

  @Override
  public PrepareResult prepare(
      long keyHi, long keyLo, @Nullable V value, long chargeBytes, PrepareMode mode) {
    return prepareIn(keyHi, keyLo, value, chargeBytes, mode, null);
  }

  @Override
  public PrepareResult prepare(
      long keyHi,
      long keyLo,
      @Nullable V value,
      long chargeBytes,
      PrepareMode mode,
      PrepareGroup group) {
    if (!(group instanceof Group own) || own.leases != leases) {
      throw new IllegalArgumentException("group must be of this cache: group=" + group);
    }
    return prepareIn(keyHi, keyLo, value, chargeBytes, mode, own);
  }

  private PrepareResult prepareIn(
      long keyHi,
      long keyLo,
      @Nullable V value,
      long chargeBytes,
      PrepareMode mode,
      @Nullable Group group) {
    Objects.requireNonNull(mode, "mode must not be null");
    ChargeWord.requireCharge(chargeBytes);
    if (value == null && chargeBytes != 0) {
      throw new IllegalArgumentException(
          "chargeBytes of a delete must be 0: chargeBytes=" + chargeBytes);
    }
    int namespace = namespace(keyHi, keyLo);
    long hash = buckets.hash(keyHi, keyLo);
    VersionedShard site = shard(hash);
    long id = lastId.incrementAndGet();
    long deadline = leases.deadline();
    Prepare prepare =
        new Prepare(site, keyHi, keyLo, id, value, chargeBytes, namespace, mode, deadline, group);
    // Before it is in its slot: a token that cannot be handed out could not be decided.
    PrepareResult prepared = new PrepareResult(PrepareOutcome.PREPARED, prepare);
    StackReserve.require();
    PrepareOutcome outcome = leases.admit() ? place(prepare, group, hash) : PrepareOutcome.NO_ROOM;
    if (outcome == PrepareOutcome.PREPARED) {
      return prepared;
    }
    if (outcome == PrepareOutcome.NO_ROOM) {
      counts.refusedNoRoom.increment();
    }
    return new PrepareResult(outcome, null);
  }

  /** Puts an admitted prepare into its group and beside its key, or gives the admission back. */
  private PrepareOutcome place(Prepare prepare, @Nullable Group group, long hash) {
    PrepareOutcome outcome = PrepareOutcome.GROUP_ENDED;
    try {
      if (group == null || group.join(prepare)) {
        outcome = shard(hash).prepare(hash, prepare);
      }
      return outcome;
    } finally {
      if (outcome != PrepareOutcome.PREPARED) {
        prepare.discard();
        leases.giveBack();
        if (group != null) {
          // Last: if there is no memory for this, it stays as a member that no decision looks at.
          group.leave(prepare);
        }
      }
    }
  }

  @Override
  public PrepareGroup newGroup() {
    return new Group(leases);
  }

  @Override
  public Decision commit(PrepareToken token) {
    return decide(token, Prepare.COMMITTED);
  }

  @Override
  public Decision abort(PrepareToken token) {
    return decide(token, Prepare.ABORTED);
  }

  private Decision decide(PrepareToken token, int verdict) {
    Objects.requireNonNull(token, "token must not be null");
    if (!(token instanceof Prepare prepare)
        || prepare.site != shard(buckets.hash(prepare.keyHi(), prepare.keyLo()))) {
      return Decision.STALE;
    }
    if (prepare.group != null) {
      throw new IllegalArgumentException(
          "a prepare of a group must be decided with its group: id=" + prepare.id());
    }
    StackReserve.require();
    leases.expireIfDue(prepare);
    prepare.end(verdict);
    return prepare.verdict() == verdict ? Decision.OK : Decision.STALE;
  }

  @Override
  public int markInDoubt(KeyPredicate keys) {
    Objects.requireNonNull(keys, "keys must not be null");
    int[] marked = {0};
    leases.forEachPrepare(
        prepare -> {
          if (prepare.isPending()
              && !prepare.isInDoubt()
              && keys.test(prepare.keyHi(), prepare.keyLo())) {
            prepare.site.gate.divertReads(prepare.slot);
            prepare.markInDoubt();
            marked[0] += prepare.isPending() ? 1 : 0;
          }
        });
    return marked[0];
  }

  @Override
  public int expireLeases() {
    return leases.expireAll();
  }

  @Override
  public VersionedMonitor<V> monitor() {
    return monitor;
  }

  /** What can be seen of the cache. */
  private final class Monitor implements VersionedMonitor<V> {
    @Override
    public void forEach(VersionVisitor<V> visitor) {
      Objects.requireNonNull(visitor, "visitor must not be null");
      for (VersionedShard shard : shards) {
        SlotStore store = shard.store();
        for (int slot = 0; slot < store.slots(); slot++) {
          if (shard.pinAny(slot)) {
            long hi = store.keyHiOpaque(slot);
            long lo = store.keyLoOpaque(slot);
            Versions<V> versions = shard.pinnedVersions(slot);
            if (versions.committed() != null || versions.prepared() != null) {
              visitor.visit(hi, lo, versions);
            }
          }
        }
      }
    }

    @Override
    public NamespaceStats namespaceStats(int namespace) {
      return counts.stats(namespace);
    }

    private long sum(ToLongFunction<CapacityLedger> figure) {
      return Stream.of(shards).map(shard -> shard.ledger).mapToLong(figure).sum();
    }

    @Override
    public VersionedStats stats() {
      long[] inDoubt = {0};
      leases.forEachPrepare(
          prepare -> inDoubt[0] += prepare.isPending() && prepare.isInDoubt() ? 1 : 0);
      return new VersionedStats(
          config.capacityBytes(),
          sum(CapacityLedger::usage),
          sum(CapacityLedger::metadataBytes),
          sum(CapacityLedger::occupancy),
          (long) shards.length * shards[0].store().slots(),
          counts.sum(its -> its.items),
          counts.sum(its -> its.itemBytes),
          leases.inFlight.get(),
          counts.sum(its -> its.preparedBytes),
          leases.maxPrepares,
          inDoubt[0],
          counts.commits.sum(),
          counts.aborts.sum(),
          counts.expirations.sum(),
          counts.refusedInProgress.sum(),
          counts.refusedNoRoom.sum(),
          counts.evictions.sum(),
          counts.effortExceeded.sum(),
          SlotStores.access(config.storage()));
    }
  }
}
