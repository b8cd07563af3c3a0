/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.faults.FaultScenario;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.testing.CountedValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** An operation on a remote tier whose server answers at once; another thread goes on with it. */
final class RemoteFaultScenario implements FaultScenario {
  /** A piece of a scenario. */
  interface Step {
    void run(RemoteFaultScenario it);
  }

  private static final int KEYS = 3;
  private static final int OTHER = KEYS;
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final int PAUSES = 1_000;
  private static final byte OLD = 1;
  private static final byte NEW = 2;

  private final CountedValues values = new CountedValues();
  private final Server server = new Server();
  private final RemoteSecondaryCache tier =
      RemoteTiers.builder(server)
          .executor(Runnable::run)
          .failuresToOpen(1_000_000)
          .probeInterval(PAUSE)
          .build();
  private final List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
  private final Step act;

  /** Whether the first key may not have its old value any more. */
  private boolean outdated;

  RemoteFaultScenario(Step act) {
    this.act = act;
  }

  /** Keeps what it is given. */
  private static final class Server implements RemoteStore {
    private final Map<ByteBuffer, byte[]> values = new ConcurrentHashMap<>();
    private boolean isDown;

    @Override
    public CompletionStage<List<byte @Nullable []>> mget(List<byte[]> keys) {
      List<byte @Nullable []> found = new ArrayList<>();
      for (byte[] key : keys) {
        found.add(values.get(ByteBuffer.wrap(key)));
      }
      return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletionStage<?> psetex(byte[] key, long ttlMillis, byte[] value) {
      values.put(ByteBuffer.wrap(key), value);
      return CompletableFuture.completedFuture("OK");
    }

    @Override
    public CompletionStage<?> del(List<byte[]> keys) {
      if (isDown) {
        return CompletableFuture.failedFuture(ScriptedStore.notSent());
      }
      for (byte[] key : keys) {
        values.remove(ByteBuffer.wrap(key));
      }
      return CompletableFuture.completedFuture(1L);
    }

    @Override
    public void close() {}
  }

  private boolean insert(int key, byte version) {
    return tier.insert(key, key, new byte[] {version}, values.type, true);
  }

  void put() {
    insert(0, NEW);
    outdated = true;
  }

  void erase() {
    tier.erase(0, 0);
    outdated = true;
  }

  void eraseTwice() {
    server.isDown = true;
    tier.erase(1, 1);
    server.isDown = false;
    erase();
  }

  void lookup() {
    futures.add(tier.lookup(TierRequest.of(0, 0, values.type)));
  }

  void lookupAll() {
    List<TierRequest<byte[]>> requests = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      requests.add(TierRequest.of(key, key, values.type));
    }
    futures.addAll(tier.lookupAll(requests));
  }

  @Override
  public void arrange() {
    for (int key = 0; key < KEYS; key++) {
      insert(key, OLD);
    }
  }

  @Override
  public void act() {
    act.run(this);
  }

  @Override
  public List<String> violations() throws Exception {
    List<String> found = new ArrayList<>();
    server.isDown = false;
    try {
      CompletableFuture.runAsync(() -> goOn(found), task -> new Thread(task).start())
          .get(TierTestLimits.SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      found.add("the tier is held up");
    }
    return found;
  }

  private void goOn(List<String> found) {
    futures.forEach(future -> value(found, future));
    check(found, tier.state().equals(TierState.OPEN), "the tier is " + tier.state());
    byte[] old = read(found, 0);
    check(found, !outdated || old == null || old[0] != OLD, "the key has what it had before");
    check(found, insert(OTHER, NEW), "nothing is taken");
    check(found, read(found, OTHER) != null, "what was taken is not found");
    check(found, insert(0, NEW), "nothing is taken under the key");
    byte[] now = read(found, 0);
    check(found, now != null && now[0] == NEW, "what was taken under the key is not found");
    for (int i = 0; i < PAUSES && tier.remoteStats().owedRemovals() > 0; i++) {
      LockSupport.parkNanos(PAUSE.toNanos());
      tier.erase(OTHER, OTHER); // One that is confirmed makes the tier remove what it owes.
    }
    RemoteStats stats = tier.remoteStats();
    check(found, stats.owedRemovals() == 0, "what is owed is not removed");
    check(
        found,
        stats.commandsInFlight() == 0 && stats.bytesInFlight() == 0,
        stats.commandsInFlight() + " commands, " + stats.bytesInFlight() + " bytes under way");
    tier.close();
    values.check(found);
  }

  private byte @Nullable [] read(List<String> found, int key) {
    return value(found, tier.lookup(TierRequest.of(key, key, values.type)));
  }

  private byte @Nullable [] value(
      List<String> found, CompletableFuture<TierResult<byte[]>> future) {
    if (!future.isDone()) {
      found.add("a lookup has not ended");
      return null;
    }
    return values.given(future.join());
  }

  private static void check(List<String> found, boolean holds, String otherwise) {
    if (!holds) {
      found.add(otherwise);
    }
  }
}
