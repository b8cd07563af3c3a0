/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.hyperclock.secondary.testing.TierTestLimits;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import redis.embedded.core.ExecutableProvider;

/**
 * A real server on a free port: the program that {@code -Dredis.server.bin} names, else {@code
 * redis-server} on the path, else the one that embedded-redis brings. Fails loudly without one.
 */
final class RedisProcess implements AutoCloseable {
  private static final String PROGRAM = program();
  private static final String PORT_TAKEN = "Address already in use";
  private static final int PORTS_TO_TRY = 5;

  private final int port;
  private final List<String> settings;
  private final RedisClient client = RedisClient.create();
  private Process process;

  private RedisProcess(int port, List<String> settings) {
    this.port = port;
    this.settings = settings;
  }

  /** One for all tests that do it no harm; ends with this JVM. */
  static RedisProcess shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    private static final RedisProcess SERVER = start();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::kill));
    }
  }

  /** Starts one, with settings beside those that keep it in memory. */
  static RedisProcess start(String... settings) {
    for (int tries = 1; ; tries++) {
      RedisProcess server = notStarted(settings);
      try {
        server.restart();
        return server;
      } catch (CompletionException e) {
        server.close();
        if (tries == PORTS_TO_TRY || !String.valueOf(e.getMessage()).contains(PORT_TAKEN)) {
          throw e;
        }
      }
    }
  }

  /** Only chooses a port. */
  static RedisProcess notStarted(String... settings) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new RedisProcess(socket.getLocalPort(), List.of(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String program() {
    String chosen = System.getProperty("redis.server.bin");
    if (chosen != null) {
      return chosen;
    }
    for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
      Path candidate = Path.of(directory, "redis-server");
      if (Files.isExecutable(candidate)) {
        return candidate.toString();
      }
    }
    try {
      return ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "these tests need a Redis server: install redis-server, or name one by"
              + " -Dredis.server.bin",
          e);
    }
  }

  /** Starts the process, on the same port as before. */
  void restart() {
    List<String> command = new ArrayList<>(List.of(PROGRAM, "--port", String.valueOf(port)));
    command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
    command.addAll(List.of("--maxmemory", "64mb"));
    command.addAll(settings);
    try {
      process =
          new ProcessBuilder(command)
              .directory(new File(System.getProperty("java.io.tmpdir")))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw new IllegalStateException("a Redis server must start: program=" + PROGRAM, e);
    }
    awaitReady(process);
  }

  private static void awaitReady(Process started) {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    StringBuffer said = new StringBuffer();
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(
                      new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  said.append(line).append('\n');
                  if (line.contains("eady to accept")) {
                    ready.complete(null);
                  }
                }
              } catch (IOException e) {
                said.append(e);
              }
              ready.completeExceptionally(
                  new IllegalStateException(
                      "the Redis server must run: program=" + PROGRAM + "\n" + said));
            });
    reader.setDaemon(true);
    reader.start();
    ready.orTimeout(TierTestLimits.SECONDS, SECONDS).join();
  }

  int port() {
    return port;
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Commands of a client of the test's own. */
  RedisCommands<byte[], byte[]> commands() {
    RedisURI uri = RedisURI.create(uri());
    uri.setTimeout(TierTestLimits.TIME);
    return client.connect(ByteArrayCodec.INSTANCE, uri).sync();
  }

  /** As kill -9. */
  void kill() {
    try {
      process.destroyForcibly().waitFor(TierTestLimits.SECONDS, SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void freeze() {
    signal("-STOP");
  }

  void thaw() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      Process kill = new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill must succeed: signal=" + signal);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.shutdownAsync(0, 1, SECONDS);
    if (process != null) {
      kill();
    }
  }
}
