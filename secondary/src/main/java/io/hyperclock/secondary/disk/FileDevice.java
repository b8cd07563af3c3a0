/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Files in a directory that no other tier uses: {@code data}, which is locked as long as the device
 * is open, {@code index.snap}, and {@code restart.keys}.
 *
 * <p>Directory and files are made for their owner only, where the file system has POSIX
 * permissions; elsewhere they inherit the access list of the directory around them. A directory
 * that others may write into, a symbolic link, and a file that does not begin as the tier's files
 * do are refused and left as they are.
 */
public final class FileDevice implements Device {
  /** Directories open in this process: locks are the process's, and closing any file loses them. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final Path snapshot;
  private final Path temporary;
  private final Path restart;
  private final Path restartTemporary;
  private final OwnFile data;

  private FileDevice(Path directory, Path given) throws IOException {
    this.directory = directory;
    this.snapshot = directory.resolve("index.snap");
    this.temporary = directory.resolve("index.snap.tmp");
    this.restart = directory.resolve("restart.keys");
    this.restartTemporary = directory.resolve("restart.keys.tmp");
    requireOwn(snapshot, Snapshot.NAME);
    requireOwn(temporary, Snapshot.NAME);
    this.data = OwnFile.openOrCreate(directory.resolve("data"), DataHeader.NAME);
    lock(data, given);
    deleteHalfWritten();
  }

  /** What a process left that ended while it wrote: it takes room until the next close. */
  private void deleteHalfWritten() {
    try {
      Files.deleteIfExists(temporary);
      if (isOwn(restartTemporary)) {
        Files.deleteIfExists(restartTemporary);
      }
    } catch (IOException | RuntimeException e) {
      // Before it is written again it is deleted, or not written.
    }
  }

  /**
   * Opens a directory and locks its data.
   *
   * @param directory made if it is not there, with all parents, for its owner only; may be a
   *     symbolic link, which is followed once
   * @return the device
   * @throws IllegalStateException if another device, in this process or another, has the directory
   *     open; if others than its owner may write into it; or if it has a file of the device's names
   *     that is not a regular file or not of a device. None of them is changed
   * @throws UncheckedIOException if the directory or its files cannot be made or opened
   */
  public static FileDevice open(Path directory) {
    try {
      OwnerOnly.createDirectories(directory);
      Path real = directory.toRealPath();
      OwnerOnly.requireOwnerWrites(real, directory);
      if (!OPEN.add(real)) {
        throw inUse(directory, "this process");
      }
      try {
        return new FileDevice(real, directory);
      } catch (Throwable e) {
        OPEN.remove(real);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "directory must be usable: directory=" + directory + ", error=" + e, e);
    }
  }

  private static void requireOwn(Path file, String magic) throws IOException {
    OwnFile opened = OwnFile.openIfExists(file, magic);
    if (opened != null) {
      opened.close();
    }
  }

  private static void lock(OwnFile data, Path given) throws IOException {
    boolean isLocked;
    try {
      isLocked = data.tryLock();
    } catch (OverlappingFileLockException e) {
      // Held by other classes of this process: stays open, since closing would release their lock.
      throw inUse(given, "this process");
    } catch (Throwable e) {
      data.close();
      throw e;
    }
    if (!isLocked) {
      data.close();
      throw inUse(given, "another process");
    }
  }

  private static IllegalStateException inUse(Path directory, String whose) {
    return new IllegalStateException(
        "directory must not be in use by " + whose + ": directory=" + directory);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return data.read(target, position);
  }

  @Override
  public boolean readsDirectly() {
    return true;
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return data.write(source, position);
  }

  @Override
  public void force() throws IOException {
    data.force();
  }

  @Override
  public long size() throws IOException {
    return data.size();
  }

  @Override
  public void truncate(long bytes) throws IOException {
    data.truncate(bytes);
  }

  @Override
  public byte @Nullable [] readSnapshot() throws IOException {
    OwnFile file = OwnFile.openIfExists(snapshot, Snapshot.NAME);
    if (file == null) {
      return null;
    }
    try (file) {
      if (file.size() > Snapshot.MAX_BYTES) {
        throw new IOException("snapshot must not be too large: bytes=" + file.size());
      }
      return file.readFully(0, Snapshot.MAX_BYTES);
    }
  }

  @Override
  public void writeSnapshot(byte[] bytes) throws IOException {
    replace(snapshot, temporary, bytes);
  }

  private void replace(Path file, Path temporary, byte[] bytes) throws IOException {
    Files.deleteIfExists(temporary);
    try {
      writeAndMove(file, temporary, bytes);
    } catch (Throwable e) {
      deleteAfter(e, temporary);
      throw e;
    }
    forceDirectory();
  }

  /** The disk may be full, all the more of what is not deleted. */
  private static void deleteAfter(Throwable failure, Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private static void writeAndMove(Path file, Path temporary, byte[] bytes) throws IOException {
    try (OwnFile made = OwnFile.create(temporary)) {
      ByteBuffer source = ByteBuffer.wrap(bytes);
      while (source.hasRemaining()) {
        made.write(source, source.position());
      }
      made.force();
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void deleteSnapshot() throws IOException {
    if (Files.deleteIfExists(snapshot)) {
      forceDirectory();
    }
  }

  /** What stands under its name and is not the tier's stays: then there is no list. */
  @Override
  public void writeRestartList(byte[] bytes) throws IOException {
    if (isOwn(restart) && isOwn(restartTemporary)) {
      replace(restart, restartTemporary, bytes);
    }
  }

  private static boolean isOwn(Path file) throws IOException {
    try {
      requireOwn(file, RestartList.NAME);
      return true;
    } catch (IllegalStateException foreign) {
      return false;
    }
  }

  @Override
  public byte @Nullable [] takeRestartList() throws IOException {
    byte[] bytes;
    try (OwnFile file = OwnFile.openIfExists(restart, RestartList.NAME)) {
      if (file == null) {
        return null;
      }
      bytes = file.size() > RestartList.MAX_BYTES ? null : file.readFully(0, RestartList.MAX_BYTES);
    } catch (IllegalStateException foreign) {
      return null;
    }
    Files.deleteIfExists(restart);
    return bytes;
  }

  /** Not every system can; then a deleted snapshot may come back, but is known by its data. */
  private void forceDirectory() {
    try (OwnFile opened = OwnFile.directory(directory)) {
      opened.force();
    } catch (IOException cannot) {
      // See above.
    }
  }

  @Override
  public void close() throws IOException {
    try {
      data.close();
    } finally {
      OPEN.remove(directory);
    }
  }
}
