/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CacheMonitor;
import io.hyperclock.entry.FileKey;
import io.hyperclock.internal.capacity.EarlyEviction;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the blocks of files, with the memory below it.
 *
 * <pre>{@code
 * try (BlockFiles files = BlockFiles.builder().capacityBytes(1 << 30).build();
 *     CachedFile file = files.open("db-3f2a91c0/000123.sst", BlockSource.of(channel))) {
 *   long magic = file.cursor().readLong(file.length() - 8);
 * }
 * }</pre>
 *
 * <p><b>Identity.</b> A file is opened by a name or a {@link FileKey}, which stands for bytes that
 * never change; blocks that are cached under it are used by all who open it later. A file written
 * again under its old name needs another identity: a number beside the name.
 *
 * <p><b>Memory</b> comes from a {@link BufferPool} whose bound is the capacity and a tenth more (at
 * least four blocks), for loads under way. If it is exhausted all the same, a load evicts blocks
 * and takes their memory. If nothing can be evicted (because of pins), cursors read past the cache;
 * {@link FileStats#uncachedReads} counts that. It is direct memory: the JVM should be allowed as
 * much ({@code -XX:MaxDirectMemorySize}, by default as large as the heap). Where it is less, the
 * pool stays within what the JVM gives, and the cache keeps fewer blocks than its capacity allows.
 * The bound does not follow {@link BlockCache#setCapacityBytes}: make the files with the largest
 * capacity they are to have.
 *
 * <p>Of several threads that miss a block one reads it, also where they miss different neighbours
 * of it. Thread-safe.
 */
public final class BlockFiles implements AutoCloseable {
  private static final int MAX_WINDOW_BLOCKS = 64;

  /** Share of what is cached that read scopes may hold back before no more is evicted. */
  private static final int HELD_SHARE = 16;

  private final BlockCache<PooledBuffer> cache;
  private final BufferPool pool;
  final BlockTable table;
  private final int blockBytes;
  final int maxWindow;
  final Prefetches prefetches;

  /** Guarded by {@link #closedFiles}. Not a concurrent one, whose removal may find no memory. */
  private final Set<CachedFile> open = new HashSet<>();

  private final FileCounters closedFiles = new FileCounters();
  volatile boolean closed;

  private BlockFiles(Builder builder) {
    this.blockBytes = builder.blockBytes;
    int perBlock = BufferPool.capacityFor(blockBytes);
    long spare = Math.max(builder.capacityBytes / 10, 4L * perBlock);
    this.pool = builder.pools.apply(builder.capacityBytes + spare);
    this.table =
        new BlockTable(builder.capacityBytes / perBlock, Integer.numberOfTrailingZeros(blockBytes));
    BlockCacheBuilder<PooledBuffer> settings =
        BlockCache.<PooledBuffer>builder()
            .capacityBytes(builder.capacityBytes)
            .estimatedEntryCharge(perBlock);
    this.cache =
        Objects.requireNonNull(
                builder.cacheSettings.apply(settings), "what settings returns must not be null")
            .defaultType(table.type(pool))
            .build();
    requireCapacity(builder.capacityBytes);
    this.maxWindow =
        (int) Math.max(1, Math.min(MAX_WINDOW_BLOCKS, builder.capacityBytes / 16 / blockBytes));
    this.prefetches = new Prefetches(builder.prefetcher, builder.mostPrefetches);
  }

  /** The pool and the table of blocks were made for it. */
  private void requireCapacity(long capacityBytes) {
    long set = cache.monitor().capacityBytes();
    if (set != capacityBytes) {
      cache.close();
      throw new IllegalArgumentException(
          "capacityBytes must be set at the builder of the files: capacityBytes="
              + capacityBytes
              + ", capacityBytes of the cache="
              + set);
    }
  }

  /**
   * Starts with blocks of 16 KiB and no prefetcher.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Opens a file by a name.
   *
   * @param name stands for the same bytes for ever, as in {@link FileKey#of(String)}
   * @param source where it comes from; owned by the file, and closed if opening fails, but for want
   *     of stack
   * @return a file that the caller must close
   * @throws IOException if the length cannot be told
   */
  public CachedFile open(String name, BlockSource source) throws IOException {
    return open(name, "name must not be null", source);
  }

  /**
   * Opens a file.
   *
   * @param key stands for the same bytes for ever; {@link FileKey#unique()} for a file without a
   *     name
   * @param source where it comes from; owned by the file, and closed if opening fails, but for want
   *     of stack
   * @return a file that the caller must close
   * @throws IOException if the length cannot be told
   */
  public CachedFile open(FileKey key, BlockSource source) throws IOException {
    return open(key, "key must not be null", source);
  }

  /** Opens a file by its key or its name. */
  private CachedFile open(Object identity, String refusal, BlockSource source) throws IOException {
    Objects.requireNonNull(source, "source must not be null");
    CachedFile file;
    try {
      requireOpen();
      Objects.requireNonNull(identity, refusal);
      FileKey of = identity instanceof FileKey key ? key : FileKey.of((String) identity);
      file = new CachedFile(this, of, source);
      // Not before: a file that cannot be opened stays dropped.
      cache.fileKeys().open(of);
      synchronized (closedFiles) {
        open.add(file);
      }
    } catch (Throwable e) {
      try {
        source.close();
      } catch (IOException | RuntimeException another) {
        if (another != e) {
          e.addSuppressed(another);
        }
      }
      throw e;
    }
    if (closed) {
      // By the thread that comes first.
      file.close();
      requireOpen();
    }
    return file;
  }

  /**
   * Gives up what is cached of a file, in constant time: its blocks are the first to be evicted.
   * Works while and after this is closed.
   *
   * @param key the file's key
   */
  public void drop(FileKey key) {
    cache.fileKeys().drop(Objects.requireNonNull(key, "key must not be null"));
  }

  /**
   * Gives up what is cached of a group of files, each in constant time.
   *
   * @param keys their keys
   */
  public void dropAll(Iterable<FileKey> keys) {
    cache.fileKeys().dropAll(Objects.requireNonNull(keys, "keys must not be null"));
  }

  /**
   * The cache of the blocks, for its statistics and settings.
   *
   * @return the one cache
   */
  public BlockCache<PooledBuffer> cache() {
    return cache;
  }

  /**
   * The memory of the blocks.
   *
   * @return the one pool
   */
  public BufferPool pool() {
    return pool;
  }

  /**
   * Size of a block; the last one of a file may be shorter.
   *
   * @return bytes, a power of two
   */
  public int blockBytes() {
    return blockBytes;
  }

  /**
   * Reads of all files so far, closed ones included; what a read that is under way while its file
   * is closed counts after that is missing.
   *
   * @return a new snapshot
   */
  public FileStats stats() {
    FileCounters sum = new FileCounters();
    // So that a file that is being closed is met in one of the two places.
    synchronized (closedFiles) {
      sum.add(closedFiles);
      open.forEach(file -> sum.add(file.counters));
    }
    return sum.snapshot();
  }

  /**
   * Closes all files and the cache. All memory is back in the {@link #pool()} then but that of
   * blocks that are pinned, or that a source is just reading; {@link BufferPool#awaitAllBack} waits
   * for these. Idempotent.
   */
  @Override
  public void close() throws IOException {
    closed = true;
    Throwable failure = null;
    for (CachedFile file : openFiles()) {
      try {
        file.close();
      } catch (Throwable e) {
        if (failure == null) {
          failure = e;
        } else if (e != failure) {
          failure.addSuppressed(e);
        }
      }
    }
    cache.close();
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof IOException checked) {
      throw checked;
    }
  }

  private List<CachedFile> openFiles() {
    synchronized (closedFiles) {
      return List.copyOf(open);
    }
  }

  /** Notes that a file is closed; true the first time. */
  boolean closed(CachedFile file) {
    synchronized (closedFiles) {
      if (!open.contains(file)) {
        return false;
      }
      // First: if that fails the file can be closed again.
      closedFiles.add(file.counters);
      return open.remove(file);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("files must not be closed: closed=true");
    }
  }

  /**
   * Makes the cache evict something, so that the pool gets memory back. Nothing where read scopes
   * hold back much of what was evicted before: its memory comes when they end.
   */
  void makeRoom() {
    CacheMonitor<PooledBuffer> monitor = cache.monitor();
    if (monitor.scopeStats().retiredBytes() <= monitor.usageBytes() / HELD_SHARE) {
      ((EarlyEviction) cache).evictSome(2L * blockBytes);
    }
  }

  @Override
  public String toString() {
    return String.format(
        "BlockFiles[blockBytes=%s, open=%s, %s]", blockBytes, openFiles().size(), pool);
  }

  /** Settings of {@link BlockFiles}. Not thread-safe. */
  public static final class Builder {
    private long capacityBytes = 64 << 20;
    private int blockBytes = 16 << 10;
    private @Nullable Executor prefetcher;
    private int mostPrefetches = 1;
    private UnaryOperator<BlockCacheBuilder<PooledBuffer>> cacheSettings = settings -> settings;
    private LongFunction<BufferPool> pools = BufferPool::ofBytes;

    private Builder() {}

    /**
     * Sets how much may be cached, what the cache itself needs included.
     *
     * @param capacityBytes bytes, in [1024, {@link BlockCache#MAX_CAPACITY_BYTES}]; 64 MiB unless
     *     set
     * @return this
     */
    public Builder capacityBytes(long capacityBytes) {
      if (capacityBytes < 1024 || capacityBytes > BlockCache.MAX_CAPACITY_BYTES) {
        throw new IllegalArgumentException(
            String.format(
                "capacityBytes must be in [1024, %s]: capacityBytes=%s",
                BlockCache.MAX_CAPACITY_BYTES, capacityBytes));
      }
      this.capacityBytes = capacityBytes;
      return this;
    }

    /**
     * Sets the size of blocks.
     *
     * @param blockBytes a power of two in [64, 65536]; 16 KiB unless set. What lies between 1, 4,
     *     16 and 64 KiB takes the memory of the next of these
     * @return this
     */
    public Builder blockBytes(int blockBytes) {
      if (blockBytes < 64
          || blockBytes > BufferPool.MAX_BUFFER_BYTES
          || Integer.bitCount(blockBytes) != 1) {
        throw new IllegalArgumentException(
            "blockBytes must be a power of two in [64, 65536]: blockBytes=" + blockBytes);
      }
      this.blockBytes = blockBytes;
      return this;
    }

    /**
     * Sets who runs {@linkplain CachedFile#prefetch prefetches}; without it they do nothing.
     *
     * @param executor its threads read from sources; not shut down. It must not drop a task it has
     *     accepted, which would count as queued for ever
     * @param most how many reads may be queued or under way, at least 1
     * @return this
     */
    public Builder prefetcher(Executor executor, int most) {
      if (most < 1) {
        throw new IllegalArgumentException("most must be >= 1: most=" + most);
      }
      this.prefetcher = Objects.requireNonNull(executor, "executor must not be null");
      this.mostPrefetches = most;
      return this;
    }

    /**
     * Changes settings of the cache other than those set here: replacement, shards, observers. A
     * capacity set there is refused by {@link #build}.
     *
     * @param settings gets the builder with capacity and charge set; returns it. The type is set
     *     after that
     * @return this
     */
    public Builder cache(UnaryOperator<BlockCacheBuilder<PooledBuffer>> settings) {
      this.cacheSettings = Objects.requireNonNull(settings, "settings must not be null");
      return this;
    }

    /** For tests: makes the pool by its bound. */
    Builder pool(LongFunction<BufferPool> pools) {
      this.pools = pools;
      return this;
    }

    /**
     * Makes the cache and its pool.
     *
     * @return files that the caller must close
     * @throws IllegalArgumentException if {@link #cache} has changed the capacity
     */
    public BlockFiles build() {
      return new BlockFiles(this);
    }
  }
}
