/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.TierTestLimits;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that others put under the tier's keys, damaged ones, and servers that are none. */
class ForeignRepliesTest {
  private static final int KEY = 1;

  private final String namespace = RemoteTiers.newNamespace();
  private final WireFormat envelope = new WireFormat(namespace, 0, null);
  private final byte[] key = envelope.key(HI, KEY);
  private RedisCommands<byte[], byte[]> server;
  private RemoteSecondaryCache tier;

  @BeforeEach
  void open() {
    server = RedisProcess.shared().commands();
    tier =
        RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared())).namespace(namespace).build();
  }

  @AfterEach
  void close() {
    tier.close();
    server.getStatefulConnection().close();
  }

  /** Inserts a value, waits until it is there, and returns what is on the server. */
  private byte[] inserted(long number, int version) {
    assertThat(insert(tier, number, value(number, version, 100))).isTrue();
    assertThat(lookup(tier, number).isHit()).isTrue();
    return server.get(envelope.key(HI, number));
  }

  private TierOutcome outcomeOf(byte[] planted) {
    server.set(key, planted);
    return lookup(tier, KEY).outcome();
  }

  @Test
  void valuesOfOthersAreMisses() {
    Random random = new Random(1);
    for (int length : new int[] {0, 1, 43, 44, 53, 200}) {
      byte[] planted = new byte[length];
      random.nextBytes(planted);
      assertThat(outcomeOf(planted)).isEqualTo(TierOutcome.CORRUPT);
    }
    assertThat(tier.stats().count(TierOutcome.CORRUPT)).isEqualTo(6);
  }

  @Test
  void everyFlippedBitAndEveryCutIsAMiss() {
    byte[] sound = inserted(KEY, 1);
    assertThat(outcomeOf(sound)).isEqualTo(TierOutcome.HIT);
    for (int i = 0; i < sound.length; i++) {
      byte[] damaged = sound.clone();
      damaged[i] ^= (byte) (1 << i % 8);
      assertThat(outcomeOf(damaged)).as("byte " + i).isEqualTo(TierOutcome.CORRUPT);
      assertThat(outcomeOf(Arrays.copyOf(sound, i)))
          .as("length " + i)
          .isEqualTo(TierOutcome.CORRUPT);
    }
    assertThat(outcomeOf(Arrays.copyOf(sound, sound.length + 1))).isEqualTo(TierOutcome.CORRUPT);
  }

  @Test
  void valuesOfOtherKeysAndNamespacesAreMisses() {
    assertThat(outcomeOf(inserted(2, 1))).isEqualTo(TierOutcome.CORRUPT);
    try (RemoteSecondaryCache other =
        RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared())).namespace("other").build()) {
      insert(other, KEY, value(KEY, 1, 100));
      assertThat(lookup(other, KEY).isHit()).isTrue();
      byte[] elsewhere = server.get(new WireFormat("other", 0, null).key(HI, KEY));
      assertThat(outcomeOf(elsewhere)).isEqualTo(TierOutcome.CORRUPT);
    }
  }

  @Test
  void valuesThatAreNotBytesAreMisses() {
    server.lpush(key, new byte[] {1});
    assertThat(lookup(tier, KEY).outcome()).isEqualTo(TierOutcome.ABSENT);
    inserted(2, 1);
    assertThat(RemoteTiers.lookupAll(tier, 2, KEY, 2))
        .extracting(TierResult::outcome)
        .containsExactly(TierOutcome.HIT, TierOutcome.ABSENT, TierOutcome.HIT);
    inserted(KEY, 3);
  }

  @Test
  void damagedValueStaysUntilTheNextInsert() {
    byte[] sound = inserted(KEY, 1);
    byte[] damaged = Arrays.copyOf(sound, sound.length - 1);
    assertThat(outcomeOf(damaged)).isEqualTo(TierOutcome.CORRUPT);
    assertThat(server.get(key)).isEqualTo(damaged);
    inserted(KEY, 2);
    assertThat(lookup(tier, KEY).value()).isEqualTo(value(KEY, 2, 100));
  }

  @Test
  void everyValueHasATimeToLive() {
    inserted(KEY, 1);
    assertThat(server.pttl(key)).isBetween(1L, Duration.ofMinutes(2).toMillis());
  }

  /** A peer that says the same to whatever it hears. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "-ERR no\r\n",
        "*1\r\n$5\r\nwrong\r\n",
        "*2\r\n$-1\r\n$-1\r\n",
        "$100\r\nhalf",
        "*99999999\r\n",
        ":1\r\n",
        "+OK\r\n",
        ""
      })
  void peerThatIsNoServerCostsMisses(String reply) throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread peer = new Thread(() -> answer(socket, reply));
      peer.setDaemon(true);
      peer.start();
      Duration timeout = Duration.ofMillis(50);
      LettuceRemoteStore store =
          LettuceRemoteStore.connect(
              "redis://127.0.0.1:" + socket.getLocalPort(), timeout, timeout);
      try (RemoteSecondaryCache misled = RemoteTiers.builder(store).timeout(timeout).build()) {
        for (int i = 0; i < 6; i++) {
          long begin = System.nanoTime();
          insert(misled, i, value(i, 1, 100));
          assertThat(lookup(misled, i).isHit()).isFalse();
          misled.erase(HI, i);
          assertThat(System.nanoTime() - begin).isLessThan(SECONDS.toNanos(TierTestLimits.SECONDS));
        }
        assertThat(misled.state()).isNotNull();
      }
    }
  }

  private static void answer(ServerSocket socket, String reply) {
    while (!socket.isClosed()) {
      try (Socket peer = socket.accept()) {
        InputStream in = peer.getInputStream();
        byte[] heard = new byte[1 << 16];
        while (in.read(heard) >= 0) {
          peer.getOutputStream().write(reply.getBytes(StandardCharsets.ISO_8859_1));
          peer.getOutputStream().flush();
        }
      } catch (IOException gone) {
        continue;
      }
    }
  }
}
