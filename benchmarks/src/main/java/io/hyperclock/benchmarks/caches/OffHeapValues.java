/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.MetadataCharge;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.CloseableIterator;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Values of {@value #VALUE_BYTES} bytes off the heap. Each cache has a budget for as many entries
 * as the other: HyperClock's counts the bytes of the values, OHC's also {@value #OHC_HEADER_BYTES}
 * bytes of header and the key of each, as OHC itself counts.
 */
@State(Scope.Benchmark)
public abstract class OffHeapValues extends Workload {
  /** Bytes of a value; the first eight are the number of its key. */
  public static final int VALUE_BYTES = 256;

  private static final int KEY_BYTES = 16;
  private static final int OHC_HEADER_BYTES = 64;

  /** Key numbers in the order of reads. */
  public int[] stream;

  private int[] resident;

  /** Fills the cache. */
  @Setup
  public void fill() {
    make();
    state.fill(size, size, this::put, this::read, this::erase);
    resident = residents();
    state.requireFull(resident.length, size);
    stream = KeyStream.among(resident, distribution);
    requireAllCached();
  }

  /** Checks that no read can have missed, and closes the cache. */
  @TearDown
  public void end() throws IOException {
    requireAllCached();
    close();
  }

  final void requireAllCached() {
    for (int number : resident) {
      requireHit(read(number) == number, number);
    }
  }

  abstract void make();

  /** Frees what the collector does not. */
  void close() throws IOException {}

  abstract void put(int number);

  abstract void erase(int number);

  abstract int[] residents();

  /**
   * Reads the first eight bytes of a value while it cannot be freed.
   *
   * @param number number of its key
   * @return the bytes, or -1 if it is not cached
   */
  public abstract long read(int number);

  /** HyperClock; values are buffers of a pool, to which they go back when they are evicted. */
  @State(Scope.Benchmark)
  public static class HyperClockValues extends OffHeapValues {
    private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
    private final EntryType<ByteBuffer> type =
        EntryType.<ByteBuffer>named("buffer")
            .disposer((hi, lo, buffer) -> free.add(buffer))
            .build();

    /** The cache. */
    public BlockCache<ByteBuffer> cache;

    @Override
    void make() {
      cache =
          BlockCache.<ByteBuffer>builder()
              .capacityBytes(capacity() * VALUE_BYTES)
              .estimatedEntryCharge(VALUE_BYTES)
              .metadataCharge(MetadataCharge.NONE)
              .capacityMode(CapacityMode.NON_STRICT)
              .build();
    }

    @Override
    void put(int number) {
      ByteBuffer buffer = free.poll();
      if (buffer == null) {
        buffer = ByteBuffer.allocateDirect(VALUE_BYTES);
      }
      buffer.putLong(0, number);
      cache.insert(
          KeyObject.file(number),
          KeyObject.offset(number),
          buffer,
          type,
          VALUE_BYTES,
          Priority.LOW);
    }

    @Override
    void erase(int number) {
      cache.erase(KeyObject.file(number), KeyObject.offset(number));
    }

    @Override
    int[] residents() {
      IntStream.Builder numbers = IntStream.builder();
      cache
          .monitor()
          .forEachEntry((hi, lo, buffer, of, charge) -> numbers.add(KeyObject.number(hi, lo)));
      return numbers.build().sorted().toArray();
    }

    @Override
    public long read(int number) {
      try (var handle = cache.lookup(KeyObject.file(number), KeyObject.offset(number))) {
        return handle == null ? -1 : handle.value().getLong(0);
      }
    }
  }

  /** OHC with default settings; keys are objects made per call. */
  @State(Scope.Benchmark)
  public static class OhcValues extends OffHeapValues {
    /** The cache. */
    public OHCache<KeyObject, byte[]> cache;

    @Override
    void make() {
      cache =
          OHCacheBuilder.<KeyObject, byte[]>newBuilder()
              .keySerializer(new Keys())
              .valueSerializer(new Values())
              .capacity(capacity() * (VALUE_BYTES + KEY_BYTES + OHC_HEADER_BYTES))
              .build();
    }

    @Override
    void put(int number) {
      byte[] value = new byte[VALUE_BYTES];
      ByteBuffer.wrap(value).putLong(0, number);
      cache.put(KeyObject.of(number), value);
    }

    @Override
    void erase(int number) {
      cache.remove(KeyObject.of(number));
    }

    @Override
    int[] residents() {
      IntStream.Builder numbers = IntStream.builder();
      try (CloseableIterator<KeyObject> keys = cache.keyIterator()) {
        keys.forEachRemaining(key -> numbers.add(key.number()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return numbers.build().sorted().toArray();
    }

    @Override
    public long read(int number) {
      try (var value = cache.getDirect(KeyObject.of(number))) {
        return value == null ? -1 : value.buffer().getLong(0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    void close() throws IOException {
      cache.close();
    }
  }

  private static final class Keys implements CacheSerializer<KeyObject> {
    @Override
    public void serialize(KeyObject key, ByteBuffer to) {
      to.putLong(key.file()).putLong(key.offset());
    }

    @Override
    public KeyObject deserialize(ByteBuffer from) {
      return new KeyObject(from.getLong(), from.getLong());
    }

    @Override
    public int serializedSize(KeyObject key) {
      return KEY_BYTES;
    }
  }

  private static final class Values implements CacheSerializer<byte[]> {
    @Override
    public void serialize(byte[] value, ByteBuffer to) {
      to.put(value);
    }

    @Override
    public byte[] deserialize(ByteBuffer from) {
      byte[] value = new byte[from.remaining()];
      from.get(value);
      return value;
    }

    @Override
    public int serializedSize(byte[] value) {
      return value.length;
    }
  }
}
