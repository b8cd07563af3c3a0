/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stands before a server. Can swallow all that goes over the connections there are, can be as far
 * away as one likes, and can speak TLS to clients.
 */
final class Proxy implements AutoCloseable {
  private final ServerSocket socket;
  private final int target;
  private final Duration delay;
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });
  private final List<AtomicBoolean> swallowing = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  Proxy(int target) throws IOException {
    this(target, Duration.ZERO);
  }

  /** All that goes over it takes so long, each way. */
  Proxy(int target, Duration delay) throws IOException {
    this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target, delay);
  }

  /** Over a socket of the test's. */
  Proxy(ServerSocket socket, int target, Duration delay) {
    this.socket = socket;
    this.target = target;
    this.delay = delay;
    run(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  String uri() {
    return "redis://127.0.0.1:" + socket.getLocalPort();
  }

  /** Present connections hang from now on, without being closed; new ones work. */
  void hang() {
    swallowing.forEach(one -> one.set(true));
  }

  private static void run(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.addAll(List.of(client, server));
        AtomicBoolean swallow = new AtomicBoolean();
        swallowing.add(swallow);
        run(() -> copy(client, server, swallow));
        run(() -> copy(server, client, swallow));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void copy(Socket from, Socket to, AtomicBoolean swallow) {
    try (from) {
      InputStream in = from.getInputStream();
      byte[] buffer = new byte[1 << 16];
      for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
        if (!swallow.get() && delay.isZero()) {
          to.getOutputStream().write(buffer, 0, bytes);
          to.getOutputStream().flush();
        } else if (!swallow.get()) {
          byte[] copy = Arrays.copyOf(buffer, bytes);
          later.schedule(() -> write(copy, to), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
      }
    } catch (IOException closed) {
      return;
    }
  }

  private static void write(byte[] bytes, Socket to) {
    try {
      to.getOutputStream().write(bytes);
      to.getOutputStream().flush();
    } catch (IOException closed) {
      return;
    }
  }

  @Override
  public void close() throws IOException {
    later.shutdownNow();
    socket.close();
    for (Socket one : open) {
      one.close();
    }
  }
}
