/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.faults.FaultScenario;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierState.Mode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An operation of the parts of a tiered cache, on one thread: whoever works for others waits. */
final class TierScenario implements FaultScenario {
  static final Key128 KEY = new Key128(7, 1);
  static final Key128 OTHER = new Key128(7, 2);
  private static final Key128 THIRD = new Key128(7, 3);
  static final long CHARGE = 10;

  /** Seconds; fewer once something has waited in vain, since the test has failed by then. */
  private static volatile long patience = 60;

  private static final ExecutorService ANOTHER =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "another");
            thread.setDaemon(true);
            return thread;
          });

  /** A piece of a scenario. */
  interface Step {
    void run(TierScenario it);
  }

  @SuppressWarnings("unchecked")
  static final EntryType<Object> TYPE =
      EntryType.<Object>named("buffer of a scenario")
          .codec((EntryCodec<Object>) (EntryCodec<?>) EntryCodec.ofBytes())
          .disposer((hi, lo, value) -> ((VersionedBuffer) value).freed.incrementAndGet())
          .build();

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<VersionedBuffer> made = new ArrayList<>();
  final AnsweringTier near = tier("near", true);
  final AnsweringTier deep = tier("deep", false);
  final Parts parts;
  final List<AsyncLookup<Object>> lookups = new ArrayList<>();
  private final List<Handle<Object>> handles = new ArrayList<>();
  private final boolean awaited;
  private final AdmissionPolicy policy;
  private final Step arrange;
  private final Step act;
  private boolean isClosed;
  private int versions;

  /** The newest version whose write has returned; -1 after an erase. */
  private int written;

  /**
   * A scenario.
   *
   * @param losesUnheard whether values of answers may be lost that nobody could ask to be told of
   * @param awaited whether a thread waits for the lookups afterwards
   * @param policy what goes down
   */
  TierScenario(
      boolean losesUnheard, boolean awaited, AdmissionPolicy policy, Step arrange, Step act) {
    this.awaited = awaited;
    this.policy = policy;
    this.parts =
        new Parts(new ConcurrentLinkedQueue<>(), tasks::add, List.of(near, deep), () -> 0, policy);
    this.arrange = arrange;
    this.act = act;
    parts.descent.begin(parts.primary.fileKeys());
    parts.writes.expect(TYPE);
    parts.failing.onThrow(TierScenario::lose);
    if (losesUnheard) {
      near.onUnheard = TierScenario::lose;
      deep.onUnheard = TierScenario::lose;
    }
  }

  private static void lose(Object value) {
    ((VersionedBuffer) value).mayBeLost = true;
  }

  private AnsweringTier tier(String name, boolean erasesOnAdvice) {
    return new AnsweringTier(
        name, erasesOnAdvice, value -> ((VersionedBuffer) value).version, this::buffer);
  }

  private synchronized VersionedBuffer buffer(int version) {
    VersionedBuffer buffer = new VersionedBuffer(version);
    made.add(buffer);
    return buffer;
  }

  /** A value of a new version. */
  private VersionedBuffer next() {
    return buffer(++versions);
  }

  /** Lets a tier hold a new version. */
  void hold(AnsweringTier tier, Key128 key) {
    tier.hold(key, ++versions);
    written = key.equals(KEY) ? versions : written;
  }

  /** Lets both tiers hold a new version of the key. */
  void holdInBoth() {
    hold(near, KEY);
    deep.hold(KEY, versions);
  }

  /** Looks up and waits. */
  void lookup() {
    Handle<Object> handle = parts.reads.lookup(KEY.hi(), KEY.lo(), TYPE, null);
    if (handle != null) {
      handles.add(handle);
    }
  }

  /** The same; nobody wants the value any more. */
  void lookupAndClose() {
    lookup();
    handles.remove(handles.size() - 1).close();
  }

  /** Begins a lookup. */
  void start(Object context) {
    lookups.add(parts.reads.start(KEY.hi(), KEY.lo(), TYPE, context));
  }

  /** Begins lookups of both keys. */
  void startAll() {
    long[] keys = {KEY.hi(), KEY.lo(), OTHER.hi(), OTHER.lo()};
    lookups.addAll(parts.reads.startAll(keys, TYPE, null));
  }

  void waitAll() {
    PendingLookup.awaitAll(lookups);
  }

  /** Answers of the tiers wait from now on. */
  void letAnswersWait() {
    near.waits = true;
    deep.waits = true;
  }

  void answerAll() {
    near.answerAll();
    deep.answerAll();
  }

  /**
   * The limit passes for what is waited for. From now on a thread whose stack ends while it gives
   * an answer leaves the value to the collector, because no thread looks for it any more.
   */
  void letLimitPass() {
    parts.letLimitPass();
    if (awaited) {
      near.onAnswer = TierScenario::lose;
      deep.onAnswer = TierScenario::lose;
    }
  }

  void runTasks() {
    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
      next.run();
    }
  }

  /** The primary reports a value of a new version as evicted. */
  void evict(Key128 key) {
    VersionedBuffer value = next();
    written = key.equals(KEY) ? value.version : written;
    boolean isTaken = false;
    try {
      isTaken = parts.descent.onEviction(key.hi(), key.lo(), value, TYPE, CHARGE, true);
    } finally {
      if (!isTaken) {
        value.freed.incrementAndGet();
      }
    }
  }

  private void offerAnother() {
    if (policy == AdmissionPolicy.THREE_QUEUES) {
      put(THIRD, next());
    } else {
      evict(THIRD);
    }
  }

  /** The nearer tier gives up a value of a new version. */
  void drop() {
    int version = ++versions;
    written = version;
    near.listener.onDrop(KEY.hi(), KEY.lo(), TYPE, CHARGE, () -> buffer(version));
  }

  /** Puts a value of a new version into the primary. */
  void write() {
    VersionedBuffer value = next();
    put(KEY, value);
    written = value.version;
  }

  private void put(Key128 key, VersionedBuffer value) {
    value.mayBeLost = true;
    value.mayBeLost =
        parts
            .writes
            .write(
                key.hi(),
                key.lo(),
                TYPE,
                () -> parts.primary.put(key.hi(), key.lo(), value, TYPE, CHARGE, Priority.LOW),
                result -> !result.callerKeepsValue())
            .callerKeepsValue();
  }

  void erase() {
    parts.writes.write(
        KEY.hi(), KEY.lo(), null, () -> parts.primary.erase(KEY.hi(), KEY.lo()), any -> true);
    written = -1;
  }

  void load() {
    Handle<Object> handle =
        parts.writes.lookup(
            KEY.hi(),
            KEY.lo(),
            TYPE,
            BlockLoader.of(
                TYPE,
                any -> CHARGE,
                (hi, lo) -> {
                  VersionedBuffer value = next();
                  value.mayBeLost = true;
                  return value;
                }));
    if (handle != null) {
      VersionedBuffer value = (VersionedBuffer) handle.value();
      value.mayBeLost = false;
      written = value.version;
      handles.add(handle);
    }
  }

  void close() {
    isClosed = true;
    parts.close();
  }

  @Override
  public void arrange() {
    arrange.run(this);
  }

  @Override
  public void act() {
    act.run(this);
  }

  static void check(List<String> found, boolean holds, String otherwise) {
    if (!holds) {
      found.add(otherwise);
    }
  }

  @Override
  public List<String> violations() throws Exception {
    List<String> found = new ArrayList<>();
    near.waits = false;
    deep.waits = false;
    near.onInsert = () -> {};
    near.onAnswer = value -> {};
    deep.onAnswer = value -> {};
    if (isClosed) {
      parts.close(); // Again, in case it has thrown.
    }
    settle();
    if (!isClosed && parts.demotion.pending() > 0) {
      offerAnother(); // What is queued without a task goes on with the next offer.
      settle();
    }
    if (awaited && !isClosed) {
      awaitAll(found);
    }
    check(found, !parts.bounds.isNested(), "an operation goes on");
    check(found, parts.bounds.mayJoin(), "reads are led");
    check(found, lookups.stream().allMatch(AsyncLookup::isDone), "a lookup waits for ever");
    if (!isClosed) {
      useAgain(found);
    }
    handles.forEach(Handle::close);
    lookups.forEach(AsyncLookup::close);
    if (!isClosed) {
      parts.primary.eraseUnreferenced();
      check(found, parts.primary.monitor().pinnedUsageBytes() == 0, "an entry stays pinned");
      check(found, parts.primary.monitor().occupancy() == 0, "an entry stays");
      parts.close();
    }
    check(found, parts.registry.isIdle(), "keys are under way");
    check(found, parts.demotion.pending() == 0, "offers wait");
    check(found, parts.demotion.pendingBytes() == 0, "bytes are not given back");
    countFreed(found);
    return found;
  }

  private void awaitAll(List<String> found) throws Exception {
    try {
      ANOTHER.submit(this::waitAll).get(patience, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      patience = 1;
      found.add("a thread waits for ever");
    }
    settle();
  }

  private void settle() {
    do {
      answerAll();
      runTasks();
    } while (near.owes() || deep.owes() || !tasks.isEmpty());
  }

  private void useAgain(List<String> found) throws Exception {
    check(found, parts.demotion.hasRoom(Parts.HAND_OFF_BYTES), "room is not given back");
    boolean isIdle = parts.registry.isIdle();
    check(found, isIdle, "keys are under way");
    check(
        found,
        parts.tiers.states().stream().allMatch(state -> state.mode() == Mode.OPEN),
        "a tier is not open: " + parts.tiers.states());
    if (!isIdle) {
      return; // A write might wait for ever.
    }
    checkFresh(found);
    try {
      ANOTHER.submit(this::writeAgain).get(patience, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      patience = 1;
      found.add("a write waits for ever");
    }
    checkFresh(found);
    erase();
  }

  private void writeAgain() {
    write();
    evict(OTHER);
  }

  private void checkFresh(List<String> found) {
    runTasks();
    Handle<Object> handle = parts.primary.lookup(KEY.hi(), KEY.lo());
    if (handle == null) {
      handle = parts.reads.lookup(KEY.hi(), KEY.lo(), TYPE, null);
    }
    if (handle != null) {
      VersionedBuffer seen = (VersionedBuffer) handle.value();
      check(found, seen.freed.get() == 0, "a freed value is found");
      check(
          found,
          written >= 0 && seen.version >= written,
          "version " + seen.version + " is found after " + written);
      handle.close();
    }
  }

  private synchronized void countFreed(List<String> found) {
    for (VersionedBuffer each : made) {
      int freed = each.freed.get();
      check(
          found,
          freed == 1 || freed == 0 && each.mayBeLost,
          "version " + each.version + " was freed " + freed + " times");
    }
  }
}
