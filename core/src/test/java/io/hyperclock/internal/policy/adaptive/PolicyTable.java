/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.EvictionRequests;
import io.hyperclock.internal.policy.InitialState;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/** A table that is nothing but slots and an {@link AdaptiveClock}, and what that has decided. */
final class PolicyTable implements EvictableEntries, CapacityView {
  /** What a word grows by with a pin. */
  static final long PIN = MetaWord.visible(1, true, true, 0) - MetaWord.visible(1, false, true, 0);

  final SlotProtocol slots;
  final SlotStore store;
  final AdaptiveClock clock;
  private final EvictionRequests requests;
  final Map<Long, Integer> slotOf = new HashMap<>();
  final Set<Integer> dead = new HashSet<>();
  final SplittableRandom random = new SplittableRandom(1);

  /** Called before each access to a word of a slot. */
  Runnable before = () -> {};

  /** Called with the slot of an entry that is about to be taken. */
  IntConsumer leaving = slot -> {};

  long capacity;

  /** From the beginning on, as if something had died that is gone. */
  long deaths = 1;

  /** Unpinned entries that were looked at. */
  long looks;

  long evictions;
  long slotsSeen;
  long pinnedSeen;

  /** Inserts that were charged and are not there yet. */
  int underWay;

  private long usage;
  private long digest;

  /** One whose entries have the charge 1. */
  PolicyTable(int count, int entries) {
    this(count, entries, entries);
  }

  PolicyTable(int count, int entries, long capacity) {
    this.slots =
        new SlotProtocol(
            new CountingSlotStore(count, () -> before.run()), AdaptiveClock.MAX_COUNTDOWN);
    this.store = slots.store();
    this.capacity = capacity;
    this.clock = new AdaptiveClock(slots, this, entries);
    this.requests = new EvictionRequests(count);
  }

  @Override
  public long capacityOfEntries() {
    return capacity;
  }

  @Override
  public long usageOfEntries() {
    return usage + underWay;
  }

  @Override
  public long occupancy() {
    return slotOf.size() + underWay;
  }

  @Override
  public long hash(int slot) {
    leaving.accept(slot);
    return hashOf(store.keyLoOpaque(slot));
  }

  static long hashOf(long key) {
    return (key + 1) * 0x9E3779B97F4A7C15L;
  }

  @Override
  public boolean isDead(int slot) {
    looks++;
    return dead.contains(slot);
  }

  @Override
  public long deaths() {
    return deaths;
  }

  @Override
  public long evict(int slot, long meta, EvictionRequest request) {
    evictions++;
    long key = store.keyLoOpaque(slot);
    slotOf.remove(key);
    dead.remove(slot);
    slots.beginTearDown(slot);
    long cold = store.getAndSetCold(slot, ChargeWord.GONE);
    slots.finishTearDown(slot);
    clock.left(cold, request);
    usage -= ChargeWord.chargeBytes(cold);
    note(key);
    note(cold);
    return ChargeWord.chargeBytes(cold);
  }

  private void note(long fact) {
    digest = Long.rotateLeft(digest ^ fact, 23) * 0x9E3779B97F4A7C15L;
  }

  /** Stands for which entries have left, in which order, and for what was learnt. */
  long digest() {
    note(slotsSeen);
    note(pinnedSeen);
    note(clock.usage.probation());
    note(clock.usage.main());
    note(clock.learned.epoch());
    note(clock.learned.turns());
    note(clock.learned.probationHalves(Integer.MAX_VALUE));
    for (int difference = -LearnedParameters.MAX_DIFFERENCE;
        difference <= LearnedParameters.MAX_DIFFERENCE;
        difference++) {
      note(clock.learned.score(difference));
    }
    return digest;
  }

  /** A request as an insert has it, to be ended. */
  EvictionRequest begin(long charge) {
    EvictionRequest request = requests.begin(charge);
    clock.prepare(request);
    return request;
  }

  /** The ring of this thread. */
  ProbationRing ring() {
    EvictionRequest request = begin(0);
    request.end();
    return ringOf(request);
  }

  static ProbationRing ringOf(EvictionRequest request) {
    return ((VictimSearch) request.search()).queue.ring;
  }

  boolean use(long key) {
    Integer slot = slotOf.get(key);
    if (slot != null) {
      slots.tick(slot);
    }
    return slot != null;
  }

  void hold(long key) {
    assertThat(slots.pinAny(slotOf.get(key))).isEqualTo(SlotProtocol.PINNED);
  }

  /** An entry that was hidden stays as its last holder leaves it for a moment. */
  void release(long key) {
    int slot = slotOf.get(key);
    if (isVisible(key)) {
      assertThat(slots.release(slot, false, false)).isFalse();
    } else {
      store.setMetaRelease(slot, store.metaAcquire(slot) - PIN);
    }
  }

  boolean isVisible(long key) {
    return MetaWord.isVisible(store.metaAcquire(slotOf.get(key)));
  }

  /** Nobody finds an entry any more, that somebody holds. */
  void hide(long key) {
    hold(key);
    slots.hideAndRelease(slotOf.get(key));
    assertThat(isVisible(key)).isFalse();
  }

  /** An entry is found dead from now on. */
  void kill(long key) {
    dead.add(slotOf.get(key));
    deaths++;
  }

  /** Returns how many unpinned entries were looked at. */
  long insert(long key, Priority priority) {
    return insert(key, priority, 1);
  }

  /** The same with a charge. */
  long insert(long key, Priority priority, long charge) {
    long before = looks;
    EvictionRequest request = begin(charge);
    insert(key, priority, charge, request);
    request.end();
    return looks - before;
  }

  void insert(long key, Priority priority, long charge, EvictionRequest request) {
    int newcomer = clock.newcomer(hashOf(key), priority, charge);
    long over = usageOfEntries() + charge - capacity;
    request.arrives();
    free(Math.max(0, over), request);
    int slot = random.nextInt(store.slots());
    while (!slots.claim(slot)) {
      slot = random.nextInt(store.slots());
    }
    long cold = ChargeWord.of(0, charge);
    if (InitialState.isMain(newcomer)) {
      cold = ChargeWord.asMain(cold);
    }
    int countdown = InitialState.countdown(newcomer);
    publish(slot, key, cold, countdown, InitialState.policy(newcomer));
    clock.admitted(slot, cold, request);
    slotOf.put(key, slot);
    usage += charge;
  }

  /** Puts an entry into a slot that was claimed. */
  void publish(int slot, long key, long cold, int countdown, int policy) {
    slots.fill(slot, 0, key, "value", cold);
    store.setMetaRelease(slot, MetaWord.visible(countdown, false, true, policy));
  }

  void free(long charge, EvictionRequest request) {
    int entries = slotOf.size() < store.slots() * 7 / 8 ? 0 : 1;
    request.ask(charge, entries, EvictionRequest.NO_EFFORT_CAP);
    if (!request.isFulfilled()) {
      clock.makeRoom(this, request);
    }
    slotsSeen += request.looks();
    pinnedSeen += request.pinnedSeen();
  }
}
