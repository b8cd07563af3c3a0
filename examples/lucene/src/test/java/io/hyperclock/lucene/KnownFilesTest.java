/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.entry.FileKey;
import io.hyperclock.files.BlockFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What a directory keeps of the files that were opened, and for how long. */
public class KnownFilesTest extends LuceneTestCase {
  private final BlockFiles files =
      BlockFiles.builder().capacityBytes(256 << 10).blockBytes(1024).build();
  private Directory below = new ByteBuffersDirectory();
  private final List<FileKey> keys = new ArrayList<>();

  @Override
  public void tearDown() throws Exception {
    files.close();
    assertEquals("buffers not given back", 0, files.pool().outstanding());
    super.tearDown();
  }

  private BlockCacheDirectory open(String name) {
    return new BlockCacheDirectory(
        below,
        files,
        name,
        (key, source) -> {
          keys.add(key);
          return source;
        });
  }

  /** With or without what a codec writes at the end of its files. */
  private static void write(Directory directory, String file, String content, boolean footer)
      throws IOException {
    try (IndexOutput out = directory.createOutput(file, IOContext.DEFAULT)) {
      out.writeString(content);
      if (footer) {
        CodecUtil.writeFooter(out);
      }
    }
  }

  private static String read(Directory directory, String file) throws IOException {
    try (IndexInput input = directory.openInput(file, IOContext.DEFAULT)) {
      return input.readString();
    }
  }

  private boolean isDropped(int opened) {
    return files.cache().fileKeys().isDropped(keys.get(opened).hi());
  }

  public void testAFileWithoutAFooterIsNotTakenForAnOlderOneOfTheSameEnd() throws IOException {
    for (String rest : new String[] {"", ", and the same end as the older"}) {
      try (Directory directory = open("index")) {
        for (String content : new String[] {"one", "two", "six"}) {
          write(directory, "f", content + rest, false);
          assertEquals(content + rest, read(directory, "f"));
          assertEquals(content + rest, read(directory, "f"));
          assertEquals(keys.get(keys.size() - 2), keys.get(keys.size() - 1));
          directory.deleteFile("f");
          assertTrue(isDropped(keys.size() - 1));
        }
        write(directory, "f", "at the close", false);
        assertEquals("at the close", read(directory, "f"));
      }
      assertTrue(isDropped(keys.size() - 1));
      below = new ByteBuffersDirectory();
    }
  }

  public void testAFileWithAFooterIsFoundAgainByTheNextDirectoryOfTheName() throws IOException {
    write(below, "f", "content", true);
    for (int i = 0; i < 2; i++) {
      // Not closed, which would close the one below.
      assertEquals("content", read(open("index"), "f"));
    }
    assertEquals(keys.get(0), keys.get(1));
    assertEquals(1, files.stats().misses());
    BlockCacheDirectory directory = open("index");
    assertEquals("content", read(directory, "f"));
    directory.close();
    assertFalse("found by who comes next", isDropped(2));
  }

  public void testAFileWrittenAnewBelowIsDropped() throws IOException {
    BlockCacheDirectory directory = open("index");
    write(below, "f", "older", true);
    assertEquals("older", read(directory, "f"));
    below.deleteFile("f");
    write(below, "f", "newer", true);
    assertEquals("newer", read(directory, "f"));
    assertTrue(isDropped(0));
    assertFalse(isDropped(1));
    long dropped = files.cache().fileKeys().droppedFiles();
    assertEquals("newer", read(directory, "f"));
    assertEquals(dropped, files.cache().fileKeys().droppedFiles());
  }

  public void testFilesDeletedBelowAreForgottenWhenFilesAreListed() throws IOException {
    for (String name : new String[] {null, "index"}) {
      keys.clear();
      BlockCacheDirectory directory = open(name);
      for (int i = 0; i < 20; i++) {
        write(below, "f" + i, "content " + i, i % 2 == 0);
        assertEquals("content " + i, read(directory, "f" + i));
        if (i > 0) {
          below.deleteFile("f" + i);
        }
      }
      assertArrayEquals(new String[] {"f0"}, directory.listAll());
      assertEquals(1, directory.knownFiles());
      for (int i = 0; i < 20; i++) {
        assertEquals(i > 0, isDropped(i));
      }
      assertEquals("content 0", read(directory, "f0"));
      below.deleteFile("f0");
    }
  }

  public void testAFileThatIsNotThereIsNotKept() throws IOException {
    for (String name : new String[] {null, "index"}) {
      BlockCacheDirectory directory = open(name);
      expectThrowsAnyOf(
          List.of(NoSuchFileException.class, FileNotFoundException.class),
          () -> directory.openInput("f", IOContext.DEFAULT));
      assertEquals(0, directory.knownFiles());
    }
  }
}
