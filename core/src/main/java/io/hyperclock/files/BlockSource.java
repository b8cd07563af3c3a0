/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Where the bytes of a file come from. They never change: a file that is written anew is another
 * source, opened under another identity.
 *
 * <pre>{@code
 * BlockSource source = BlockSource.of(FileChannel.open(path));
 * }</pre>
 *
 * <p>Implementations are thread-safe; reads of several threads may be under way at once.
 */
public interface BlockSource extends Closeable {
  /**
   * Length of the file; asked once, when the file is opened.
   *
   * @return bytes, at least 0
   * @throws IOException if it cannot be told
   */
  long length() throws IOException;

  /**
   * Reads a range into buffers, filling one after the other: neighbouring blocks, in one read.
   *
   * @param position where the range begins
   * @param into buffers, filled from their positions to their limits and advanced; valid during the
   *     call only
   * @return bytes read, at least 1; fewer than fit if the source has no more at this moment, and
   *     the caller asks again for the rest; 0 or less at the end of the file
   * @throws IOException if the range cannot be read; buffers are then partly filled
   */
  long readAt(long position, ByteBuffer[] into) throws IOException;

  /**
   * How far to read ahead of a reader that goes through the file in order. For sources where a read
   * costs much more than its bytes; search structures gain nothing by it.
   *
   * @return most bytes to read at once beyond what was asked for; 0 for none
   */
  default int readAheadBytes() {
    return 0;
  }

  /**
   * Frees what the source holds. Called once, by {@link CachedFile#close()}; reads may be under way
   * and should fail.
   *
   * @throws IOException if that fails
   */
  @Override
  default void close() throws IOException {}

  /**
   * A source that reads a channel. Like all readers of the channel it fails for ever after a thread
   * that was reading is interrupted, because the channel is closed by that.
   *
   * @param channel open for reading; closed with the source
   * @return a new source
   */
  static BlockSource of(FileChannel channel) {
    return new ChannelSource(channel);
  }
}
