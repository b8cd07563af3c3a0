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
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.internal.record.Records;
import io.hyperclock.secondary.testing.TierTestLimits;
import io.lettuce.core.api.sync.RedisCommands;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that want to end this process by what they send. */
class HostileServerTest {
  private static final int MIB = 1 << 20;
  private static final Duration PATIENT = RemoteTiers.PATIENT;

  /** What the sockets on both sides may hold, and what is not worth counting. */
  private static final long SLACK = 16L * MIB;

  private static LettuceRemoteStore connect(LyingServer server, Duration commandTimeout) {
    return LettuceRemoteStore.connect(server.uri(), PATIENT, commandTimeout);
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static List<byte[]> keys(int number) {
    return LongStream.range(0, number).mapToObj(key -> ("key" + key).getBytes(ISO_8859_1)).toList();
  }

  private static void settle(CompletionStage<?> answer) {
    answer
        .toCompletableFuture()
        .handle((any, failure) -> null)
        .orTimeout(TierTestLimits.SECONDS, SECONDS)
        .join();
  }

  @Test
  void announcedArrayIsNotAllocated() throws Exception {
    try (LyingServer server =
            new LyingServer((command, to) -> LyingServer.say(to, "*50000000\r\n$-1\r\n"));
        LettuceRemoteStore store = connect(server, Duration.ofSeconds(1))) {
      long before = usedHeap();
      settle(store.mget(keys(2)));
      assertThat(usedHeap() - before).isLessThan(SLACK);
    }
  }

  /** Sends a head and then, for ever, a piece; the client must hang up before it has much of it. */
  @ParameterizedTest
  @CsvSource({
    "endless status,            +, a",
    "endless error,             -, a",
    "endless number,            :, 1",
    "endless length,            $, 0",
    "endless count,             *, 0",
    "huge value,                '*2|$2147483640|', a",
    "huge value instead,        '$2147483640|', a",
    "more values than asked,    '*2147483640|', '$-1|'",
    "nested arrays,             '*1|', '*1|'",
    "nested in the array,       '*2|', '*1|'",
    "map,                       '%1000000000|', '+a|'",
    "set,                       '~1000000000|', '+a|'",
    "pushed messages,           '', '>1|+a|'",
    "one pushed message,        '>1000000000|', '+a|'",
    "attributes,                '|', '|1|+a|+b|'",
    "big error,                 '!2147483640|', a",
    "more answers than asked,   '*2|$-1|$-1|', '+OK|'",
    "no protocol,               'HTTP/1.1 200 OK|', a"
  })
  void endlessAnswerEndsTheConnection(String name, String head, String piece) throws Exception {
    AtomicLong sent = new AtomicLong();
    AtomicInteger lies = new AtomicInteger();
    LyingServer.Lie endless =
        (command, to) -> {
          if (lies.incrementAndGet() == 1) {
            LyingServer.say(to, head.replace("|", "\r\n"));
            byte[] chunk = piece.replace("|", "\r\n").repeat(1 << 10).getBytes(ISO_8859_1);
            while (sent.addAndGet(chunk.length) < 8 * SLACK) {
              to.write(chunk);
            }
          }
          LyingServer.say(to, "*2\r\n$-1\r\n$-1\r\n");
        };
    try (LyingServer server = new LyingServer(endless);
        LettuceRemoteStore store = connect(server, Duration.ofSeconds(2))) {
      settle(store.mget(keys(2)));
      await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> server.connections.get() > 1);
      assertThat(sent).as(name).hasValueLessThan(SLACK);
      await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> answers(store));
    }
  }

  private static boolean answers(LettuceRemoteStore store) {
    return store
        .mget(keys(2))
        .toCompletableFuture()
        .handle((values, failure) -> failure == null && values.size() == 2)
        .orTimeout(TierTestLimits.SECONDS, SECONDS)
        .join();
  }

  /** The heap grows by no more than twice the largest value for each command under way. */
  @Test
  void largeValuesAreNotKept() throws Exception {
    int maxValueBytes =
        MIB / 4; // Below half a region of G1, which counts larger arrays in regions.
    int commands = 32;
    int perCommand = 6;
    ConcurrentLinkedQueue<Runnable> decodings = new ConcurrentLinkedQueue<>();
    byte[] large = new byte[3 * maxValueBytes];
    LyingServer.Lie lie =
        (command, to) -> {
          int keys = command.size() - 1;
          LyingServer.say(to, "*" + keys + "\r\n");
          for (int i = 0; i < keys; i++) {
            // In turn one that is too large, and one that is just not.
            int bytes = i % 2 == 0 ? large.length : maxValueBytes;
            LyingServer.say(to, "$" + bytes + "\r\n");
            to.write(large, 0, bytes);
            LyingServer.say(to, "\r\n");
          }
        };
    try (LyingServer server = new LyingServer(lie);
        RemoteSecondaryCache tier =
            RemoteTiers.builder(connect(server, PATIENT))
                .maxValueBytes(maxValueBytes)
                .maxBatchBytes(maxValueBytes)
                .executor(decodings::add)
                .build()) {
      long before = usedHeap();
      List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
      for (int i = 0; i < commands; i++) {
        List<TierRequest<byte[]>> requests = new ArrayList<>();
        for (long key = 0; key < perCommand; key++) {
          requests.add(TierRequest.of(HI, key, BYTES));
        }
        futures.addAll(tier.lookupAll(requests));
      }
      assertThat(tier.remoteStats().commandsInFlight()).isEqualTo(commands);
      await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> decodings.size() == commands);
      assertThat(usedHeap() - before).isLessThan(2L * maxValueBytes * commands + SLACK / 4);
      decodings.forEach(Runnable::run);
      assertThat(futures).allMatch(CompletableFuture::isDone);
      assertThat(futures).noneMatch(future -> future.join().isHit());
    }
  }

  /** A value that is too large costs its own lookup, not the connection and not its neighbours. */
  @Test
  void valueThatIsTooLargeIsAMiss() {
    RedisCommands<byte[], byte[]> server = RedisProcess.shared().commands();
    String namespace = RemoteTiers.newNamespace();
    WireFormat envelope = new WireFormat(namespace, 0, null);
    try (RemoteSecondaryCache tier =
        RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared()))
            .namespace(namespace)
            .maxValueBytes(10_000)
            .build()) {
      insert(tier, 1, value(1, 1, 10_000));
      insert(tier, 3, value(3, 1, 10_000));
      assertThat(lookup(tier, 3).isHit()).isTrue();
      server.set(envelope.key(HI, 2), new byte[20_000]);
      assertThat(RemoteTiers.lookupAll(tier, 1, 2, 3))
          .extracting(TierResult::outcome)
          .containsExactly(TierOutcome.HIT, TierOutcome.ABSENT, TierOutcome.HIT);
      assertThat(tier.metrics())
          .anyMatch(figure -> figure.name().equals("remote.oversized") && figure.value() == 1);
    } finally {
      server.getStatefulConnection().close();
    }
  }

  /** Two kilobytes that unfold to eighteen megabytes. */
  @Test
  void valueThatUnfoldsToTooMuchIsAMiss() {
    RedisCommands<byte[], byte[]> server = RedisProcess.shared().commands();
    String namespace = RemoteTiers.newNamespace();
    WireFormat envelope = new WireFormat(namespace, 0, null);
    try (RemoteSecondaryCache tier =
        RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared()))
            .namespace(namespace)
            .maxValueBytes(MIB)
            .build()) {
      for (Compression compression : new Compression[] {Compression.ZSTD, Compression.DEFLATE}) {
        Records records = new Records(compression.compressor(), Set.of());
        byte[] largest = records.pack(new byte[MIB], BYTES.codec(), true);
        server.set(envelope.key(HI, 1), envelope.seal(HI, 1, 1, BYTES, largest));
        assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.HIT);
        byte[] larger = records.pack(new byte[MIB + 1], BYTES.codec(), true);
        server.set(envelope.key(HI, 1), envelope.seal(HI, 1, 1, BYTES, larger));
        assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.CORRUPT);
        byte[] bomb = records.pack(new byte[18 * MIB], BYTES.codec(), true);
        server.set(envelope.key(HI, 1), envelope.seal(HI, 1, 1, BYTES, bomb));
        assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.CORRUPT);
      }
    } finally {
      server.getStatefulConnection().close();
    }
  }
}
