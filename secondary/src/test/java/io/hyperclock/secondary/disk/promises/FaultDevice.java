/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import io.hyperclock.secondary.disk.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A device whose calls are seen, and failed, delayed or lied about, by a {@link Fault}. */
final class FaultDevice implements Device {
  /** What is asked of a device. */
  enum Call {
    READ,
    WRITE,
    FORCE,
    SIZE,
    TRUNCATE,
    READ_SNAPSHOT,
    WRITE_SNAPSHOT,
    DELETE_SNAPSHOT,
    CLOSE
  }

  /** Decides about each call. */
  interface Fault {
    /** Does what it should. */
    Fault NONE = (call, number) -> Verdict.PASS;

    /**
     * @param call what is asked
     * @param number how many calls there were before it
     */
    Verdict before(Call call, int number) throws IOException;
  }

  /** What becomes of a call that does not fail. */
  enum Verdict {
    PASS,
    /** Moves a part of the bytes only, and says so. */
    SHORT,
    /** A write is said to be done, but is not. */
    LOSE
  }

  private final Device under;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Fault fault;

  FaultDevice(Device under, Fault fault) {
    this.under = under;
    this.fault = fault;
  }

  void set(Fault next) {
    fault = next;
  }

  int calls() {
    return calls.get();
  }

  private Verdict ask(Call call) throws IOException {
    return fault.before(call, calls.getAndIncrement());
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (ask(Call.READ) == Verdict.SHORT && target.remaining() > 1) {
      int limit = target.limit();
      target.limit(target.position() + (target.remaining() + 1) / 2);
      try {
        return under.read(target, position);
      } finally {
        target.limit(limit);
      }
    }
    return under.read(target, position);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    Verdict verdict = ask(Call.WRITE);
    int count = source.remaining();
    if (verdict == Verdict.LOSE) {
      source.position(source.limit());
      return count;
    }
    if (verdict == Verdict.SHORT && count > 1) {
      int limit = source.limit();
      source.limit(source.position() + (count + 1) / 2);
      try {
        return under.write(source, position);
      } finally {
        source.limit(limit);
      }
    }
    return under.write(source, position);
  }

  @Override
  public void force() throws IOException {
    ask(Call.FORCE);
    under.force();
  }

  @Override
  public long size() throws IOException {
    ask(Call.SIZE);
    return under.size();
  }

  @Override
  public void truncate(long bytes) throws IOException {
    ask(Call.TRUNCATE);
    under.truncate(bytes);
  }

  @Override
  public byte @Nullable [] readSnapshot() throws IOException {
    ask(Call.READ_SNAPSHOT);
    return under.readSnapshot();
  }

  @Override
  public void writeSnapshot(byte[] bytes) throws IOException {
    ask(Call.WRITE_SNAPSHOT);
    under.writeSnapshot(bytes);
  }

  @Override
  public void deleteSnapshot() throws IOException {
    ask(Call.DELETE_SNAPSHOT);
    under.deleteSnapshot();
  }

  @Override
  public void close() throws IOException {
    try {
      ask(Call.CLOSE);
    } finally {
      under.close();
    }
  }
}
