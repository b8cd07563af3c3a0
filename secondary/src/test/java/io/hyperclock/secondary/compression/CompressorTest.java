/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.secondary.testing.RunLengthCompressor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompressorTest {
  private static final int CANARIES = 64;
  private static final byte CANARY = 0x5A;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void thereIsOneAlthoughItFoundNoMemoryAtFirst() {
    AtomicInteger tries = new AtomicInteger();
    Compression.Lazy lazy =
        new Compression.Lazy(
            "any",
            () -> {
              if (tries.incrementAndGet() == 1) {
                throw new InternalError("as if there were no memory, on purpose");
              }
              return new RunLengthCompressor();
            });
    assertThatThrownBy(lazy::get).isInstanceOf(InternalError.class);
    assertThat(lazy.get()).isNotNull().isSameAs(lazy.get());
    assertThat(tries).hasValue(2);
  }

  @Test
  void thereIsNoneThoughTheLoggerFailsThatIsToSaySo() {
    AtomicInteger lines = new AtomicInteger();
    Handler failing =
        new StreamHandler() {
          @Override
          public void publish(LogRecord line) {
            lines.incrementAndGet();
            throw new IllegalStateException("a logger that fails, on purpose");
          }
        };
    Compression.Lazy lazy =
        new Compression.Lazy(
            "any",
            () -> {
              throw new IllegalStateException("no library, on purpose");
            });
    Logger logger = Logger.getLogger(Compression.class.getName());
    logger.setLevel(Level.ALL);
    logger.addHandler(failing);
    try {
      assertThat(lazy.get()).isNull();
    } finally {
      logger.removeHandler(failing);
      logger.setLevel(null);
    }
    assertThat(lines).hasValue(1);
  }

  /** A library that is there, but does not work. */
  @Test
  void thereIsNoneIfItDoesNotRestoreWhatItCompressed() {
    assertThat(new Compression.Lazy("any", () -> new Broken(0, 1)).get()).isNull();
    assertThat(new Compression.Lazy("any", () -> new Broken(1, 0)).get()).isNull();
    assertThat(new Compression.Lazy("any", () -> new Broken(0, 0)).get()).isNotNull();
  }

  private static final class Broken extends RunLengthCompressor {
    private final int tooFew;
    private final int damage;

    Broken(int tooFew, int damage) {
      this.tooFew = tooFew;
      this.damage = damage;
    }

    @Override
    public int decompress(byte[] packed, int offset, int bytes, byte[] target, int rawBytes) {
      int restored = super.decompress(packed, offset, bytes, target, rawBytes);
      target[restored / 2] += (byte) damage;
      return restored - tooFew;
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void restoresWhatItCompressed(Compression compression) {
    Compressor compressor = compression.compressor();
    int shrunk = 0;
    for (int round = 0; round < 2_000; round++) {
      byte[] raw = block(1 + random.nextInt(1 << random.nextInt(16)));
      int offset = random.nextInt(3);
      byte[] shifted = new byte[raw.length + offset];
      System.arraycopy(raw, 0, shifted, offset, raw.length);
      byte[] packed = new byte[compressor.maxCompressedLength(raw.length)];
      int bytes = compressor.compress(shifted, offset, raw.length, packed);
      if (bytes < 0) {
        continue;
      }
      shrunk += bytes < raw.length ? 1 : 0;
      byte[] moved = new byte[bytes + offset];
      System.arraycopy(packed, 0, moved, offset, bytes);
      byte[] again = new byte[raw.length + random.nextInt(10)];
      assertThat(compressor.decompress(moved, offset, bytes, again, raw.length))
          .as("seed=" + seed)
          .isEqualTo(raw.length);
      assertThat(Arrays.copyOf(again, raw.length)).as("seed=" + seed).isEqualTo(raw);
    }
    assertThat(shrunk).as("seed=" + seed).isGreaterThan(500);
  }

  /** On the heap, in the middle of an array, and outside of it: what is around the block stays. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void restoresFromBuffers(Compression compression) {
    Compressor compressor = compression.compressor();
    byte[] raw = new byte[5_000];
    Arrays.fill(raw, 1_000, 4_000, (byte) 7);
    byte[] packed = new byte[compressor.maxCompressedLength(raw.length)];
    int bytes = compressor.compress(raw, 0, raw.length, packed);
    for (ByteBuffer around :
        List.of(ByteBuffer.allocate(bytes + 30), ByteBuffer.allocateDirect(bytes + 30))) {
      ByteBuffer buffer = around.slice(10, bytes + 20).put(5, packed, 0, bytes);
      buffer.position(3).limit(bytes + 9);
      for (ByteBuffer block : List.of(buffer, buffer.asReadOnlyBuffer())) {
        byte[] again = new byte[raw.length + 1];
        assertThat(compressor.decompress(block, 5, bytes, again, raw.length)).isEqualTo(raw.length);
        assertThat(Arrays.copyOf(again, raw.length)).isEqualTo(raw);
        assertThat(block.position()).isEqualTo(3);
        assertThat(block.limit()).isEqualTo(bytes + 9);
      }
    }
  }

  /** Damage may go unseen, but it neither writes beyond the block nor breaks anything. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void survivesDamage(Compression compression) {
    Compressor compressor = compression.compressor();
    int silent = 0;
    for (int round = 0; round < 5_000; round++) {
      byte[] raw = block(32 + random.nextInt(2_000));
      byte[] packed = new byte[compressor.maxCompressedLength(raw.length)];
      int bytes = compressor.compress(raw, 0, raw.length, packed);
      if (bytes < 0) {
        continue;
      }
      byte[] intact = packed.clone();
      if (random.nextInt(10) == 0) {
        random.nextBytes(packed);
      } else {
        packed[random.nextInt(bytes)] ^= (byte) (1 << random.nextInt(8));
      }
      byte[] again = new byte[raw.length + CANARIES];
      Arrays.fill(again, CANARY);
      try {
        int length = compressor.decompress(packed, 0, bytes, again, raw.length);
        boolean same = Arrays.equals(raw, 0, raw.length, again, 0, raw.length);
        silent += length == raw.length && !same ? 1 : 0;
      } catch (RuntimeException e) {
        assertThat(e).isNotNull();
      }
      for (int i = raw.length; i < again.length; i++) {
        assertThat(again[i]).as("seed=" + seed).isEqualTo(CANARY);
      }
      assertThat(compressor.decompress(intact, 0, bytes, again, raw.length)).isEqualTo(raw.length);
      assertThat(Arrays.copyOf(again, raw.length)).as("seed=" + seed).isEqualTo(raw);
    }
    assertThat(silent).as("why there is a checksum").isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void hasIdOfItsOwn(Compression compression) {
    assertThat(compression.compressor().id()).isEqualTo(compression.ordinal() + 1);
    assertThat(compression.compressor().name())
        .isEqualTo(compression.name().toLowerCase(Locale.ROOT));
    assertThat(compression.compressor()).isSameAs(compression.compressor());
  }

  private byte[] block(int size) {
    byte[] block = new byte[size];
    int randomness = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      boolean repeat = i > 8 && random.nextInt(4) >= randomness;
      block[i] = repeat ? block[i - 8] : (byte) random.nextInt(256);
    }
    return block;
  }
}
