/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.model.ModelContext.Held;
import io.hyperclock.model.ModelContext.Tenancy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a model run: its random numbers, the handles it holds, what it knows of its own
 * keys, and the choice of the next operation. The operations themselves are in {@link ModelReads}
 * and {@link ModelWrites}.
 */
final class ModelWorker {
  private static final ThreadLocal<@Nullable ModelWorker> CURRENT = new ThreadLocal<>();
  private static final int TRAIL = 12;

  final ModelContext context;
  final BlockCache<ModelValue> cache;
  final ValueOwners owners;
  final SplittableRandom random;
  final int number;
  final Tally tally = new Tally();
  final List<Held> held = new ArrayList<>();

  /** What is visible under this thread's own keys, by index; null where nothing can be found. */
  final @Nullable Tenancy[] tenancies;

  private final ModelReads reads;
  private final ModelWrites writes;
  private final ModelOverwrites overwrites;
  private final List<ModelValue> made = new ArrayList<>();
  private final String[] trail = new String[TRAIL];
  private final int[] trailKeys = new int[TRAIL];
  private int steps;
  private boolean callingBack;

  ModelWorker(ModelContext context, int number, SplittableRandom random) {
    this.context = context;
    this.cache = context.cache;
    this.owners = context.owners;
    this.number = number;
    this.random = random;
    tenancies = new Tenancy[context.keys.perThread()];
    reads = new ModelReads(this);
    writes = new ModelWrites(this);
    overwrites = new ModelOverwrites(this, writes);
  }

  /** The worker whose thread this is. */
  static ModelWorker current() {
    ModelWorker worker = CURRENT.get();
    if (worker == null) {
      throw new IllegalStateException("callbacks must run on a thread of the model");
    }
    return worker;
  }

  /** Makes the calling thread this worker's; null ends that. */
  static void setCurrent(@Nullable ModelWorker worker) {
    CURRENT.set(worker);
  }

  /** Runs operations until {@code count} are done, something was found, or the cache is closed. */
  void run(int count) {
    setCurrent(this);
    try {
      for (int i = 0; i < count && !owners.isBroken(); i++) {
        step();
      }
    } catch (IllegalStateException e) {
      if (!context.closing) {
        crashed(e);
      }
    } catch (RuntimeException | Error e) {
      crashed(e);
    } finally {
      setCurrent(null);
    }
  }

  void crashed(Throwable e) {
    StringBuilder text = new StringBuilder(e.toString());
    Arrays.stream(e.getStackTrace())
        .limit(12)
        .forEach(frame -> text.append("\n    at ").append(frame));
    report(Defect.CRASH, text.toString());
  }

  void report(Defect defect, String text) {
    if (context.closing && (defect == Defect.LOST_ENTRY || defect == Defect.VISIT)) {
      return;
    }
    owners.report(defect, text + trail());
  }

  /** The last operations of this thread, the newest last. */
  String trail() {
    StringBuilder all = new StringBuilder(" [thread ").append(number).append(" did");
    for (int i = Math.max(0, steps - TRAIL); i < steps; i++) {
      all.append(' ').append(trail[i % TRAIL]).append('(').append(trailKeys[i % TRAIL]).append(')');
    }
    return all.append(']').toString();
  }

  /** Notes an operation for reports. */
  void note(String operation, int key) {
    trail[steps % TRAIL] = operation;
    trailKeys[steps % TRAIL] = key;
    steps++;
  }

  private void step() {
    tally.operations++;
    int dice = random.nextInt(1000);
    if (dice < 200) {
      reads.lookup(anyKey());
    } else if (dice < 350) {
      reads.get(anyKey());
    } else if (dice < 370) {
      reads.getAll();
    } else if (dice < 390) {
      reads.lookupAll();
    } else if (dice < 520) {
      writes.insert(anyKey());
    } else if (dice < 580) {
      overwrite();
    } else if (dice < 660) {
      writes.insertPinned(anyKey());
    } else if (dice < 680) {
      writes.createStandalone(anyKey());
    } else if (dice < 730) {
      writes.erase(anyKey());
    } else if (dice < 750) {
      writes.adjustCharge();
    } else if (dice < 770) {
      ref();
    } else if (dice < 785) {
      exchange();
    } else if (dice < 980) {
      releaseAny();
    } else if (random.nextInt(context.settings.size().entries) < 10) {
      scan();
    }
    while (held.size() > context.settings.pinsPerThread()) {
      releaseAny();
    }
    writes.checkBounds();
  }

  private void overwrite() {
    switch (random.nextInt(4)) {
      case 0 -> overwrites.put(anyKey());
      case 1 -> overwrites.replace(anyKey());
      case 2 -> overwrites.putPinned(anyKey());
      default -> overwrites.compareAndReplace();
    }
  }

