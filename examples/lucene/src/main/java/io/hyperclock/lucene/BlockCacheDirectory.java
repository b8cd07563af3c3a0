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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.codecs.CodecUtil;
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
 * are deleted, renamed or written anew are dropped from the cache, in constant time; files that are
 * deleted in the directory below, past this one, when {@link #listAll} is called, as Lucene does to
 * refresh a reader. A file that is written anew in the directory below, past this one, is told by
 * its length and the checksum that Lucene writes at its end, when it is opened; that costs one
 * small read of each file that is opened.
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
  private final ConcurrentHashMap<String, Known> known = new ConcurrentHashMap<>();

  /** The key of a file, whether it is made of names, and the end once the file was opened. */
  private record Known(FileKey key, boolean named, AtomicReference<@Nullable Long> end) {
    static Known unique() {
      return new Known(FileKey.unique(), false, new AtomicReference<>());
    }

    boolean isOpened() {
      return end.get() != null;
    }

    boolean isOf(Long now) {
      return end.compareAndSet(null, now) || now.equals(end.get());
    }
  }

  /** What tells a file from another one of its name, without reading all of it. */
  private record End(long number, boolean hasFooter) {
    static End of(IndexInput input) throws IOException {
      long length = input.length();
      if (length < Long.BYTES) {
        return new End(length, false);
      }
      IndexInput end = input.clone();
      boolean hasFooter = false;
      if (length >= CodecUtil.footerLength()) {
        end.seek(length - CodecUtil.footerLength());
        hasFooter = CodecUtil.readBEInt(end) == CodecUtil.FOOTER_MAGIC;
      }
      // In a footer, a checksum of all that is before it.
      end.seek(length - Long.BYTES);
      return new End(end.readLong() * 31 + length, hasFooter);
    }
  }

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
   * or a later one. Files are told apart by name, length and the checksum at their ends; those
   * without the footer of Lucene's codecs are forgotten when this is closed.
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
    while (true) {
      Known found = known.computeIfAbsent(file, f -> Known.unique());
      IndexInput input = openBelow(file, found, context);
      boolean done = false;
      try {
        End end = End.of(input);
        FileKey key =
            name != null && end.hasFooter
                ? named(file, name, end.number)
                : unnamed(file, found, end.number);
        if (key != null) {
          // From here on the input is closed by the file, or because that could not be opened.
          BlockSource source = sources.wrap(key, new InputSource(input));
          CachedFile opened = files.open(key, source);
          done = true;
          ReadMode mode = Contexts.merges(context) ? ReadMode.NO_ADMIT : ReadMode.ADMIT;
          return new BlockCacheInput(input.toString(), opened, opened.cursor(mode));
        }
      } catch (IllegalStateException e) {
        throw new AlreadyClosedException("already closed: " + files, e);
      } finally {
        if (!done) {
          input.close();
        }
      }
    }
  }

  private IndexInput openBelow(String file, Known found, IOContext context) throws IOException {
    boolean done = false;
    try {
      IndexInput input = in.openInput(file, context);
      done = true;
      return input;
    } finally {
      if (!done && !found.isOpened()) {
        drop(file, found);
      }
    }
  }

  /** Null if the file was deleted or written anew: the input may be of another one than the key. */
  private @Nullable FileKey unnamed(String file, Known found, long end) {
    if (found.named || !found.isOf(end)) {
      drop(file, found);
    }
    return known.get(file) == found ? found.key : null;
  }

  private FileKey named(String file, String index, long end) {
    FileKey key = FileKey.of(index + '/' + file, end);
    Known before = known.put(file, new Known(key, true, new AtomicReference<>(end)));
    if (before != null && !before.key.equals(key)) {
      drop(before);
    }
    return key;
  }

  private void drop(String file) {
    Known dropped = known.remove(file);
    if (dropped != null) {
      drop(dropped);
    }
  }

  private void drop(String file, Known dropped) {
    if (known.remove(file, dropped)) {
      drop(dropped);
    }
  }

  /** After the key was taken out: a file that is opened only now gets another one. */
  private void drop(Known dropped) {
    if (dropped.isOpened()) {
      files.drop(dropped.key);
    }
  }

  /** For tests. */
  int knownFiles() {
    return known.size();
  }

  /** Also drops the files that were deleted in the directory below, past this one. */
  @Override
  public String[] listAll() throws IOException {
    Map<String, Known> gone = new HashMap<>(known);
    String[] listed = in.listAll();
    for (String file : listed) {
      gone.remove(file);
    }
    gone.forEach(this::drop);
    return listed;
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
    files.dropAll(known.values().stream().filter(k -> !k.named).map(Known::key).toList());
    known.clear();
    in.close();
  }
}
