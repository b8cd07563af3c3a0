/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.INDEX;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.internal.record.RecordAuthenticator;
import io.hyperclock.secondary.testing.TierTestLimits;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values on a server that somebody else may write to. */
class RemoteKeyTest {
  private static final int KEY = 1;

  private final String namespace = RemoteTiers.newNamespace();
  private final WireFormat plain = new WireFormat(namespace, 0, null);
  private final byte[] key = plain.key(HI, KEY);
  private final RedisCommands<byte[], byte[]> server = RedisProcess.shared().commands();
  private final List<RemoteSecondaryCache> tiers = new ArrayList<>();

  @AfterEach
  void close() {
    tiers.forEach(RemoteSecondaryCache::close);
    server.getStatefulConnection().close();
  }

  private static RecordKey key(int number) {
    byte[] secret = new byte[RecordKey.MIN_SECRET_BYTES];
    Arrays.fill(secret, (byte) number);
    return RecordKey.hmacSha256(secret);
  }

  private RemoteSecondaryCacheBuilder settings() {
    return RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared())).namespace(namespace);
  }

  private RemoteSecondaryCache open(RemoteSecondaryCacheBuilder settings) {
    RemoteSecondaryCache tier = settings.build();
    tiers.add(tier);
    return tier;
  }

  /** Inserts a value, waits until it is there, and returns what is on the server. */
  private byte[] inserted(RemoteSecondaryCache by, long number, int version) {
    assertThat(insert(by, number, value(number, version, 100))).isTrue();
    assertThat(lookup(by, number).value()).isEqualTo(value(number, version, 100));
    return server.get(plain.key(HI, number));
  }

  private TierOutcome outcomeOf(RemoteSecondaryCache by, byte[] planted) {
    server.set(key, planted);
    return lookup(by, KEY).outcome();
  }

  private static long figure(RemoteSecondaryCache of, String name) {
    return of.metrics().stream()
        .filter(figure -> figure.name().equals(name))
        .mapToLong(TierMetric::value)
        .findFirst()
        .orElseThrow();
  }

  /** What a forger without the secret can do: make the checksums right. */
  private static byte[] withChecksum(byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update(value, 8, WireFormat.HEADER_BYTES + 4 - 8);
    ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putInt(4, (int) crc.getValue());
    return value;
  }

  @Test
  void holdersOfTheKeyShareValues() {
    RemoteSecondaryCache first = open(settings().recordKey(key(1)));
    RemoteSecondaryCache second = open(settings().recordKey(key(1)));
    inserted(first, KEY, 1);
    assertThat(lookup(second, KEY).value()).isEqualTo(value(KEY, 1, 100));
    assertThat(figure(second, "authentication.failed")).isZero();
    assertThat(figure(second, "authentication.unknown.key")).isZero();
  }

  @Test
  void everyFlippedBitAndEveryCutIsACountedMiss() {
    RemoteSecondaryCache tier = open(settings().recordKey(key(1)));
    byte[] sound = inserted(tier, KEY, 1);
    assertThat(outcomeOf(tier, sound)).isEqualTo(TierOutcome.HIT);
    for (int i = 0; i < sound.length; i++) {
      byte[] damaged = sound.clone();
      damaged[i] ^= (byte) (1 << i % 8);
      assertThat(outcomeOf(tier, damaged)).as("byte " + i).isEqualTo(TierOutcome.CORRUPT);
      assertThat(outcomeOf(tier, withChecksum(damaged)))
          .as("byte " + i)
          .isIn(TierOutcome.CORRUPT, i >= 4 && i < 8 ? TierOutcome.HIT : TierOutcome.CORRUPT);
      assertThat(outcomeOf(tier, Arrays.copyOf(sound, i))).isEqualTo(TierOutcome.CORRUPT);
    }
    long counted =
        figure(tier, "authentication.failed") + figure(tier, "authentication.unknown.key");
    assertThat(counted).isEqualTo(tier.stats().count(TierOutcome.CORRUPT));
  }

  @Test
  void forgedRecordsAreMisses() {
    RemoteSecondaryCache tier = open(settings().recordKey(key(1)));
    byte[] sound = inserted(tier, KEY, 1);
    byte[] record =
        Arrays.copyOfRange(
            sound, WireFormat.HEADER_BYTES, sound.length - RecordAuthenticator.TRAILER_BYTES);
    RecordAuthenticator stranger =
        new RecordAuthenticator("remote", WireFormat.utf8(namespace), key(2), List.of());
    byte[] forged = new WireFormat(namespace, 0, stranger).seal(HI, KEY, 9, BYTES, record);
    assertThat(outcomeOf(tier, forged)).isEqualTo(TierOutcome.CORRUPT);
    assertThat(figure(tier, "authentication.unknown.key")).isEqualTo(1);
    byte[] newer = sound.clone();
    ByteBuffer.wrap(newer).order(ByteOrder.LITTLE_ENDIAN).putLong(32, 1L << 40);
    assertThat(outcomeOf(tier, withChecksum(newer))).isEqualTo(TierOutcome.CORRUPT);
    assertThat(figure(tier, "authentication.failed")).isEqualTo(1);
  }

  @Test
  void recordsOfAnotherKeyTypeOrNamespaceAreMisses() {
    RemoteSecondaryCache tier = open(settings().recordKey(key(1)));
    byte[] sound = inserted(tier, KEY, 1);
    byte[] moved = inserted(tier, 2, 1);
    ByteBuffer.wrap(moved).order(ByteOrder.LITTLE_ENDIAN).putLong(16, KEY);
    assertThat(outcomeOf(tier, withChecksum(moved))).isEqualTo(TierOutcome.CORRUPT);
    assertThat(outcomeOf(tier, sound)).isEqualTo(TierOutcome.HIT);
    assertThat(
            tier.lookup(TierRequest.of(HI, KEY, INDEX))
                .orTimeout(TierTestLimits.SECONDS, SECONDS)
                .join()
                .outcome())
        .isEqualTo(TierOutcome.CORRUPT);
    String other = RemoteTiers.newNamespace();
    RemoteSecondaryCache neighbour = open(settings().namespace(other).recordKey(key(1)));
    byte[] theirs = new WireFormat(other, 0, null).key(HI, KEY);
    insert(neighbour, KEY, value(KEY, 5, 100));
    assertThat(lookup(neighbour, KEY).isHit()).isTrue();
    byte[] room = Arrays.copyOfRange(server.get(theirs), 40, 44);
    byte[] disguised = sound.clone();
    System.arraycopy(room, 0, disguised, 40, 4);
    server.set(theirs, withChecksum(disguised));
    assertThat(lookup(neighbour, KEY).outcome()).isEqualTo(TierOutcome.CORRUPT);
    assertThat(figure(neighbour, "authentication.failed")).isEqualTo(1);
  }

  @Test
  void tiersWithAndWithoutAKeyDoNotReadEachOther() {
    RemoteSecondaryCache with = open(settings().recordKey(key(1)));
    RemoteSecondaryCache without = open(settings());
    inserted(without, KEY, 1);
    assertThat(lookup(with, KEY).outcome()).isEqualTo(TierOutcome.CORRUPT);
    assertThat(figure(with, "authentication.unknown.key")).isEqualTo(1);
    inserted(with, KEY, 2);
    assertThat(lookup(without, KEY).outcome()).isEqualTo(TierOutcome.CORRUPT);
    assertThat(without.metrics()).noneMatch(f -> f.name().startsWith("authentication"));
  }

  @Test
  void keysCanBeRotated() {
    RemoteSecondaryCache old = open(settings().recordKey(key(1)));
    RemoteSecondaryCache prepared = open(settings().recordKey(key(1), key(2)));
    RemoteSecondaryCache rotated = open(settings().recordKey(key(2), key(1)));
    inserted(old, KEY, 1);
    assertThat(lookup(rotated, KEY).isHit()).isTrue();
    inserted(rotated, 2, 1);
    assertThat(lookup(prepared, 2).isHit()).isTrue();
    assertThat(lookup(old, 2).outcome()).isEqualTo(TierOutcome.CORRUPT);
    RemoteSecondaryCache done = open(settings().recordKey(key(2)));
    assertThat(lookup(done, 2).isHit()).isTrue();
    assertThat(lookup(done, KEY).outcome()).isEqualTo(TierOutcome.CORRUPT);
  }

  /** The limit that is stated: it was genuine, and a verifier without memory cannot tell. */
  @Test
  void olderRecordOfTheSameKeyIsNotRecognized() {
    RemoteSecondaryCache tier = open(settings().recordKey(key(1)));
    byte[] older = inserted(tier, KEY, 1);
    inserted(tier, KEY, 2);
    RemoteSecondaryCache other = open(settings().recordKey(key(1)));
    assertThat(outcomeOf(other, older)).isEqualTo(TierOutcome.HIT);
    assertThat(lookup(other, KEY).value()).isEqualTo(value(KEY, 1, 100));
  }
}
