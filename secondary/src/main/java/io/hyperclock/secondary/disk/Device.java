/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a disk tier stores its data in: one large sequence of bytes, and beside it one small
 * snapshot. {@link FileDevice} is the one that is meant to be used; others wrap it, to count, to
 * slow down or to fail.
 *
 * <p>The tier guarantees that {@link #write}, {@link #force}, {@link #truncate}, {@link
 * #writeSnapshot} and {@link #close} are called by one thread at a time, its writer or, while it is
 * being built, the builder's; {@link #size}, {@link #readSnapshot} and {@link #deleteSnapshot} too.
 * {@link #read} is called by any number of threads at once, those of callers among them, and at the
 * same time as any other method.
 *
 * <p>The implementation MUST NOT let the interrupt of a thread harm other threads, and may block.
 * It may throw {@link IOException} at any time, also unchecked exceptions: each costs a miss, a
 * write that is tried again, or a cold start. It need not tell of damage: the tier checks what it
 * reads.
 */
public interface Device extends AutoCloseable {
  /**
   * Reads bytes into the buffer, beginning at its position, which is advanced.
   *
   * @param target has an accessible array, unless the device {@linkplain #readsDirectly() takes
   *     others}
   * @param position where to read, at least 0
   * @return number of bytes read, which may be fewer than asked for, or -1 at or beyond the end
   * @throws IOException if the bytes cannot be read
   */
  int read(ByteBuffer target, long position) throws IOException;

  /**
   * Whether {@link #read} takes buffers outside of the heap too, as a file does best: it saves the
   * tier a copy. One that wraps another device may pass its answer on if it does not ask for the
   * array of a buffer.
   *
   * @return false by default; the same at every call
   */
  default boolean readsDirectly() {
    return false;
  }

  /**
   * Writes bytes of the buffer, beginning at its position, which is advanced. Writing beyond the
   * end makes the device larger; what lies between is undefined.
   *
   * @param source has an accessible array
   * @param position where to write, at least 0
   * @return number of bytes written, which may be fewer than asked for
   * @throws IOException if not all bytes could be written
   */
  int write(ByteBuffer source, long position) throws IOException;

  /**
   * Makes everything that was written before durable.
   *
   * @throws IOException if that failed
   */
  void force() throws IOException;

  /**
   * Where the data ends.
   *
   * @return bytes, at least 0
   * @throws IOException if that cannot be known
   */
  long size() throws IOException;

  /**
   * Gives up what lies beyond a point; does nothing if the device is not larger.
   *
   * @param bytes new size, at least 0
   * @throws IOException if that failed
   */
  void truncate(long bytes) throws IOException;

  /**
   * Reads the snapshot.
   *
   * @return all its bytes, or null if there is none
   * @throws IOException if it cannot be read
   */
  byte @Nullable [] readSnapshot() throws IOException;

  /**
   * Replaces the snapshot, durably: afterwards, and after a crash during the call, there is the new
   * one, the old one or none, but no mixture.
   *
   * @param bytes the new snapshot, not changed during the call
   * @throws IOException if that failed
   */
  void writeSnapshot(byte[] bytes) throws IOException;

  /**
   * Deletes the snapshot, durably; does nothing if there is none.
   *
   * @throws IOException if it may still be there
   */
  void deleteSnapshot() throws IOException;

  /**
   * Replaces the list of keys beside the snapshot that the cache above wants to read at its next
   * start. Called by the writer, after {@link #writeSnapshot}. A device may keep none.
   *
   * @param bytes the new list, not changed during the call
   * @throws IOException if it was not kept
   */
  default void writeRestartList(byte[] bytes) throws IOException {}

  /**
   * Reads the list and deletes it. Called as {@link #readSnapshot}. If it cannot be deleted it may
   * be given again.
   *
   * @return all its bytes, or null if there is none
   * @throws IOException if it cannot be read
   */
  default byte @Nullable [] takeRestartList() throws IOException {
    return null;
  }

  /**
   * Gives the device back to the next tier that opens it. Called once, after all other calls of the
   * tier's own threads; reads of callers may still be under way and fail or not.
   *
   * @throws IOException if that failed
   */
  @Override
  void close() throws IOException;
}
