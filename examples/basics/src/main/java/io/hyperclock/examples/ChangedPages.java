/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Pages that are written some time after they were replaced: until then the cache must not lose
 * them, or a reader would load the older page. Each page has one writer at a time.
 */
public final class ChangedPages implements AutoCloseable {
  private static final EntryType<byte[]> PAGE = EntryType.of("page");

  private final Map<Long, byte[]> disk = new ConcurrentHashMap<>();
  private final Queue<Handle<byte[]>> unwritten = new ConcurrentLinkedQueue<>();
  private final BlockCache<byte[]> cache;
  private final FileKey file;

  /**
   * An empty store.
   *
   * @param capacityBytes bytes to be cached
   */
  public ChangedPages(long capacityBytes) {
    // Strict: a page that has no space is refused, and does not drive out the older one.
    cache =
        BlockCache.<byte[]>builder()
            .capacityBytes(capacityBytes)
            .capacityMode(CapacityMode.STRICT)
            .build();
    file = cache.fileKeys().open("pages", 1);
  }

  /**
   * Reads a page.
   *
   * @param number of the page
   * @return its newest content, or null if it was never replaced
   */
  public byte @Nullable [] read(long number) {
    return cache.get(file.hi(), file.lo(number), (hi, lo) -> disk.get(number));
  }

  /**
   * Replaces a page; {@link #flush} writes it.
   *
   * @param number of the page
   * @param page its new content
   */
  public void replace(long number, byte[] page) {
    // [replace]
    try {
      unwritten.add(
          cache.putPinned(file.hi(), file.lo(number), page, PAGE, page.length, Priority.LOW));
    } catch (CapacityExceededException e) { // no space beside what is pinned
      flush(); // older pages of this number first
      write(number, page);
      cache.erase(file.hi(), file.lo(number)); // from now on reads load the new page
    }
    // [/replace]
  }

  /** Writes what was replaced, in that order, and lets the cache evict it. */
  public synchronized void flush() {
    // [flush]
    for (Handle<byte[]> changed = unwritten.poll(); changed != null; changed = unwritten.poll()) {
      write(file.offset(changed.keyLo()), changed.value());
      changed.close(); // may be evicted from here on: it is on disk
    }
    // [/flush]
  }

  private void write(long number, byte[] page) {
    disk.put(number, page);
  }

  @Override
  public void close() {
    flush();
    cache.close();
  }
}
