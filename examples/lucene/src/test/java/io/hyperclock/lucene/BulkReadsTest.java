/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.files.BlockFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Reads of many values by one call. */
public class BulkReadsTest extends LuceneTestCase {
  private static final int FLOATS = 2000;

  private final BlockFiles files =
      BlockFiles.builder().capacityBytes(256 << 10).blockBytes(1024).build();
  private final Directory below = new ByteBuffersDirectory();

  @Override
  public void tearDown() throws Exception {
    files.close();
    below.close();
    super.tearDown();
  }

  /** What is inherited reads each element by a call of its own. */
  public void testNoArrayIsReadByTheInheritedMethods() throws NoSuchMethodException {
    Class<?> input = BlockCacheInput.class;
    assertNotNull(input.getDeclaredMethod("readInts", int[].class, int.class, int.class));
    assertNotNull(input.getDeclaredMethod("readLongs", long[].class, int.class, int.class));
    assertNotNull(input.getDeclaredMethod("readFloats", float[].class, int.class, int.class));
    assertNotNull(input.getDeclaredMethod("readBytes", byte[].class, int.class, int.class));
    assertNotNull(
        input.getDeclaredMethod("readBytes", long.class, byte[].class, int.class, int.class));
  }

  public void testArraysAreReadAcrossBlocks() throws IOException {
    try (IndexOutput out = below.createOutput("f", IOContext.DEFAULT)) {
      out.writeByte((byte) 7);
      for (int i = 0; i < FLOATS; i++) {
        out.writeInt(Float.floatToRawIntBits(i / 3f));
      }
    }
    BlockCacheDirectory directory = new BlockCacheDirectory(below, files);
    try (IndexInput opened = directory.openInput("f", IOContext.DEFAULT)) {
      BlockCacheInput input = (BlockCacheInput) opened;
      input.seek(1);
      float[] read = new float[FLOATS + 2];
      input.readFloats(read, 1, FLOATS);
      assertEquals(input.length(), input.getFilePointer());
      assertEquals(0, read[0], 0);
      assertEquals(0, read[FLOATS + 1], 0);
      byte[] bytes = new byte[4 * FLOATS + 2];
      input.seek(5);
      input.readBytes(1, bytes, 1, 4 * FLOATS);
      assertEquals("where it was", 5, input.getFilePointer());
      for (int i = 0; i < FLOATS; i++) {
        assertEquals(i / 3f, read[1 + i], 0);
        int bits = Integer.reverseBytes(ByteBuffer.wrap(bytes).getInt(1 + 4 * i));
        assertEquals(i / 3f, Float.intBitsToFloat(bits), 0);
      }
    }
  }

  public void testAThreadKeepsNoLargeBuffer() throws IOException {
    byte[] content = new byte[1 << 20];
    content[content.length - 1] = 7;
    try (IndexOutput out = below.createOutput("f", IOContext.DEFAULT)) {
      out.writeBytes(content, content.length);
    }
    try (InputSource source = new InputSource(below.openInput("f", IOContext.DEFAULT))) {
      for (int count : new int[] {1 << 14, 1 << 20, 1 << 15, 1 << 16}) {
        ByteBuffer into = ByteBuffer.allocate(count);
        assertEquals(count, source.readAt(content.length - count, new ByteBuffer[] {into}));
        assertEquals(7, into.get(count - 1));
        assertTrue(InputSource.SCRATCH.get().length <= 64 << 10);
      }
    }
  }
}
