/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.testing.TierTestLimits;
import io.lettuce.core.KillArgs;
import io.lettuce.core.SslOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a connection may take to be made, and what is said when there is none. */
class LettuceConnectTest {
  private static final Duration PATIENT = RemoteTiers.PATIENT;
  private static final Duration SHORT = Duration.ofMillis(300);

  private final Lines lines = new Lines();
  private RemoteSecondaryCache tier;

  /** Keeps what is logged. */
  private static final class Lines implements System.Logger {
    final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      all.add(level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... params) {
      all.add(level + " " + format);
    }
  }

  @AfterEach
  void close() {
    if (tier != null) {
      tier.close();
    }
  }

  private void open(LettuceRemoteStoreBuilder store) {
    tier = RemoteTiers.builder(store.build()).logger(lines).build();
  }

  private void open(String uri, Duration connectTimeout) {
    open(LettuceRemoteStore.builder(uri).connectTimeout(connectTimeout).commandTimeout(PATIENT));
  }

  private void awaitOpen() {
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> tier.state().mode() == Mode.OPEN);
  }

  private static String causeType(TierState state) {
    TierState.Cause cause = state.cause();
    return cause == null ? "" : cause.type();
  }

  private void assertCause(String type, String message) {
    TierState state =
        await()
            .atMost(TierTestLimits.SECONDS, SECONDS)
            .until(tier::state, now -> causeType(now).equals(type));
    assertThat(state.mode()).isEqualTo(Mode.BYPASS);
    assertThat(Objects.requireNonNull(state.cause()).message()).contains(message);
    assertThat(state.reason()).contains(type).contains(message);
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () ->
                lines.all.stream()
                    .anyMatch(line -> line.startsWith("WARNING") && line.contains(type)));
  }

  /** A round trip takes 200 ms, so the handshake takes more than a command may. */
  @Test
  void handshakeMayTakeLongerThanACommand() throws Exception {
    Duration commandTimeout = Duration.ofMillis(500);
    try (Proxy far = new Proxy(RedisProcess.shared().port(), Duration.ofMillis(100))) {
      tier =
          RemoteTiers.builder(LettuceRemoteStore.connect(far.uri(), PATIENT, commandTimeout))
              .timeout(PATIENT)
              .build();
      awaitOpen();
    }
  }

  @Test
  void attemptToConnectEndsInTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long begin = System.nanoTime();
      open("redis://127.0.0.1:" + silent.getLocalPort(), SHORT);
      assertThat(System.nanoTime() - begin).isLessThan(SECONDS.toNanos(TierTestLimits.SECONDS));
      assertCause("CONNECT_TIMED_OUT", "");
    }
  }

  @Test
  void refusedConnection() {
    try (RedisProcess absent = RedisProcess.notStarted()) {
      open(absent.uri(), PATIENT);
      assertCause("CONNECTION_REFUSED", "127.0.0.1");
    }
  }

  /** A name that no host can have, so that no name server is asked. */
  @Test
  void unknownHost() {
    open("redis://no..such:6379", PATIENT);
    assertCause("UNKNOWN_HOST", "IllegalArgumentException");
  }

  @Test
  void wrongAndMissingPassword() {
    try (RedisProcess server = RedisProcess.start("--requirepass", "secret")) {
      String address = "127.0.0.1:" + server.port();
      open("redis://:guess@" + address, PATIENT);
      assertCause("WRONG_PASSWORD", "WRONGPASS");
      assertThat(lines.all).noneMatch(line -> line.contains("guess"));
      tier.close();
      open("redis://someone:guess@" + address, PATIENT);
      assertCause("WRONG_PASSWORD", "WRONGPASS");
      tier.close();
      open("redis://" + address, PATIENT);
      assertCause("NO_PASSWORD", "NOAUTH");
      tier.close();
      open("redis://:secret@" + address, PATIENT);
      awaitOpen();
    }
  }

  @Test
  void peerThatIsNoServer() throws Exception {
    try (LyingServer peer =
        new LyingServer((command, to) -> LyingServer.say(to, "HTTP/1.1 400 Bad Request\r\n"))) {
      open(peer.uri(), PATIENT);
      assertCause("NOT_REDIS", "byte=72");
    }
  }

  @Test
  void tlsAgainstPlaintextAndPlaintextAgainstTls(@TempDir Path directory) throws Exception {
    TlsIdentity identity = TlsIdentity.in(directory);
    RedisProcess server = RedisProcess.shared();
    open("rediss://127.0.0.1:" + server.port(), Duration.ofSeconds(5));
    assertCause("TLS_FAILED", "");
    tier.close();
    try (Proxy tls = new Proxy(identity.serverSocket(), server.port(), Duration.ZERO)) {
      String address = "127.0.0.1:" + tls.port();
      open("redis://" + address, PATIENT);
      assertCause("TLS_EXPECTED", "rediss://");
      tier.close();
      open("rediss://" + address, PATIENT);
      assertCause("TLS_FAILED", "certificat");
      tier.close();
      SslOptions trusting =
          SslOptions.builder()
              .jdkSslProvider()
              .truststore(identity.keyStore.toFile(), TlsIdentity.PASSWORD)
              .build();
      open(
          LettuceRemoteStore.builder("rediss://" + address)
              .connectTimeout(PATIENT)
              .commandTimeout(PATIENT)
              .sslOptions(trusting));
      awaitOpen();
      insert(tier, 1, value(1, 1, 100_000));
      assertThat(lookup(tier, 1).value()).isEqualTo(value(1, 1, 100_000));
    }
  }

  /** One line for each change, however many lookups there are meanwhile. */
  @Test
  void laterFailuresAndTheReturnAreToldOnce() {
    try (RedisProcess server = RedisProcess.start()) {
      open(server.uri(), PATIENT);
      awaitOpen();
      assertThat(lines.all).isEmpty();
      var commands = server.commands();
      commands.configSet("requirepass", "new");
      commands.auth("new");
      commands.clientKill(KillArgs.Builder.typeNormal().skipme());
      for (int i = 0; i < 2_000 || tier.state().mode() == Mode.OPEN; i++) {
        lookup(tier, i);
      }
      assertCause("NO_PASSWORD", "NOAUTH");
      for (int i = 0; i < 2_000; i++) {
        lookup(tier, i);
      }
      commands.configSet("requirepass", "");
      awaitOpen();
      await()
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> lines.all.get(lines.all.size() - 1).startsWith("INFO"));
      assertThat(lines.all).hasSizeBetween(2, 6);
      assertThat(lines.all.get(lines.all.size() - 1)).contains("tier=remote, state=OPEN");
      insert(tier, 1, value(1, 1, 100));
      assertThat(lookup(tier, 1).isHit()).isTrue();
    }
  }

  @Test
  void longAndStrangeMessagesAreShortenedToOneLine() {
    TierState.Cause cause = Causes.of("REFUSED", "a\n\u0007b" + "c".repeat(1_000));
    assertThat(cause.message())
        .startsWith("a??b")
        .hasSize(Causes.MAX_CHARS + 1)
        .doesNotContain("\n");
  }

  @Test
  void limitsAreChecked() {
    LettuceRemoteStoreBuilder builder = LettuceRemoteStore.builder("redis://127.0.0.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.connectTimeout(Duration.ZERO))
        .withMessage("connectTimeout must be in [1 ms, 1 day]: connectTimeout=PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.commandTimeout(Duration.ofDays(2)))
        .withMessage("commandTimeout must be in [1 ms, 1 day]: commandTimeout=PT48H");
    assertThatIllegalArgumentException().isThrownBy(() -> LettuceRemoteStore.builder("nothing:"));
  }
}
