/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/** Reads a channel at positions. */
final class ChannelSource implements BlockSource {
  private final FileChannel channel;

  ChannelSource(FileChannel channel) {
    this.channel = Objects.requireNonNull(channel, "channel must not be null");
  }

  @Override
  public long length() throws IOException {
    return channel.size();
  }

  @Override
  public long readAt(long position, ByteBuffer[] into) throws IOException {
    long read = 0;
    for (ByteBuffer buffer : into) {
      while (buffer.hasRemaining()) {
        int count = channel.read(buffer, position + read);
        if (count <= 0) {
          return read;
        }
        read += count;
      }
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return channel.toString();
  }
}
