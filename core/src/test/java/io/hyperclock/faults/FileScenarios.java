/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.FileKey;
import io.hyperclock.files.BlockFiles;
import io.hyperclock.files.BlockSource;
import io.hyperclock.files.CachedFile;
import io.hyperclock.files.ReadMode;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import io.hyperclock.memory.ShortMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Operations of {@link BlockFiles} and of the memory below them. */
public final class FileScenarios {
  private static final int BLOCK = 1024;
  private static final int BLOCKS = 400;

  private FileScenarios() {}

  /** A piece of a scenario. */
  private interface Step {
    void run(Scenario it) throws Exception;
  }

  /** Scenarios by name, on empty files or, if so, on files with a full cache. */
  public static Map<String, Supplier<FaultScenario>> all(boolean full) {
    Map<String, Step> steps = new LinkedHashMap<>();
    steps.put("open", Scenario::openAnother);
    steps.put("read of a block", it -> it.file.cursor().readByte(5));
    steps.put("read of blocks", it -> it.file.cursor().read(0, new byte[5 * BLOCK], 0, 5 * BLOCK));
    steps.put(
        "scan", it -> it.file.cursor(ReadMode.NO_ADMIT).read(0, new byte[5 * BLOCK], 0, 5 * BLOCK));
    steps.put("pin", it -> it.pins.add(it.file.pin(5)));
    steps.put("prefetch", it -> it.file.prefetch(0, 5 * BLOCK));
    steps.put("decode", Scenario::decode);
    steps.put("close", it -> it.file.close());
    Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();
    steps.forEach((name, act) -> all.put(name, () -> new Scenario(full, act)));
    all.put("take of memory that readers keep", KeptMemory::new);
    return all;
  }

  /** A pool whose memory was given up, all but one slab, while readers still have its buffers. */
  private static final class KeptMemory implements FaultScenario {
    private static final int BYTES = BufferPool.MAX_BUFFER_BYTES;
    private static final int SLABS = 8;

    private final ShortMemory memory = new ShortMemory(Long.MAX_VALUE);
    private final BufferPool pool = memory.pool(SLABS * BYTES);
    private final List<PooledBuffer> kept = new ArrayList<>();
    private final List<PooledBuffer> taken = new ArrayList<>(SLABS);

    private void take(List<PooledBuffer> into) {
      PooledBuffer buffer = pool.take(BYTES);
      if (buffer != null) {
        into.add(buffer);
      }
    }

    @Override
    public void arrange() {
      for (int i = 0; i < SLABS; i++) {
        take(kept);
      }
      kept.forEach(pool::give);
      take(taken);
    }

    @Override
    public void act() {
      take(taken);
    }

    @Override
    public List<String> violations() {
      List<String> found = new ArrayList<>();
      while (taken.size() < SLABS) {
        int before = taken.size();
        take(taken);
        if (taken.size() == before) {
          found.add("lent only " + before);
          break;
        }
      }
      Scenario.require(found, "slabs beyond the bound", memory.calls.get() - SLABS);
      taken.forEach(pool::give);
      Scenario.require(found, "buffers", pool.outstanding());
      long valid = kept.stream().filter(PooledBuffer::isValid).count();
      Scenario.require(found, "valid buffers of ended loans", valid);
      return found;
    }
  }

  private static final class Source implements BlockSource {
    private int closes;

    @Override
    public long length() {
      return (long) BLOCKS * BLOCK;
    }

    @Override
    public int readAheadBytes() {
      return 4 * BLOCK;
    }

    @Override
    public long readAt(long position, ByteBuffer[] into) {
      long count = 0;
      for (ByteBuffer buffer : into) {
        for (; buffer.hasRemaining(); count++) {
          buffer.put((byte) (position + count));
        }
      }
      return count;
    }

    @Override
    public void close() {
      closes++;
    }
  }

  private static final class Scenario implements FaultScenario {
    private final BlockFiles files =
        BlockFiles.builder()
            .capacityBytes(100 * BLOCK)
            .blockBytes(BLOCK)
            .prefetcher(Runnable::run, 1)
            .cache(settings -> settings.shards(1))
            .build();
    private final boolean full;
    private final Step act;
    private final List<Handle<PooledBuffer>> pins = new ArrayList<>(1);
    private final Source source = new Source();
    private CachedFile file;
    private PooledBuffer decoded;
    private final FileKey keyOfAnother = FileKey.unique();
    private Source another;
    private boolean isAnotherOpen;

    /** Where the stack ends there may be none to close it, either. */
    private boolean mayStayOpen;

    Scenario(boolean full, Step act) {
      this.full = full;
      this.act = act;
    }

    private CachedFile open() throws Exception {
      return files.open(FileKey.unique(), new Source());
    }

    private void openAnother() throws Exception {
      another = new Source();
      try {
        CachedFile opened = files.open(keyOfAnother, another);
        isAnotherOpen = true;
        opened.cursor().readByte(5);
      } catch (StackOverflowError e) {
        mayStayOpen = true;
        throw e;
      }
    }

    private void decode() {
      EntryCodec<PooledBuffer> codec =
          Objects.requireNonNull(files.pool().entryType("decoded").codec());
      decoded = codec.decode(ByteBuffer.allocate(BLOCK - 1), null);
    }

    @Override
    public void arrange() throws Exception {
      if (full) {
        open().cursor().read(0, new byte[200 * BLOCK], 0, 200 * BLOCK);
      }
      file = files.open(FileKey.unique(), source);
    }

    @Override
    public void act() throws Exception {
      act.run(this);
    }

    @Override
    public List<String> violations() throws Exception {
      List<String> found = new ArrayList<>();
      pins.forEach(Handle::close);
      int expected = isAnotherOpen ? 0 : 1;
      if (another != null && another.closes != expected && !(mayStayOpen && another.closes == 0)) {
        found.add("source of a file, opened=" + isAnotherOpen + ", closes=" + another.closes);
      }
      if (decoded != null) {
        files.pool().give(decoded);
      }
      CachedFile other = open();
      for (int block : new int[] {0, 1, 2, 3, 4, 300}) {
        byte read = other.cursor().readByte(block * BLOCK + 7L);
        if (read != (byte) (block * BLOCK + 7)) {
          found.add("wrong byte " + read + " of block " + block);
        }
      }
      if (!other.prefetch(100 * BLOCK, BLOCK)) {
        found.add("no room for a prefetch");
      }
      file.close();
      require(found, "closes but one", source.closes - 1);
      require(found, "pinned bytes", files.cache().monitor().pinnedUsageBytes());
      files.cache().eraseUnreferenced();
      require(found, "occupancy", files.cache().monitor().occupancy());
      require(found, "buffers", files.pool().outstanding());
      files.close();
      return found;
    }

    private static void require(List<String> found, String name, long actual) {
      if (actual != 0) {
        found.add(name + " " + actual + " != 0");
      }
    }
  }
}
