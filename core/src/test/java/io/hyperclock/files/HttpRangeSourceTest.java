/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hyperclock.entry.FileKey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a server on this machine that can be told to misbehave. */
@Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
class HttpRangeSourceTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

  /** How the server answers. */
  enum Manner {
    GOOD,
    SHORT_RANGE,
    CUT,
    CUT_ONCE,
    CUT_ONCE_WITHOUT_LENGTH,
    IGNORES_RANGES,
    OTHER_RANGE,
    TOO_MUCH,
    FAILS,
    FAILS_ONCE,
    EMPTY_WITHOUT_RANGE,
    GONE,
    NEVER
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger requests = new AtomicInteger();

  /** Requests that wait for ever, without those of an open: the first byte of the object. */
  private final AtomicInteger unanswered = new AtomicInteger();

  private final CountDownLatch end = new CountDownLatch(1);
  private final BlockFiles files =
      BlockFiles.builder().capacityBytes(1 << 20).blockBytes(4096).build();
  private volatile Manner manner = Manner.GOOD;
  private volatile String tag = "\"one\"";
  private volatile byte[] content = new TestSource(50_000).bytes(0, 50_000);
  private HttpServer server;
  private URI uri;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/object");
  }

  @AfterEach
  void stop() throws Exception {
    files.close();
    TestSource.assertAllBack(files);
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  private void answer(HttpExchange exchange) throws IOException {
    int number = requests.incrementAndGet();
    try (exchange) {
      byte[] bytes = content;
      Matcher range = RANGE.matcher(exchange.getRequestHeaders().getFirst("Range"));
      assertThat(range.matches()).isTrue();
      int from = Integer.parseInt(range.group(1));
      int to = Math.min(Integer.parseInt(range.group(2)), bytes.length - 1);
      exchange.getResponseHeaders().set("ETag", tag);
      switch (manner) {
        case FAILS -> exchange.sendResponseHeaders(503, -1);
        case GONE -> exchange.sendResponseHeaders(404, -1);
        case EMPTY_WITHOUT_RANGE -> exchange.sendResponseHeaders(200, -1);
        case NEVER -> {
          unanswered.addAndGet(from > 0 ? 1 : 0);
          await();
        }
        case IGNORES_RANGES -> {
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
        }
        case FAILS_ONCE -> {
          if (number % 2 == 1) {
            exchange.sendResponseHeaders(500, -1);
          } else {
            send(exchange, bytes, from, to, to - from + 1);
          }
        }
        case CUT -> send(exchange, bytes, from, to, (to - from + 1) / 2);
        case CUT_ONCE -> send(exchange, bytes, from, to, (to - from + 1) / (number % 2 + 1));
        case CUT_ONCE_WITHOUT_LENGTH -> {
          range(exchange, from, to, bytes.length);
          exchange.sendResponseHeaders(206, 0);
          int count = (to - from + 1) / (number % 2 + 1);
          exchange.getResponseBody().write(bytes, from, count);
        }
        case SHORT_RANGE ->
            send(exchange, bytes, from, Math.min(to, from + 999), Integer.MAX_VALUE);
        case OTHER_RANGE -> send(exchange, bytes, from + 1, to, Integer.MAX_VALUE);
        case TOO_MUCH -> send(exchange, bytes, from, to + 1, Integer.MAX_VALUE);
        case GOOD -> {
          if (bytes.length == 0) {
            exchange.getResponseHeaders().set("Content-Range", "bytes */0");
            exchange.sendResponseHeaders(416, -1);
          } else {
            send(exchange, bytes, from, to, Integer.MAX_VALUE);
          }
        }
      }
    }
  }

  private void await() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void range(HttpExchange exchange, int from, int to, int length) {
    exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + to + "/" + length);
  }

  private static void send(HttpExchange exchange, byte[] bytes, int from, int to, int most)
      throws IOException {
    range(exchange, from, to, bytes.length);
    exchange.sendResponseHeaders(206, to - from + 1);
    exchange
        .getResponseBody()
        .write(Arrays.copyOfRange(bytes, from, from + Math.min(most, to - from + 1)));
    exchange.getResponseBody().flush();
  }

  private Cursor open(Duration limit) throws IOException {
    return files.open(FileKey.unique(), HttpRangeSource.open(client, uri, limit)).cursor();
  }

  /** With a limit that even a good server may exceed on a busy machine. */
  private Cursor openAtLast(Duration limit) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return open(limit);
      } catch (IOException e) {
        if (tries == 10) {
          throw e;
        }
      }
    }
  }

  private void assertReads(Cursor cursor, int from, int count) throws IOException {
    byte[] read = new byte[count];
    cursor.read(from, read, 0, count);
    assertThat(read).isEqualTo(Arrays.copyOfRange(content, from, from + count));
  }

  @Test
  void readsAnObjectInFewRequests() throws IOException {
    Cursor cursor = open(LONG);
    assertThat(cursor.length()).isEqualTo(50_000);
    assertReads(cursor, 0, 50_000);
    assertReads(cursor, 10_000, 30_000);
    assertThat(requests.get()).as("one to open").isLessThanOrEqualTo(6);
  }

  @Test
  void anEmptyObjectHasNoBytes() throws IOException {
    content = new byte[0];
    assertThat(open(LONG).length()).isZero();
    manner = Manner.EMPTY_WITHOUT_RANGE;
    assertThat(open(LONG).length()).isZero();
  }

  @Test
  void shortRangesAreAskedForTheRest() throws IOException {
    Cursor cursor = open(LONG);
    manner = Manner.SHORT_RANGE;
    assertReads(cursor, 100, 20_000);
  }

  @Test
  void whatFailsOnceIsTriedAgain() throws IOException {
    Cursor cursor = open(LONG);
    for (Manner now :
        new Manner[] {Manner.FAILS_ONCE, Manner.CUT_ONCE, Manner.CUT_ONCE_WITHOUT_LENGTH}) {
      manner = now;
      requests.set(0);
      files.cache().eraseUnreferenced();
      assertReads(cursor, 5000, 3000);
      assertThat(requests.get()).isPositive();
    }
  }

  @Test
  void aServerThatMisbehavesFailsTheReadAndNothingIsCached() throws IOException {
    Cursor cursor = open(LONG);
    for (Manner now :
        new Manner[] {
          Manner.CUT,
          Manner.IGNORES_RANGES,
          Manner.OTHER_RANGE,
          Manner.TOO_MUCH,
          Manner.FAILS,
          Manner.GONE
        }) {
      manner = now;
      assertThatThrownBy(() -> cursor.readByte(20_000))
          .as(now.name())
          .isInstanceOf(IOException.class);
      assertThat(files.cache().monitor().occupancy()).isZero();
    }
    manner = Manner.GOOD;
    assertThat(cursor.readByte(20_000)).isEqualTo(content[20_000]);
  }

  @Test
  void aServerWithoutRangesIsRefusedAtOnce() {
    for (Manner now : new Manner[] {Manner.IGNORES_RANGES, Manner.GONE, Manner.FAILS}) {
      manner = now;
      assertThatThrownBy(() -> open(LONG)).as(now.name()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aServerThatNeverAnswersIsGivenUp() throws IOException {
    Cursor cursor = openAtLast(Duration.ofMillis(1500));
    manner = Manner.NEVER;
    assertThatThrownBy(() -> cursor.readByte(9000))
        .isInstanceOf(IOException.class)
        .cause()
        .isInstanceOfAny(TimeoutException.class, HttpTimeoutException.class);
    assertThat(unanswered.get()).as("a server may notice any late").isLessThanOrEqualTo(3);
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    Cursor cursor = open(LONG);
    manner = Manner.NEVER;
    AtomicInteger outcome = new AtomicInteger();
    Thread reader =
        new Thread(
            () -> {
              try {
                cursor.readByte(9000);
              } catch (InterruptedIOException e) {
                outcome.set(Thread.currentThread().isInterrupted() ? 1 : 2);
              } catch (IOException e) {
                outcome.set(3);
              }
            });
    reader.start();
    while (requests.get() < 2) {
      Thread.onSpinWait();
    }
    reader.interrupt();
    reader.join();
    assertThat(outcome).hasValue(1);
  }

  @Test
  void aChangedObjectIsTold() throws IOException {
    Cursor cursor = open(LONG);
    assertReads(cursor, 0, 4096);
    tag = "\"two\"";
    assertThatThrownBy(() -> cursor.readByte(10_000))
        .isInstanceOf(FileChangedException.class)
        .hasMessageContaining("two");
    assertReads(cursor, 0, 4096);
    manner = Manner.EMPTY_WITHOUT_RANGE;
    assertThatThrownBy(() -> cursor.readByte(10_000)).isInstanceOf(FileChangedException.class);
    manner = Manner.GOOD;
    tag = "\"one\"";
    content = Arrays.copyOf(content, 40_000);
    assertThatThrownBy(() -> cursor.readByte(10_000)).isInstanceOf(FileChangedException.class);
  }

  @Test
  void whatNoRequestCanBeMadeOfIsRefused() {
    assertThatThrownBy(() -> HttpRangeSource.open(null, uri, LONG))
        .hasMessage("client must not be null");
    assertThatThrownBy(() -> HttpRangeSource.open(client, null, LONG))
        .hasMessage("uri must not be null");
    assertThatThrownBy(() -> HttpRangeSource.open(client, uri, null))
        .hasMessage("limit must not be null");
    for (Duration limit :
        new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMillis(Long.MAX_VALUE)}) {
      assertThatThrownBy(() -> HttpRangeSource.open(client, uri, limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("limit must be in (0, ")
          .hasMessageEndingWith("limit=" + limit);
    }
    assertThat(requests).hasValue(0);
  }

  @Test
  void theEntityTagOfAnErrorIsNotThatOfTheObject() throws IOException {
    Cursor cursor = open(LONG);
    manner = Manner.GONE;
    tag = "\"error\"";
    assertThatThrownBy(() -> cursor.readByte(10_000))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(FileChangedException.class)
        .hasMessageContaining("status=404");
  }
}
