/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.PinRequiredException;
import io.hyperclock.ReadScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What one worker does to a block cache: reads, handles and scopes here, the rest elsewhere. */
final class BlockSession implements Part.Session {
  private static final int MOST_HELD = 40;

  /**
   * A value read in a scope that is open.
   *
   * @param space file of the key
   * @param key the key
   * @param block what was found
   */
  private record Seen(Space space, int key, SoakBlock block) {}

  /**
   * A scope that is open, and what was read in it.
   *
   * @param scope the scope
   * @param seen values that must not be freed before it is closed
   */
  private record Scope(ReadScope<SoakBlock> scope, List<Seen> seen) {}

  private final BlockPart part;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final BlockCache<SoakBlock> cache;
  private final BlockWrites writes;
  private final BlockSettings settings;
  private final @Nullable SoakLoads loads;
  private final List<Held> held = new ArrayList<>();
  private final Deque<Scope> scopes = new ArrayDeque<>();
  private long now;

  BlockSession(BlockPart part, SoakWorker worker, boolean withLoads) {
    this.part = part;
    this.worker = worker;
    this.random = worker.random;
    this.cache = part.cache();
    this.writes = new BlockWrites(this, part, worker);
    this.settings = new BlockSettings(part, worker);
    this.loads = withLoads ? new SoakLoads(this, part, worker) : null;
  }

  @Override
  public void step() {
    now++;
    closeDue();
    int chosen = random.nextInt(100);
    if (loads != null && chosen < 25) {
      loads.step();
    } else if (chosen < 45) {
      writes.step();
    } else if (chosen < 48) {
      settings.step();
    } else {
      read();
    }
  }

  private void read() {
    switch (random.nextInt(10)) {
      case 0, 1 -> get();
      case 2, 3, 4 -> lookup();
      case 5 -> getAll();
      case 6 -> lookupAll();
      case 7 -> parcel();
      case 8 -> openScope();
      default -> readInScope();
    }
  }

  private void get() {
    worker.doing("get");
    Space space = part.file(random);
    int key = part.key(random);
    long floor = space.versions.floor(key);
    long lo = Space.lo(key);
    try {
      checkRead(
          space,
          key,
          floor,
          random.nextInt(4) == 0 ? cache.peek(space.hi, lo) : cache.get(space.hi, lo));
    } catch (PinRequiredException e) {
      if (!Space.isCounted(key)) {
        throw e;
      }
    }
  }

  private void lookup() {
    worker.doing("lookup");
    Space space = part.file(random);
    int key = part.key(random);
    long floor = space.versions.floor(key);
    hold(space, key, floor, cache.lookup(space.hi, Space.lo(key)));
  }

  private void getAll() {
    worker.doing("getAll");
    Space space = part.file(random);
    int count = 1 + random.nextInt(40);
    long[] keys = new long[2 * count];
    long[] floors = new long[count];
    for (int i = 0; i < count; i++) {
      int key = Space.collected(part.key(random));
      keys[2 * i] = space.hi;
      keys[2 * i + 1] = Space.lo(key);
      floors[i] = space.versions.floor(key);
    }
    SoakBlock[] values = new SoakBlock[count];
    int found = cache.getAll(keys, values);
    checkAll(space, keys, floors, values, found);
  }

  /** Checks what a bulk read has found. */
  void checkAll(Space space, long[] keys, long[] floors, @Nullable SoakBlock[] values, int found) {
    int seen = 0;
    for (int i = 0; i < values.length; i++) {
      checkRead(space, Space.key(keys[2 * i + 1]), floors[i], values[i]);
      seen += values[i] == null ? 0 : 1;
    }
    if (seen != found) {
      part.findings.report("getAll must count what it finds: returned=" + found + ", " + seen);
    }
  }

