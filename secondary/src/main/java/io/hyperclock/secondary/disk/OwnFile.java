/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file of the tier: regular, opened without following a symbolic link, for its owner only, and
 * beginning as the tier's files do.
 *
 * <p>Algorithm. An interrupted thread closes the {@link java.nio.channels.FileChannel} that it
 * uses, for all others too. An {@link AsynchronousFileChannel} takes no notice of interrupts, reads
 * at positions, and can be opened without following links; with an executor that runs on the
 * calling thread it reads and writes there. It copies through a buffer that each thread keeps, so a
 * call moves no more than {@value #MOST_BYTES} bytes.
 */
final class OwnFile implements Closeable {
  /** Moved by one call at most. */
  static final int MOST_BYTES = 256 << 10;

  /** What a crash may leave of a file that was never written is zeros: looked for so far. */
  private static final int ZEROS = 4 << 10;

  private static final int MAGIC_BYTES = 8;

  /**
   * Where the lock is: beyond all data, so that a system where locks forbid reading does not forbid
   * others to copy the file.
   */
  private static final long LOCK_AT = Long.MAX_VALUE - 1;

  /** Runs each task at once, where it is handed over, so has no threads. */
  private static final ExecutorService CALLER =
      new ThreadPoolExecutor(0, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>()) {
        @Override
        public void execute(Runnable task) {
          task.run();
        }
      };

  private final AsynchronousFileChannel channel;

  /** Kept, since the table of all locks of a process does not keep it. */
  private @Nullable FileLock lock;

  private OwnFile(AsynchronousFileChannel channel) {
    this.channel = channel;
  }

  /**
   * Opens a file for reading and writing, and makes it if it is not there.
   *
   * @param magic what it begins with, unless it is empty or zeros
   * @throws IllegalStateException if it is not of the tier; it was not changed
   */
  static OwnFile openOrCreate(Path file, String magic) throws IOException {
    return open(
        file, magic, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  }

  /**
   * Opens a file for reading.
   *
   * @return null if it is not there
   * @throws IllegalStateException if it is not of the tier
   */
  static @Nullable OwnFile openIfExists(Path file, String magic) throws IOException {
    try {
      return attributes(file) == null ? null : open(file, magic, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Makes a file that must not be there, and opens it for writing. */
  static OwnFile create(Path file) throws IOException {
    return new OwnFile(
        AsynchronousFileChannel.open(
            file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            CALLER,
            OwnerOnly.forFile(file)));
  }

  /** Opens a directory, to force what it lists. */
  static OwnFile directory(Path directory) throws IOException {
    return new OwnFile(
        AsynchronousFileChannel.open(directory, Set.of(StandardOpenOption.READ), CALLER));
  }

  /**
   * The checks by name come before and after: what was opened is the file that had this name
   * throughout, as far as names tell. Only the owner of the directory can exchange names meanwhile.
   */
  private static OwnFile open(Path file, String magic, OpenOption... options) throws IOException {
    BasicFileAttributes before = attributes(file);
    requireRegular(file, before);
    Set<OpenOption> all = new HashSet<>(List.of(options));
    all.add(LinkOption.NOFOLLOW_LINKS);
    AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(file, all, CALLER, OwnerOnly.forFile(file));
    try {
      BasicFileAttributes after = attributes(file);
      requireRegular(file, after);
      if (after == null || before != null && !Objects.equals(before.fileKey(), after.fileKey())) {
        throw new IOException("file must stay the same while it is opened: file=" + file);
      }
      OwnFile opened = new OwnFile(channel);
      opened.requireOwn(file, magic);
      OwnerOnly.tighten(file);
      return opened;
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static void requireRegular(Path file, @Nullable BasicFileAttributes attributes) {
    if (attributes != null && !attributes.isRegularFile()) {
      String type =
          attributes.isSymbolicLink()
              ? "symbolic link"
              : attributes.isDirectory() ? "directory" : "other";
      throw new IllegalStateException(
          "file must be a regular file of the tier: file=" + file + ", type=" + type);
    }
  }

  private void requireOwn(Path file, String magic) throws IOException {
    byte[] begin = readFully(0, ZEROS);
    byte[] own = Arrays.copyOf(magic.getBytes(StandardCharsets.US_ASCII), MAGIC_BYTES);
    int compared = Math.min(MAGIC_BYTES, begin.length);
    boolean isOwn = Arrays.equals(begin, 0, compared, own, 0, compared);
    if (!isOwn && !Arrays.equals(begin, new byte[begin.length])) {
      throw new IllegalStateException(
          "file must be empty or begin with "
              + magic
              + ", as those of the tier do: file="
              + file
              + ", begins="
              + HexFormat.ofDelimiter(" ").formatHex(begin, 0, compared));
    }
  }

  /**
   * Locks the file until it is closed; false if another process has the lock.
   *
   * @throws java.nio.channels.OverlappingFileLockException if this process has it
   */
  boolean tryLock() throws IOException {
    lock = channel.tryLock(LOCK_AT, 1, false);
    return lock != null;
  }

  /** All bytes from a position on, so many at most. */
  byte[] readFully(long position, int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, Math.max(0, size() - position)));
    while (bytes.hasRemaining() && read(bytes, position + bytes.position()) >= 0) {
      continue;
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  int read(ByteBuffer target, long position) throws IOException {
    int limit = target.limit();
    target.limit(Math.min(limit, target.position() + MOST_BYTES));
    try {
      return await(channel.read(target, position));
    } finally {
      target.limit(limit);
    }
  }

  int write(ByteBuffer source, long position) throws IOException {
    int limit = source.limit();
    source.limit(Math.min(limit, source.position() + MOST_BYTES));
    try {
      return await(channel.write(source, position));
    } finally {
      source.limit(limit);
    }
  }

  void force() throws IOException {
    channel.force(true);
  }

  long size() throws IOException {
    return channel.size();
  }

  void truncate(long bytes) throws IOException {
    channel.truncate(bytes);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Of a call that has ended, but where the system lends no thread to wait with. */
  private static int await(Future<Integer> moved) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return moved.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
