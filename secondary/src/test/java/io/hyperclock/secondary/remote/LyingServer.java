/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Understands commands, answers the handshake as a server does, and reads as its test says. */
final class LyingServer implements AutoCloseable {
  /** What a read gets for an answer. */
  interface Lie {
    void tell(List<String> command, OutputStream to) throws IOException;
  }

  final AtomicInteger connections = new AtomicInteger();
  private final ServerSocket socket;
  private final Lie onRead;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  LyingServer(Lie onRead) throws IOException {
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.onRead = onRead;
    run(this::accept);
  }

  String uri() {
    return "redis://127.0.0.1:" + socket.getLocalPort();
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
        open.add(client);
        connections.incrementAndGet();
        run(() -> serve(client));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void serve(Socket client) {
    try (client) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = new BufferedOutputStream(client.getOutputStream(), 1 << 16);
      while (true) {
        List<String> command = command(in);
        switch (command.get(0)) {
          case "MGET" -> onRead.tell(command, out);
          case "HELLO" -> say(out, "-ERR unknown command 'HELLO'\r\n");
          case "PING" -> say(out, "+PONG\r\n");
          case "DEL" -> say(out, ":1\r\n");
          default -> say(out, "+OK\r\n");
        }
        out.flush();
      }
    } catch (IOException gone) {
      return;
    }
  }

  static void say(OutputStream to, String text) throws IOException {
    to.write(text.getBytes(ISO_8859_1));
  }

  private static List<String> command(InputStream in) throws IOException {
    int parts = Integer.parseInt(line(in).substring(1));
    List<String> command = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      int length = Integer.parseInt(line(in).substring(1));
      command.add(new String(in.readNBytes(length), ISO_8859_1));
      in.readNBytes(2);
    }
    return command;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
    }
    return line.substring(0, line.length() - 1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket one : open) {
      one.close();
    }
  }
}
