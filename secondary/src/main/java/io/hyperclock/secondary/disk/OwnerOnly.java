/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Permissions of a tier's directory and files: for their owner only, from the moment they are made.
 * Where a file system has no POSIX permissions, nothing is set and nothing is checked: what is made
 * inherits the access list of the directory around it.
 */
final class OwnerOnly {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final FileAttribute<?>[] NONE = {};

  private OwnerOnly() {}

  private static boolean hasPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** To make a file with. */
  static FileAttribute<?>[] forFile(Path file) {
    return hasPermissions(file)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)}
        : NONE;
  }

  /** Makes a directory, with those around it, if it is not there. */
  static void createDirectories(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      FileAttribute<?>[] attributes =
          hasPermissions(directory)
              ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(DIRECTORY)}
              : NONE;
      Files.createDirectories(directory, attributes);
    }
  }

  /**
   * Checks that only its owner may add, take away or exchange files of a directory.
   *
   * @throws IllegalStateException if others may
   */
  static void requireOwnerWrites(Path directory, Path given) throws IOException {
    if (!hasPermissions(directory)) {
      return;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
    for (PosixFilePermission others : WRITE_OF_OTHERS) {
      if (permissions.contains(others)) {
        throw new IllegalStateException(
            "directory must be writable by its owner only: directory="
                + given
                + ", permissions="
                + PosixFilePermissions.toString(permissions)
                + " (make it so, or give a directory below it that is not there yet)");
      }
    }
  }

  /** Takes the rights of others to a file away, if they have any. */
  static void tighten(Path file) throws IOException {
    PosixFileAttributeView view =
        hasPermissions(file)
            ? Files.getFileAttributeView(
                file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            : null;
    if (view != null && !FILE.containsAll(view.readAttributes().permissions())) {
      view.setPermissions(FILE);
    }
  }
}
