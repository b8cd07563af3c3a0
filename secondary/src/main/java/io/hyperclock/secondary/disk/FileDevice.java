/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Three files in a directory that nobody else uses: {@code data}, {@code index.snap} and {@code
 * lock}, which is locked as long as the device is open.
 *
 * <p>Algorithm. An interrupted thread closes the {@link FileChannel} that it uses, for all others
 * too. So data goes through {@link RandomAccessFile}, which takes no notice of interrupts: one for
 * writing, and for reading one for each call under way, since each has a position; some are kept
 * open. The only channel that lives is that of the lock, through which nothing is read or written.
 */
public final class FileDevice implements Device {
  private static final int IDLE_READERS = 16;
  private static final int MAX_SNAPSHOT_BYTES = Integer.MAX_VALUE - 64;

  /** Directories open in this process: locks are the process's, and closing any file loses them. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final File data;
  private final File snapshot;
  private final FileChannel lockChannel;
  private final RandomAccessFile writer;
  private final BlockingQueue<RandomAccessFile> idle = new ArrayBlockingQueue<>(IDLE_READERS);
  private volatile boolean closed;

  private FileDevice(Path directory, Path given) throws IOException {
    this.directory = directory;
    this.data = directory.resolve("data").toFile();
    this.snapshot = directory.resolve("index.snap").toFile();
    this.lockChannel = lock(directory, given);
    try {
      this.writer = new RandomAccessFile(data, "rw");
    } catch (IOException | RuntimeException e) {
      lockChannel.close();
      throw e;
    }
  }

  /**
   * Opens a directory and locks it.
   *
   * @param directory made if it is not there, with all parents
   * @return the device
   * @throws IllegalStateException if another device, in this process or another, has the directory
   *     open
   * @throws UncheckedIOException if the directory or its files cannot be made or opened
   */
  public static FileDevice open(Path directory) {
    boolean interrupted = Thread.interrupted();
    try {
      Files.createDirectories(directory);
      Path real = directory.toRealPath();
      if (!OPEN.add(real)) {
        throw inUse(directory, "this process");
      }
      try {
        return new FileDevice(real, directory);
      } catch (IOException | RuntimeException e) {
        OPEN.remove(real);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "directory must be usable: directory=" + directory + ", error=" + e, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static FileChannel lock(Path directory, Path given) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Held by other classes of this process: stays open, since closing would release their lock.
      throw inUse(given, "this process");
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    if (lock == null) {
      channel.close();
      throw inUse(given, "another process");
    }
    return channel;
  }

  private static IllegalStateException inUse(Path directory, String whose) {
    return new IllegalStateException(
        "directory must not be in use by " + whose + ": directory=" + directory);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (closed) {
      throw new IOException("device must be open: directory=" + directory);
    }
    RandomAccessFile reader = idle.poll();
    if (reader == null) {
      reader = new RandomAccessFile(data, "r");
    }
    try {
      reader.seek(position);
      int count =
          reader.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
      target.position(target.position() + Math.max(0, count));
      return count;
    } finally {
      giveBack(reader);
    }
  }

  private void giveBack(RandomAccessFile reader) throws IOException {
    if (!idle.offer(reader)) {
      reader.close();
    }
    if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() throws IOException {
    for (RandomAccessFile reader = idle.poll(); reader != null; reader = idle.poll()) {
      reader.close();
    }
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    int count = source.remaining();
    writer.seek(position);
    writer.write(source.array(), source.arrayOffset() + source.position(), count);
    source.position(source.position() + count);
    return count;
  }

  @Override
  public void force() throws IOException {
    writer.getFD().sync();
  }

  @Override
  public long size() throws IOException {
    return writer.length();
  }

  @Override
  public void truncate(long bytes) throws IOException {
    if (bytes < writer.length()) {
      writer.setLength(bytes);
    }
  }

  @Override
  public byte @Nullable [] readSnapshot() throws IOException {
    if (!snapshot.isFile()) {
      return null;
    }
    if (snapshot.length() > MAX_SNAPSHOT_BYTES) {
      throw new IOException("snapshot must not be too large: bytes=" + snapshot.length());
    }
    try (FileInputStream in = new FileInputStream(snapshot)) {
      return in.readAllBytes();
    }
  }

  @Override
  public void writeSnapshot(byte[] bytes) throws IOException {
    Path temporary = directory.resolve("index.snap.tmp");
    try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
      out.write(bytes);
      out.getFD().sync();
    }
    Files.move(temporary, snapshot.toPath(), StandardCopyOption.ATOMIC_MOVE);
    forceDirectory();
  }

  @Override
  public void deleteSnapshot() throws IOException {
    if (Files.deleteIfExists(snapshot.toPath())) {
      forceDirectory();
    }
  }

  /** Not every system can; then a deleted snapshot may come back, but is known by its data. */
  private void forceDirectory() {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException cannot) {
      // See above.
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      writer.close();
      closeIdle();
    } finally {
      lockChannel.close();
      OPEN.remove(directory);
    }
  }
}
