/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.secondary.disk.FailingFiles.Step;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A directory that an error kept from being opened is free, and nothing of it is open; what an
 * error kept from being written takes no room.
 */
class FileDeviceErrorTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"LOOK_AGAIN", "LOCK"})
  void nothingStaysOpen(Step step) throws Exception {
    FailingFiles files = new FailingFiles();
    Path path = files.path(directory);
    files.fail(step);
    assertThatThrownBy(() -> FileDevice.open(path)).isInstanceOf(InternalError.class);
    assertThat(files.opened).as("opened before the error").hasSize(1);
    assertThat(files.opened).noneMatch(AsynchronousFileChannel::isOpen);
    files.fail(Step.NONE);
    FileDevice.open(path).close();
    assertThat(files.opened).hasSize(2).noneMatch(AsynchronousFileChannel::isOpen);
  }

  @Test
  void nothingStaysOfWhatCannotBeWritten() throws Exception {
    FailingFiles files = new FailingFiles();
    try (FileDevice device = FileDevice.open(files.path(directory))) {
      files.fail(Step.WRITE);
      byte[] bytes = new byte[1000];
      assertThatThrownBy(() -> device.writeSnapshot(bytes)).isInstanceOf(InternalError.class);
      assertThatThrownBy(() -> device.writeRestartList(bytes)).isInstanceOf(InternalError.class);
      assertThat(directory.resolve("data")).exists();
      assertThat(directory).isDirectoryNotContaining(file -> !file.endsWith("data"));
    }
  }

  /** Of a process that ended while it wrote. */
  @Test
  void whatIsLeftHalfWrittenIsDeleted() throws Exception {
    Path snapshot = Files.writeString(directory.resolve("index.snap.tmp"), "HCSNAP");
    Path list = Files.writeString(directory.resolve("restart.keys.tmp"), "HCKEYS");
    FileDevice.open(directory).close();
    assertThat(snapshot).doesNotExist();
    assertThat(list).doesNotExist();
  }

  /** A list that is not the tier's is not refused, and stays. */
  @Test
  void whatIsForeignStays() throws Exception {
    Path list = Files.writeString(directory.resolve("restart.keys.tmp"), "my notes");
    FileDevice.open(directory).close();
    assertThat(list).hasContent("my notes");
  }

  /** The tier that has the directory open may be writing it. */
  @Test
  void whatAnotherWritesStays() throws Exception {
    try (FileDevice device = FileDevice.open(directory)) {
      Path snapshot = Files.writeString(directory.resolve("index.snap.tmp"), "HCSNAP");
      assertThatThrownBy(() -> FileDevice.open(directory))
          .isInstanceOf(IllegalStateException.class);
      assertThat(snapshot).exists();
      assertThat(device.size()).isZero();
    }
  }
}
