/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.entry.FileKey;
import io.hyperclock.files.BlockFiles;
import io.hyperclock.files.BlockSource;
import io.hyperclock.files.CachedFile;
import io.hyperclock.files.ReadMode;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * Reads another directory through a cache of blocks, which any number of directories may share.
 *
 * <pre>{@code
 * BlockFiles files = BlockFiles.builder().capacityBytes(4L << 30).build();
 * try (Directory directory = new BlockCacheDirectory(remote, files);
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   new IndexSearcher(reader).search(query, 10);
 * }
 * }</pre>
 *
 * <p>Files that Lucene reads once are opened from the directory below. What is read through a file
 * that a merge has opened is taken from the cache if it is there, and not admitted; a merge that
 * shares the open files of a near-real-time reader admits what it reads, as searches do. Files that
 * are deleted, renamed or written anew are dropped from the cache, in constant time.
 *
 * <p>Inputs hold nothing: clones and slices that are never closed keep no memory. Inputs whose
 * {@link BlockFiles} is closed throw {@link org.apache.lucene.store.AlreadyClosedException}; those
 * of a closed directory go on, as Lucene wants it.
 */
public final class BlockCacheDirectory extends FilterDirectory {
  /** Where the blocks of a file come from, if not straight from the directory below. */
  @FunctionalInterface
  public interface Sources {
    /**
     * Wraps a source, such as in a {@link TierSource}.
     *
     * @param key identity of the file
     * @param source reads the directory below
     * @return what the cache is to read
     */
    BlockSource wrap(FileKey key, BlockSource source);
  }

  private final BlockFiles files;
  private final Sources sources;
  private final @Nullable String name;
  private final ConcurrentHashMap<String, FileKey> keys = new ConcurrentHashMap<>();

  /**
   * A directory whose blocks are found again until it is closed.
   *
   * @param below closed with this
   * @param files not closed with this
   */
  public BlockCacheDirectory(Directory below, BlockFiles files) {
    this(below, files, null, (key, source) -> source);
  }

  /**
   * A directory whose blocks are found again by whoever opens one of the same name, in this process
   * or a later one. Files are told apart by name, length and the checksum that Lucene writes at
   * their ends, which costs one small read of each file that is opened.
   *
   * @param below closed with this
   * @param files not closed with this
   * @param name of the index; null for one that is forgotten when this is closed
   * @param sources puts a second level between the cache and the directory below
   */
  public BlockCacheDirectory(
      Directory below, BlockFiles files, @Nullable String name, Sources sources) {
    super(below);
    this.files = files;
    this.name = name;
    this.sources = sources;
  }

  @Override
  public IndexInput openInput(String file, IOContext context) throws IOException {
    if (Contexts.readOnce(context)) {
      return in.openInput(file, context);
    }
    FileKey unnamed = name == null ? unique(file) : null;
    IndexInput input = in.openInput(file, context);
    while (unnamed != null && keys.get(file) != unnamed) {
      // Deleted or written anew meanwhile: the input may be of the older file.
      input.close();
      unnamed = unique(file);
      input = in.openInput(file, context);
    }
    CachedFile opened;
    boolean done = false;
    try {
      FileKey key = unnamed == null ? named(file, input) : unnamed;
      // From here on the input is closed by the file, or because that could not be opened.
      BlockSource source = sources.wrap(key, new InputSource(input));
      opened = files.open(key, source);
      done = true;
    } catch (IllegalStateException e) {
      throw new AlreadyClosedException("already closed: " + files, e);
    } finally {
      if (!done) {
        input.close();
      }
    }
    ReadMode mode = Contexts.merges(context) ? ReadMode.NO_ADMIT : ReadMode.ADMIT;
    return new BlockCacheInput(input.toString(), opened, opened.cursor(mode));
  }

  private FileKey unique(String file) {
    return keys.computeIfAbsent(file, f -> FileKey.unique());
  }

  private FileKey named(String file, IndexInput input) throws IOException {
    long length = input.length();
    long end = length;
    if (length >= Long.BYTES) {
      IndexInput footer = input.clone();
      footer.seek(length - Long.BYTES);
      end = footer.readLong() * 31 + length;
    }
    FileKey key = FileKey.of(name + '/' + file, end);
    keys.put(file, key);
    return key;
  }

  private void drop(String file) {
    FileKey key = keys.remove(file);
    if (key != null) {
      files.drop(key);
    }
  }

  @Override
  public IndexOutput createOutput(String file, IOContext context) throws IOException {
    ensureOpen();
    drop(file);
    return in.createOutput(file, context);
  }

  @Override
  public void deleteFile(String file) throws IOException {
    in.deleteFile(file);
    drop(file);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    in.rename(source, dest);
    drop(source);
    drop(dest);
  }

  @Override
  public void close() throws IOException {
    if (name == null) {
      files.dropAll(keys.values());
      keys.clear();
    }
    in.close();
  }
}
