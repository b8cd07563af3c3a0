/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.value;
import static io.hyperclock.secondary.testing.TestValues.versionOf;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.testing.TierTestLimits;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Traffic on a server that is killed, frozen, paused and cut off all the time. Every lookup ends in
 * time, none gives an outdated value. Longer: {@code -Dremote.storm.seconds=600}.
 */
class StormTest {
  private static final int KEYS = 64;
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private final Duration length = Duration.ofSeconds(Integer.getInteger("remote.storm.seconds", 2));
  private final AtomicIntegerArray oldestAllowed = new AtomicIntegerArray(KEYS);
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong lookups = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();

  @Test
  void servesNothingOutdatedAndRecovers() throws Exception {
    long seed = System.nanoTime();
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try (RedisProcess server = RedisProcess.start();
        RemoteSecondaryCache tier =
            RemoteTiers.builder(
                    LettuceRemoteStore.connect(server.uri(), Duration.ofSeconds(5), TIMEOUT))
                .timeout(TIMEOUT)
                .probeInterval(Duration.ofMillis(10))
                .maxOwedRemovals(32)
                .build()) {
      List<Future<List<String>>> running = new ArrayList<>();
      running.add(executor.submit(writer(tier, new Random(seed))));
      running.add(executor.submit(reader(tier, new Random(seed + 1))));
      running.add(executor.submit(reader(tier, new Random(seed + 2))));
      Future<?> chaos = executor.submit(() -> disturb(server, new Random(seed + 3)));
      assertThat(over.await(length.toMillis(), MILLISECONDS)).isFalse();
      // A machine that is very slow needs longer for a first answer in time.
      await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> hits.get() > 0);
      over.countDown();
      chaos.get(TierTestLimits.SECONDS, SECONDS);
      for (Future<List<String>> one : running) {
        assertThat(one.get(TierTestLimits.SECONDS, SECONDS)).as("seed=" + seed).isEmpty();
      }
      assertThat(hits.get()).as("seed=" + seed + ", lookups=" + lookups).isPositive();
      assertThat(slowestNanos.get()).isLessThan(SECONDS.toNanos(TierTestLimits.SECONDS));
      System.getLogger(StormTest.class.getName())
          .log(
              System.Logger.Level.INFO,
              "lookups="
                  + lookups
                  + ", hits="
                  + hits
                  + ", slowestMillis="
                  + slowestNanos.get() / 1_000_000
                  + ", "
                  + tier.remoteStats()
                  + ", "
                  + tier.stats());
      await()
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(
              () -> {
                insert(tier, KEYS, value(KEYS, 1, 100));
                return lookup(tier, KEYS).isHit();
              });
    } finally {
      over.countDown();
      executor.shutdownNow();
    }
  }

  private Callable<List<String>> writer(RemoteSecondaryCache tier, Random random) {
    return () -> {
      for (int version = 1; over.getCount() > 0; version++) {
        int key = random.nextInt(KEYS);
        if (random.nextInt(8) == 0) {
          tier.erase(HI, key);
        } else {
          tier.insert(HI, key, value(key, version, 12 + random.nextInt(1_000)), BYTES, true);
        }
        oldestAllowed.set(key, version);
        if (version % 4 == 0) {
          lookup(tier, random.nextInt(KEYS));
        }
      }
      return List.of();
    };
  }

  private Callable<List<String>> reader(RemoteSecondaryCache tier, Random random) {
    return () -> {
      List<String> wrong = new ArrayList<>();
      while (over.getCount() > 0) {
        int key = random.nextInt(KEYS);
        int oldest = oldestAllowed.get(key);
        long begin = System.nanoTime();
        byte[] given = lookup(tier, key).value();
        slowestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
        lookups.incrementAndGet();
        if (given != null) {
          hits.incrementAndGet();
          int version = versionOf(key, given);
          if (version < oldest) {
            wrong.add("key=" + key + ", version=" + version + ", oldest=" + oldest);
          }
        }
      }
      return wrong;
    };
  }

  private void disturb(RedisProcess server, Random random) {
    try {
      while (!over.await(50 + random.nextInt(200), MILLISECONDS)) {
        switch (random.nextInt(6)) {
          case 0 -> {
            server.kill();
            server.restart();
          }
          case 1, 2 -> {
            server.freeze();
            over.await(50 + random.nextInt(250), MILLISECONDS);
            server.thaw();
          }
          default -> cutOff(server);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void cutOff(RedisProcess server) {
    try {
      RedisCommands<byte[], byte[]> commands = server.commands();
      commands.clientKill(KillArgs.Builder.typeNormal().skipme());
      commands.getStatefulConnection().closeAsync();
    } catch (RedisException unreachable) {
      return;
    }
  }
}
