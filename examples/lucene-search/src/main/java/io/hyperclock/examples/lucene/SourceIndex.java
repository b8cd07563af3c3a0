/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.BytesRef;

/** An index of passages of Java sources. */
final class SourceIndex {
  private static final int LINES = 30;

  private SourceIndex() {}

  static boolean exists(Path path) throws IOException {
    try (Directory directory = new NIOFSDirectory(path)) {
      return DirectoryReader.indexExists(directory);
    }
  }

  /** Bytes of all files of an index. */
  static long bytes(Path path) throws IOException {
    try (Directory directory = new NIOFSDirectory(path)) {
      long bytes = 0;
      for (String file : directory.listAll()) {
        bytes += directory.fileLength(file);
      }
      return bytes;
    }
  }

  static void write(Corpus corpus, Path path, SearchProgress progress) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setRAMBufferSizeMB(16)
            .setUseCompoundFile(false)
            // Else a corpus that cannot be read to its end would leave an index of its beginning.
            .setCommitOnClose(false)
            .setMergeScheduler(new SerialMergeScheduler());
    int[] files = {0};
    try (Directory directory = new NIOFSDirectory(path);
        IndexWriter writer = new IndexWriter(directory, config)) {
      corpus.forEach(
          (name, text) -> {
            addPassages(writer, name, text);
            if (++files[0] % 2000 == 0) {
              progress.say("indexed %,d files", files[0]);
            }
          });
      writer.commit();
    }
  }

  private static void addPassages(IndexWriter writer, String name, String text) throws IOException {
    String[] lines = text.split("\n");
    String folder = name.substring(0, Math.max(0, name.lastIndexOf('/')));
    for (int from = 0; from < lines.length; from += LINES) {
      int to = Math.min(lines.length, from + LINES);
      String body = String.join("\n", Arrays.asList(lines).subList(from, to));
      Document document = new Document();
      document.add(new TextField("body", body, Field.Store.NO));
      document.add(new StoredField("raw", body));
      document.add(new StringField("path", name, Field.Store.YES));
      document.add(new SortedDocValuesField("folder", new BytesRef(folder)));
      document.add(new NumericDocValuesField("size", body.length() * 31L + from));
      document.add(new LongPoint("line", from));
      writer.addDocument(document);
    }
  }
}