  private void lookupAll() {
    worker.doing("lookupAll");
    Space space = part.file(random);
    int count = 1 + random.nextInt(8);
    long[] keys = new long[2 * count];
    long[] floors = new long[count];
    for (int i = 0; i < count; i++) {
      int key = part.key(random);
      keys[2 * i] = space.hi;
      keys[2 * i + 1] = Space.lo(key);
      floors[i] = space.versions.floor(key);
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    Handle<SoakBlock>[] handles = new Handle[count];
    try {
      cache.lookupAll(keys, handles);
    } finally {
      for (int i = 0; i < count; i++) {
        hold(space, Space.key(keys[2 * i + 1]), floors[i], handles[i]);
      }
    }
  }

  /** Closes a handle that another worker took. */
  private void parcel() {
    worker.doing("close a handle of another thread");
    Held other = part.parcels.poll();
    if (other != null) {
      close(other);
    }
  }

  private void openScope() {
    worker.doing("openScope");
    if (scopes.size() < 3) {
      scopes.push(new Scope(cache.openScope(), new ArrayList<>()));
    } else {
      closeScope();
    }
  }

  private void readInScope() {
    worker.doing("read in a scope");
    Scope scope = scopes.peek();
    if (scope == null) {
      return;
    }
    for (int reads = random.nextInt(16); reads > 0; reads--) {
      Space space = part.file(random);
      int key = part.key(random);
      long floor = space.versions.floor(key);
      SoakBlock found = scope.scope().get(space.hi, Space.lo(key));
      checkRead(space, key, floor, found);
      if (found != null) {
        scope.seen().add(new Seen(space, key, found));
      }
    }
    if (random.nextInt(3) == 0 || scope.seen().size() > 64) {
      closeScope();
    }
  }

  private void closeScope() {
    Scope scope = scopes.poll();
    if (scope != null) {
      for (Seen seen : scope.seen()) {
        report(seen.space().wrong(seen.key(), 0, seen.block()), seen.block(), "in an open scope ");
      }
      scope.scope().close();
    }
  }

  /** Checks what a read without a pin has found. */
  void checkRead(Space space, int key, long floor, @Nullable SoakBlock found) {
    if (found == null) {
      worker.counts.misses.increment();
    } else {
      worker.counts.hits.increment();
      report(space.wrong(key, floor, found), found, "");
    }
  }

  private void report(String wrong, SoakBlock block, String where) {
    if (!wrong.isEmpty()) {
      worker.findings.report(where + wrong + ": " + block + ", operation=" + worker.doing());
    }
  }

  /** Checks what a handle holds, and holds it for a random time. */
  void hold(Space space, int key, long floor, @Nullable Handle<SoakBlock> handle) {
    if (handle == null) {
      worker.counts.misses.increment();
      return;
    }
    SoakBlock block = handle.value();
    checkRead(space, key, floor, block);
    if (handle.keyHi() != space.hi || handle.keyLo() != Space.lo(key)) {
      worker.findings.report("a handle must have the key asked for: " + handle);
    }
    Held one = new Held(handle, block, now + random.nextInt(200));
    if (random.nextInt(16) == 0) {
      part.parcels.add(one);
    } else if (held.size() < MOST_HELD && random.nextBoolean()) {
      held.add(one);
    } else {
      close(one);
    }
  }

  private void closeDue() {
    for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
      Held one = each.next();
      if (one.due() <= now) {
        each.remove();
        close(one);
      }
    }
  }

  private void close(Held one) {
    Handle<SoakBlock> handle = one.handle();
    String damage = one.block().damage();
    if (damage != null || handle.value() != one.block()) {
      worker.findings.report("a value that was held " + damage + ": " + one.block());
    }
    switch (random.nextInt(8)) {
      case 0 -> {
        Handle<SoakBlock> second = handle.ref();
        handle.close();
        damage = one.block().damage();
        if (damage != null) {
          worker.findings.report("a value held by a second handle " + damage + ": " + one.block());
        }
        second.close();
      }
      case 1 -> handle.discard();
      case 2 -> handle.eraseIfLast();
      case 3 -> {
        handle.close();
        handle.close();
      }
      case 4 -> {
        try {
          handle.adjustCharge(random.nextInt(8000));
        } finally {
          handle.close();
        }
      }
      default -> handle.close();
    }
    if (!handle.isReleased()) {
      worker.findings.report("a handle must be released once closed: " + handle);
    }
  }

  /** Takes the opportunity to write, from a part of the session. */
  BlockWrites writes() {
    return writes;
  }

  @Override
  public void finish() {
    worker.doing("finish");
    try {
      if (loads != null) {
        loads.finish();
      }
    } finally {
      while (!scopes.isEmpty()) {
        closeScope();
      }
      held.forEach(this::close);
      held.clear();
    }
    settings.finish();
  }
}