  /** What touches all slots is left for now and then. */
  private void scan() {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> reads.forEachEntry();
      case 3 -> writes.eraseUnreferenced();
      case 4, 5 -> writes.changeCapacity();
      case 6 -> writes.changeMode();
      case 7 -> writes.dropFile();
      case 8 -> context.freeTaken();
      default -> reads.askForFigures();
    }
  }

  private int anyKey() {
    return random.nextInt(3) == 0 ? ownKey() : sharedKey();
  }

  /** A key of this thread. */
  int ownKey() {
    return context.keys.ofThread(number, random.nextInt(context.keys.perThread()));
  }

  int sharedKey() {
    int shared = context.keys.shared();
    return Math.min(random.nextInt(shared), random.nextInt(shared));
  }

  /** What an unpredictable disposer or listener does: most often nothing. */
  void callBackIntoCache() {
    if (callingBack || context.closing || random.nextInt(8) != 0) {
      return;
    }
    callingBack = true;
    try {
      tally.callBacks++;
      switch (random.nextInt(7)) {
        case 6 -> overwrites.put(sharedKey());
        case 0 -> reads.lookup(sharedKey());
        case 1 -> reads.get(sharedKey());
        case 2 -> writes.insert(sharedKey());
        case 3 -> writes.erase(sharedKey());
        case 4 -> writes.insertPinned(sharedKey());
        default -> releaseShared();
      }
    } catch (IllegalStateException e) {
      if (!context.closing) {
        crashed(e);
      }
    } catch (RuntimeException | Error e) {
      crashed(e);
    } finally {
      callingBack = false;
    }
  }

  /** Does something during which disposers and listeners leave the cache alone. */
  void withoutCallBacks(Runnable work) {
    callingBack = true;
    try {
      work.run();
    } finally {
      callingBack = false;
    }
  }

  /** See {@link ModelWrites#probe}. */
  void probe(int key, long chargeBytes, boolean fits) {
    writes.probe(key, chargeBytes, fits);
  }

  /** A new value of this thread. */
  ModelValue make(long hi, long lo, long chargeBytes) {
    long version = (long) number << 48 | tally.made++;
    ModelValue value = new ModelValue(hi, lo, version, context.typeOf(lo), chargeBytes);
    made.add(value);
    return value;
  }

  /** Values made by this thread that the cache may still own; the others are forgotten. */
  List<ModelValue> made() {
    made.removeIf(value -> !value.isDisposable() || value.owner() != ModelValue.Owner.CACHE);
    return made;
  }

  /** What this thread knows to be visible under a key of its own; null for other keys too. */
  @Nullable Tenancy tenancy(int key) {
    return context.keys.isShared(key) ? null : tenancies[context.keys.indexInThread(key)];
  }

  void setTenancy(int key, @Nullable Tenancy tenancy) {
    tenancies[context.keys.indexInThread(key)] = tenancy;
  }

  /** Takes a handle into this worker's books. */
  void hold(Handle<ModelValue> handle, ModelValue value, @Nullable Tenancy tenancy) {
    value.startReading();
    if (tenancy != null) {
      tenancy.pins++;
    }
    held.add(new Held(handle, value, tenancy));
  }

  private void ref() {
    if (held.isEmpty()) {
      return;
    }
    Held of = held.get(random.nextInt(held.size()));
    note("ref", 0);
    hold(of.handle().ref(), of.value(), of.tenancy());
  }

  /** Gives a handle to whoever wants it, or takes one. */
  private void exchange() {
    if (random.nextBoolean() && !held.isEmpty()) {
      Held given = held.get(random.nextInt(held.size()));
      if (given.tenancy() == null) {
        held.remove(given);
        context.exchange.add(given);
      }
    } else {
      Held taken = context.exchange.poll();
      if (taken != null) {
        held.add(taken);
      }
    }
  }

  void releaseAny() {
    if (!held.isEmpty()) {
      release(held.remove(random.nextInt(held.size())));
    }
  }

  /** For callbacks: the operation they interrupt may be in the middle of using its own keys. */
  private void releaseShared() {
    for (int i = 0; i < held.size(); i++) {
      if (held.get(i).tenancy() == null) {
        release(held.remove(i));
        return;
      }
    }
  }

  void releaseAll() {
    while (!held.isEmpty()) {
      release(held.remove(held.size() - 1));
    }
  }

  private void release(Held open) {
    Handle<ModelValue> handle = open.handle();
    ModelValue value = open.value();
    note("release", 0);
    if (handle.value() != value) {
      report(
          Defect.WRONG_VALUE, "a handle changed its value from " + value + " to " + handle.value());
    }
    owners.checkPinned(value, "release");
    value.endReading();
    Tenancy tenancy = open.tenancy();
    if (tenancy != null) {
      tenancy.pins--;
    }
    boolean eraseIfLast = random.nextInt(6) == 0;
    boolean freed = letGo(handle, eraseIfLast);
    if (freed && value.isDisposable() && value.owner() != ModelValue.Owner.NOBODY) {
      report(Defect.LEAK, "a release said it freed " + value);
    }
    if (tenancy != null && freed) {
      writes.checkFreedByRelease(tenancy, eraseIfLast);
    }
    if (!handle.isReleased()) {
      report(Defect.CONTRACT, "not released after its release: " + handle);
    }
    if (random.nextInt(500) == 0) {
      handle.close();
      tally.doubleCloses++;
    }
  }

  private boolean letGo(Handle<ModelValue> handle, boolean eraseIfLast) {
    if (eraseIfLast) {
      return handle.eraseIfLast();
    }
    if (random.nextInt(8) == 0) {
      return handle.discard();
    }
    handle.close();
    return false;
  }
}
