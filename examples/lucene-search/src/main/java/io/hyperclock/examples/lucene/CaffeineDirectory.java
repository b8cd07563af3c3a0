/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import io.hyperclock.memory.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/** Reads another directory through {@link CaffeineBlocks}. Files must not be written. */
final class CaffeineDirectory extends FilterDirectory {
  private final CaffeineBlocks blocks;
  private final AtomicInteger files = new AtomicInteger();

  CaffeineDirectory(Directory below, CaffeineBlocks blocks) {
    super(below);
    this.blocks = blocks;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    return context.readOnce
        ? input
        : new Input(input.toString(), input, files.incrementAndGet(), 0, input.length());
  }

  private final class Input extends IndexInput implements RandomAccessInput {
    private static final int SHIFT = 14;

    private final IndexInput input;
    private final int file;
    private final long base;
    private final long length;
    private PooledBuffer block = PooledBuffer.unpooled(0);
    private long start;
    private int limit;
    private long position;

    Input(String description, IndexInput input, int file, long base, long length) {
      super(description);
      this.input = input;
      this.file = file;
      this.base = base;
      this.length = length;
    }

    private void move(long at) throws IOException {
      if (at < 0 || at >= length) {
        throw new EOFException("read past EOF: position=" + at + ", input=" + this);
      }
      long index = base + at >>> SHIFT;
      limit = 0;
      block = blocks.find(file, index, input);
      start = (index << SHIFT) - base;
      limit = (int) Math.min(block.length(), length - start);
    }

    @Override
    public byte readByte(long at) throws IOException {
      for (; ; ) {
        long offset = at - start;
        if (offset >= 0 && offset < limit) {
          byte value = block.bytes().get((int) offset);
          if (block.isValid()) {
            return value;
          }
        }
        move(at);
      }
    }

    @Override
    public short readShort(long at) throws IOException {
      for (; ; ) {
        long offset = at - start;
        if (offset >= 0 && offset <= limit - Short.BYTES) {
          short value = block.bytes().getShort((int) offset);
          if (block.isValid()) {
            return value;
          }
        } else if (crosses(at, Short.BYTES)) {
          return (short) (readByte(at) & 0xFF | readByte(at + 1) << 8);
        }
        move(at);
      }
    }

    @Override
    public int readInt(long at) throws IOException {
      for (; ; ) {
        long offset = at - start;
        if (offset >= 0 && offset <= limit - Integer.BYTES) {
          int value = block.bytes().getInt((int) offset);
          if (block.isValid()) {
            return value;
          }
        } else if (crosses(at, Integer.BYTES)) {
          return readShort(at) & 0xFFFF | readShort(at + 2) << 16;
        }
        move(at);
      }
    }

    @Override
    public long readLong(long at) throws IOException {
      for (; ; ) {
        long offset = at - start;
        if (offset >= 0 && offset <= limit - Long.BYTES) {
          long value = block.bytes().getLong((int) offset);
          if (block.isValid()) {
            return value;
          }
        } else if (crosses(at, Long.BYTES)) {
          return readInt(at) & 0xFFFFFFFFL | (long) readInt(at + 4) << 32;
        }
        move(at);
      }
    }

    private boolean crosses(long at, int size) throws IOException {
      if (at < 0 || at > length - size) {
        throw new EOFException("read past EOF: position=" + at + ", input=" + this);
      }
      return (base + at & CaffeineBlocks.BLOCK_BYTES - 1) + size > CaffeineBlocks.BLOCK_BYTES;
    }

    @Override
    public byte readByte() throws IOException {
      byte value = readByte(position);
      position++;
      return value;
    }

    @Override
    public short readShort() throws IOException {
      short value = readShort(position);
      position += Short.BYTES;
      return value;
    }

    @Override
    public int readInt() throws IOException {
      int value = readInt(position);
      position += Integer.BYTES;
      return value;
    }

    @Override
    public long readLong() throws IOException {
      long value = readLong(position);
      position += Long.BYTES;
      return value;
    }

    @Override
    public void readBytes(byte[] into, int offset, int count) throws IOException {
      for (int done = 0; done < count; ) {
        long at = position - start;
        if (at >= 0 && at < limit) {
          int part = (int) Math.min(count - done, limit - at);
          block.bytes().get((int) at, into, offset + done, part);
          if (block.isValid()) {
            done += part;
            position += part;
            continue;
          }
        }
        move(position);
      }
    }

    @Override
    public void readLongs(long[] into, int offset, int count) throws IOException {
      for (int done = 0; done < count; ) {
        long at = position - start;
        int part = at < 0 || at >= limit ? 0 : (int) Math.min(count - done, (limit - at) >> 3);
        for (int i = 0; i < part; i++) {
          into[offset + done + i] = block.bytes().getLong((int) at + i * Long.BYTES);
        }
        if (part > 0 && block.isValid()) {
          done += part;
          position += (long) part * Long.BYTES;
        } else {
          into[offset + done++] = readLong();
        }
      }
    }

    @Override
    public long getFilePointer() {
      return position;
    }

    @Override
    public void seek(long to) {
      position = to;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public Input clone() {
      Input clone = slice(toString(), 0, length);
      clone.position = position;
      return clone;
    }

    @Override
    public Input slice(String description, long offset, long count) {
      Input slice = new Input(description, input, file, base + offset, count);
      slice.block = block;
      slice.start = start - offset;
      slice.limit = (int) Math.max(0, Math.min(limit, count - slice.start));
      return slice;
    }

    @Override
    public void close() throws IOException {
      // Clones are forgotten; the file goes with the directory of the job.
    }
  }
}
