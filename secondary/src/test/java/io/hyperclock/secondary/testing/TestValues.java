/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Values for tests of tiers, and types that encode them well or badly. */
public final class TestValues {
  private static final int CHUNK = 64;

  /** Byte arrays as they are. */
  public static final EntryType<byte[]> BYTES = type("bytes", new BytesCodec());

  /** Byte arrays as they are, of another role. */
  public static final EntryType<byte[]> INDEX =
      EntryType.<byte[]>named("index").role(EntryRole.INDEX_BLOCK).codec(new BytesCodec()).build();

  /** Byte arrays to which the context, a byte, is added when they are decoded. */
  public static final EntryType<byte[]> SHIFTED =
      type(
          "shifted",
          new BytesCodec() {
            @Override
            public byte[] decode(ByteBuffer source, @Nullable Object context) {
              byte[] value = super.decode(source, context);
              for (int i = 0; i < value.length && context != null; i++) {
                value[i] += (byte) context;
              }
              return value;
            }
          });

  /** Byte arrays that cannot be encoded. */
  public static final EntryType<byte[]> ENCODE_FAILS =
      type(
          "encode fails",
          new BytesCodec() {
            @Override
            public void encode(byte[] value, ByteBuffer target) {
              target.put(value, 0, value.length / 2);
              throw new IllegalStateException("encode fails on purpose");
            }
          });

  /** Byte arrays that are encoded to one byte less than announced. */
  public static final EntryType<byte[]> ENCODES_TOO_LITTLE =
      type(
          "encodes too little",
          new BytesCodec() {
            @Override
            public void encode(byte[] value, ByteBuffer target) {
              target.put(value, 0, value.length - 1);
            }
          });

  /** Byte arrays that are encoded to one byte more than announced. */
  public static final EntryType<byte[]> ENCODES_TOO_MUCH =
      type(
          "encodes too much",
          new BytesCodec() {
            @Override
            public void encode(byte[] value, ByteBuffer target) {
              target.put(value).put((byte) 1);
            }
          });

  /** Byte arrays whose size is announced as negative. */
  public static final EntryType<byte[]> SIZE_IS_NEGATIVE =
      type(
          "size is negative",
          new BytesCodec() {
            @Override
            public int encodedSizeBytes(byte[] value) {
              return -1;
            }
          });

  /** Byte arrays that cannot be decoded. */
  public static final EntryType<byte[]> DECODE_FAILS =
      type(
          "decode fails",
          new BytesCodec() {
            @Override
            public byte[] decode(ByteBuffer source, @Nullable Object context) {
              throw new IllegalStateException("decode fails on purpose");
            }
          });

  /** Byte arrays that never leave the primary cache. */
  public static final EntryType<byte[]> WITHOUT_CODEC = EntryType.of("without codec");

  private TestValues() {}

  /** Byte arrays as they are, by a codec that first runs {@code task}. */
  public static EntryType<byte[]> calling(Runnable task) {
    return type(
        "calling",
        new BytesCodec() {
          @Override
          public void encode(byte[] value, ByteBuffer target) {
            task.run();
            super.encode(value, target);
          }

          @Override
          public byte[] decode(ByteBuffer source, @Nullable Object context) {
            task.run();
            return super.decode(source, context);
          }
        });
  }

  /**
   * The value of one version of one key: tells any other key or version by its bytes. It can be
   * compressed to little more than a half.
   */
  public static byte[] value(long key, int version, int sizeBytes) {
    byte[] value = new byte[sizeBytes];
    new Random(key * 31 + version).nextBytes(value);
    for (int i = 2 * CHUNK; i <= sizeBytes - CHUNK; i += 2 * CHUNK) {
      System.arraycopy(value, i - CHUNK, value, i, CHUNK);
    }
    ByteBuffer.wrap(value).putLong(key).putInt(version);
    return value;
  }

  /** Version that made this value of this key; -1 if nobody made it. */
  public static int versionOf(long key, byte[] value) {
    int version = ByteBuffer.wrap(value, Long.BYTES, Integer.BYTES).getInt();
    return Arrays.equals(value, value(key, version, value.length)) ? version : -1;
  }

  /** Byte arrays whose encoded size is said to be so many times what it is. */
  public static EntryType<byte[]> announcing(double factor) {
    return type(
        "announces another size",
        new BytesCodec() {
          @Override
          public int encodedSizeBytes(byte[] value) {
            return (int) (value.length * factor);
          }
        });
  }

  /** Byte arrays; each one that is decoded is shown first. */
  public static EntryType<byte[]> showing(Consumer<byte[]> decoded) {
    return type(
        "bytes",
        new BytesCodec() {
          @Override
          public byte[] decode(ByteBuffer source, @Nullable Object context) {
            byte[] value = super.decode(source, context);
            decoded.accept(value);
            return value;
          }
        });
  }

  private static EntryType<byte[]> type(String name, EntryCodec<byte[]> codec) {
    return EntryType.<byte[]>named(name).codec(codec).build();
  }

  static class BytesCodec implements EntryCodec<byte[]> {
    @Override
    public int encodedSizeBytes(byte[] value) {
      return value.length;
    }

    @Override
    public void encode(byte[] value, ByteBuffer target) {
      target.put(value);
    }

    @Override
    public byte[] decode(ByteBuffer source, @Nullable Object context) {
      byte[] value = new byte[source.remaining()];
      source.get(value);
      return value;
    }

    @Override
    public long chargeBytes(byte[] value) {
      return value.length;
    }
  }
}
