/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakLingering;
import io.hyperclock.entry.FileKey;
import io.hyperclock.files.BlockFiles;
import io.hyperclock.files.BlockSource;
import io.hyperclock.files.CachedFile;
import io.hyperclock.files.FileStats;
import io.hyperclock.files.ReadMode;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What becomes of a directory that is used in ways it should not be, or shared. */
@ThreadLeakLingering(linger = 60_000)
public class BadUseTest extends LuceneTestCase {
  /** Over an index, until a tier has all of it. */
  private static final int MOST_PASSES = 1000;

  private final BlockFiles files =
      BlockFiles.builder().capacityBytes(256 << 10).blockBytes(1024).build();

  @Override
  public void tearDown() throws Exception {
    files.close();
    assertEquals("buffers not given back", 0, files.pool().outstanding());
    super.tearDown();
  }

  private static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31 + i / 256 + seed);
    }
    return bytes;
  }

  private static void write(Directory directory, String name, byte[] bytes) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  private static void assertReads(IndexInput input, byte[] expected) throws IOException {
    byte[] read = new byte[expected.length];
    input.seek(0);
    input.readBytes(read, 0, read.length);
    assertArrayEquals(expected, read);
  }

  private static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] read = new byte[(int) input.length()];
      input.readBytes(read, 0, read.length);
      return read;
    }
  }

  public void testTwoDirectoriesShareACacheAndNoBlock() throws IOException {
    try (Directory one = new BlockCacheDirectory(new ByteBuffersDirectory(), files);
        Directory two = new BlockCacheDirectory(new ByteBuffersDirectory(), files)) {
      write(one, "f", bytes(10_000, 1));
      write(two, "f", bytes(10_000, 2));
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(bytes(10_000, 1), read(one, "f"));
        assertArrayEquals(bytes(10_000, 2), read(two, "f"));
      }
    }
  }

  public void testAFileWrittenAnewIsReadAnew() throws IOException {
    try (Directory directory = new BlockCacheDirectory(new ByteBuffersDirectory(), files)) {
      for (int i = 0; i < 5; i++) {
        write(directory, "f", bytes(10_000, i));
        assertArrayEquals(bytes(10_000, i), read(directory, "f"));
        directory.deleteFile("f");
      }
      write(directory, "f", bytes(5000, 8));
      assertArrayEquals(bytes(5000, 8), read(directory, "f"));
      write(directory, "g", bytes(5000, 9));
      assertArrayEquals(bytes(5000, 9), read(directory, "g"));
      directory.deleteFile("f");
      directory.rename("g", "f");
      assertArrayEquals(bytes(5000, 9), read(directory, "f"));
    }
  }

  /** An input of the older file, opened just before it is written anew, leaves nothing behind. */
  public void testAFileWrittenAnewWhileItIsOpenedIsReadAnew() throws IOException {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>();
    Directory below =
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            IndexInput input = in.openInput(name, context);
            Runnable once = meanwhile.getAndSet(null);
            if (once != null) {
              once.run();
            }
            return input;
          }
        };
    try (Directory directory = new BlockCacheDirectory(below, files)) {
      write(directory, "f", bytes(5000, 1));
      meanwhile.set(
          () -> {
            try {
              directory.deleteFile("f");
              write(directory, "f", bytes(5000, 2));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      assertArrayEquals(bytes(5000, 2), read(directory, "f"));
      assertArrayEquals(bytes(5000, 2), read(directory, "f"));
    }
  }

  /** As by another process that builds the index anew, with the same names. */
  public void testAFileRewrittenInTheDirectoryBelowIsReadAnew() throws IOException {
    Directory below = new ByteBuffersDirectory();
    try (Directory directory = new BlockCacheDirectory(below, files)) {
      for (int seed = 0; seed < 5; seed++) {
        write(below, "f", bytes(10_000, seed));
        assertArrayEquals(bytes(10_000, seed), read(directory, "f"));
        long misses = files.stats().misses();
        assertArrayEquals(bytes(10_000, seed), read(directory, "f"));
        assertEquals("blocks read twice", misses, files.stats().misses());
        below.deleteFile("f");
      }
      write(below, "f", bytes(5, 0));
      assertArrayEquals(bytes(5, 0), read(directory, "f"));
      below.deleteFile("f");
      write(below, "f", bytes(6, 0));
      assertArrayEquals(bytes(6, 0), read(directory, "f"));
    }
  }

  public void testForgottenClonesHoldNothing() throws IOException {
    byte[] content = bytes(100_000, 0);
    try (Directory directory = new BlockCacheDirectory(new ByteBuffersDirectory(), files)) {
      write(directory, "f", content);
      IndexInput input = directory.openInput("f", IOContext.DEFAULT);
      List<IndexInput> forgotten = new ArrayList<>();
      for (int at = 0; at < 90_000; at += 777) {
        IndexInput slice = input.slice("part", at, 5000);
        assertEquals(content[at], slice.readByte());
        forgotten.add(slice);
        forgotten.add(slice.clone());
      }
      files.cache().eraseUnreferenced();
      assertEquals(0, files.pool().outstanding());
      for (int i = 0; i < forgotten.size(); i += 2) {
        assertEquals(content[i / 2 * 777 + 1], forgotten.get(i).readByte());
        assertEquals(content[i / 2 * 777 + 1], forgotten.get(i + 1).readByte());
      }
      input.close();
      for (IndexInput part : forgotten) {
        assertThrows(
            AlreadyClosedException.class,
            () -> {
              part.seek(4000);
              part.readByte();
            });
      }
    }
  }

  public void testInputsOutliveTheDirectoryAndNotTheCache() throws IOException {
    byte[] content = bytes(10_000, 0);
    Directory directory = new BlockCacheDirectory(new ByteBuffersDirectory(), files);
    write(directory, "f", content);
    IndexInput input = directory.openInput("f", IOContext.DEFAULT);
    assertReads(input, content);
    files.close();
    assertThrows(AlreadyClosedException.class, () -> assertReads(input, content));
    assertThrows(AlreadyClosedException.class, input::clone);
    assertThrows(
        AlreadyClosedException.class, () -> directory.openInput("f", IOContext.DEFAULT).readByte());
    input.close();
    directory.close();
  }

  public void testOutOfBoundsAndEmptyFiles() throws IOException {
    try (Directory directory = new BlockCacheDirectory(new ByteBuffersDirectory(), files)) {
      write(directory, "empty", new byte[0]);
      assertEquals(0, read(directory, "empty").length);
      write(directory, "f", bytes(3000, 0));
      try (IndexInput input = directory.openInput("f", IOContext.DEFAULT)) {
        IndexInput slice = input.slice("part", 1000, 10);
        slice.seek(8);
        assertThrows(EOFException.class, slice::readInt);
        assertThrows(EOFException.class, () -> slice.seek(11));
        assertThrows(IllegalArgumentException.class, () -> slice.slice("x", 5, 6));
        assertThrows(EOFException.class, () -> slice.readBytes(new byte[3], 0, 3));
        slice.readBytes(new byte[2], 0, 2);
        assertThrows(EOFException.class, slice::readByte);
      }
    }
  }

  private DiskSecondaryCache tier(java.nio.file.Path path) throws IOException {
    return DiskSecondaryCache.builder().directory(path).capacityBytes(64 << 20).build();
  }

  /** A source that counts how often it is asked, and may be down, or give short answers. */
  private static final class RemoteSource implements BlockSource {
    private final byte[] content;
    int lengths;
    int reads;
    int mostBytes = Integer.MAX_VALUE;
    boolean down;

    RemoteSource(int length) {
      content = bytes(length, 0);
    }

    private void requireUp() throws IOException {
      if (down) {
        throw new IOException("down");
      }
    }

    @Override
    public long length() throws IOException {
      lengths++;
      requireUp();
      return content.length;
    }

    @Override
    public long readAt(long position, ByteBuffer[] into) throws IOException {
      requireUp();
      reads++;
      int done = 0;
      for (ByteBuffer buffer : into) {
        int at = (int) position + done;
        int count = Math.min(Math.min(buffer.remaining(), content.length - at), mostBytes - done);
        buffer.put(content, at, count);
        done += count;
      }
      return done;
    }
  }

  public void testASecondLevelAnswersWithoutItsSource() throws Exception {
    RemoteSource source = new RemoteSource(5000);
    FileKey key = FileKey.unique();
    try (SecondaryCache tier = tier(createTempDir())) {
      for (int round = 0; round < 2; round++) {
        source.lengths = 0;
        source.down = false;
        try (BlockFiles own =
            BlockFiles.builder().capacityBytes(64 << 10).blockBytes(1024).build()) {
          CachedFile file = own.open(key, new TierSource(source, tier, key, own.blockBytes()));
          source.down = round == 1;
          byte[] read = new byte[5000];
          file.cursor().read(0, read, 0, read.length);
          assertArrayEquals(source.content, read);
        }
        assertEquals("asked for its length", 1, source.lengths);
      }
    }
  }

  private static void assertReads(BlockSource source, ReadMode mode, byte[] expected)
      throws IOException {
    try (BlockFiles own = BlockFiles.builder().capacityBytes(64 << 10).blockBytes(1024).build()) {
      byte[] read = new byte[expected.length];
      own.open(FileKey.unique(), source).cursor(mode).read(0, read, 0, read.length);
      assertArrayEquals(expected, read);
    }
  }

  /** Scans read several blocks at a time into one buffer. */
  public void testScansLookAtTheSecondLevelToo() throws Exception {
    for (ReadMode mode : List.of(ReadMode.NO_ADMIT, ReadMode.BYPASS)) {
      try (SecondaryCache tier = tier(createTempDir())) {
        RemoteSource source = new RemoteSource(200_000);
        TierSource tiered = new TierSource(source, tier, FileKey.unique(), 1024);
        assertReads(tiered, mode, source.content);
        assertTrue("read at a time: " + source.reads, source.reads < 20);
        // The tier may decline what comes too fast.
        for (int pass = 0; source.reads > 0 && pass < MOST_PASSES; pass++) {
          source.reads = 0;
          assertReads(tiered, mode, source.content);
        }
        assertEquals("of what the tier has", 0, source.reads);
      }
    }
  }

  /** The rest of an answer that ended within a block is no reason to read on past the tier. */
  public void testShortAnswersHideNothingOfTheSecondLevel() throws Exception {
    try (SecondaryCache tier = tier(createTempDir())) {
      RemoteSource source = new RemoteSource(200_000);
      TierSource tiered = new TierSource(source, tier, FileKey.unique(), 1024);
      for (int pass = 0; pass == 0 || source.reads > 0 && pass < MOST_PASSES; pass++) {
        source.reads = 0;
        source.mostBytes = 700 + 200 * (pass % 8);
        assertReads(tiered, ReadMode.NO_ADMIT, source.content);
      }
      assertEquals("of what the tier has", 0, source.reads);
    }
  }

  private static void search(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int i = 0; i < 5000; i += 7) {
        assertEquals(1, searcher.count(new TermQuery(new Term("id", "document " + i))));
      }
    }
  }

  public void testASecondLevelIsFoundAgainByTheNameOfTheIndex() throws Exception {
    java.nio.file.Path path = createTempDir();
    Directory below = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(below, new IndexWriterConfig())) {
      for (int i = 0; i < 5000; i++) {
        Document document = new Document();
        document.add(new StringField("id", "document " + i, Field.Store.YES));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    long[] sourceReads = new long[2];
    for (int round = 0; round < 2; round++) {
      AtomicLong reads = new AtomicLong();
      try (SecondaryCache tier = tier(path);
          BlockFiles own = BlockFiles.builder().capacityBytes(64 << 10).blockBytes(1024).build()) {
        Directory directory =
            new BlockCacheDirectory(
                below,
                own,
                "index",
                (key, source) ->
                    new TierSource(new CountingSource(source, reads), tier, key, own.blockBytes()));
        search(directory);
        sourceReads[round] = reads.get();
        // The tier may decline what comes too fast: until it has taken all.
        long before = -1;
        for (int pass = 0; round == 0 && before != reads.get() && pass < MOST_PASSES; pass++) {
          before = reads.get();
          own.cache().eraseUnreferenced();
          search(directory);
        }
        FileStats stats = own.stats();
        assertTrue(stats.toString(), stats.misses() > 5);
      }
    }
    assertTrue(Arrays.toString(sourceReads), sourceReads[0] > 5);
    assertTrue(Arrays.toString(sourceReads), sourceReads[1] < sourceReads[0] / 2);
    below.close();
  }
}
