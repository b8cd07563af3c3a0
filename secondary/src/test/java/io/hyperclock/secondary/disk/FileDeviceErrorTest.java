/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.secondary.disk.FailingFiles.Step;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A directory that an error kept from being opened is free, and nothing of it is open. */
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
}
