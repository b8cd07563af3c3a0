/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.files.BlockSource;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the blocks of a file in a second level below memory, such as a disk in front of remote
 * storage: what is read from the source is offered to the tier, and looked for there first.
 *
 * <p>What a tier cannot answer, for whatever reason, comes from the source. The keys are those of
 * the file, so a tier that outlives the process wants a file with a stable identity.
 */
public final class TierSource implements BlockSource {
  private static final EntryType<byte[]> BLOCK =
      EntryType.<byte[]>named("block below").codec(EntryCodec.ofBytes()).build();

  private final BlockSource source;
  private final SecondaryCache tier;
  private final FileKey key;
  private final int blockBytes;

  /** That of the source when it was asked first; negative before that. */
  private volatile long length = -1;

  /**
   * Puts a tier over a source.
   *
   * @param source closed with this; the tier is not
   * @param tier any number of sources may share it
   * @param key identity of the file; the tier must know this file only under it
   * @param blockBytes size of the blocks of whoever reads this
   */
  public TierSource(BlockSource source, SecondaryCache tier, FileKey key, int blockBytes) {
    this.source = source;
    this.tier = tier;
    this.key = key;
    this.blockBytes = blockBytes;
  }

  @Override
  public long length() throws IOException {
    long known = length;
    if (known < 0) {
      known = source.length();
      length = known;
    }
    return known;
  }

  @Override
  public int readAheadBytes() {
    return source.readAheadBytes();
  }

  @Override
  public long readAt(long position, ByteBuffer[] into) throws IOException {
    ByteBuffer[] pieces = pieces(position, into);
    // Blocks, as far as there are only blocks; else what comes before the next one.
    boolean areBlocks = false;
    int count = 0;
    for (long at = position; count < pieces.length; at += pieces[count++].limit()) {
      boolean isBlock = isBlock(at, pieces[count].limit());
      if (count > 0 && isBlock != areBlocks) {
        break;
      }
      areBlocks = isBlock;
    }
    ByteBuffer[] first = Arrays.copyOf(pieces, count);
    long read = areBlocks ? readBlocks(position, first) : source.readAt(position, first);
    long filled = 0;
    for (ByteBuffer piece : first) {
      filled += piece.position();
    }
    for (ByteBuffer buffer : into) {
      int part = (int) Math.min(filled, buffer.remaining());
      buffer.position(buffer.position() + part);
      filled -= part;
    }
    return read;
  }

  /** Views of what is to be read, each within one block: a scan reads several into one buffer. */
  private ByteBuffer[] pieces(long position, ByteBuffer[] into) {
    List<ByteBuffer> pieces = new ArrayList<>(into.length);
    long at = position;
    for (ByteBuffer buffer : into) {
      for (int from = buffer.position(); from < buffer.limit(); ) {
        int bytes = (int) Math.min(blockBytes - at % blockBytes, buffer.limit() - from);
        pieces.add(buffer.slice(from, bytes));
        from += bytes;
        at += bytes;
      }
    }
    return pieces.toArray(new ByteBuffer[0]);
  }

  private boolean isBlock(long at, int bytes) throws IOException {
    return at % blockBytes == 0 && bytes == Math.min(blockBytes, length() - at);
  }

  private long readBlocks(long position, ByteBuffer[] into) throws IOException {
    int found = 0;
    long done = 0;
    while (found < into.length && fromTier(position + done, into[found])) {
      done += into[found++].limit();
    }
    if (found > 0) {
      return done;
    }
    // Up to what the tier has, which is filled in by looking.
    int missing = 1;
    while (missing < into.length
        && !fromTier(position + (long) missing * blockBytes, into[missing])) {
      missing++;
    }
    ByteBuffer[] run = Arrays.copyOf(into, missing);
    long read = source.readAt(position, run);
    int filled = 0;
    while (filled < missing && !run[filled].hasRemaining()) {
      byte[] bytes = new byte[run[filled].limit()];
      run[filled].duplicate().flip().get(bytes);
      long at = position + (long) filled++ * blockBytes;
      tier.insert(key.hi(), key.lo(at), bytes, BLOCK, false);
    }
    if (missing < into.length) {
      if (filled == missing) {
        return read + into[missing].limit();
      }
      // A short answer: the rest is asked for again, from where it ended.
      into[missing].rewind();
    }
    return read;
  }

  private boolean fromTier(long at, ByteBuffer into) {
    byte[] bytes = lookup(at);
    if (bytes == null || bytes.length != into.remaining()) {
      return false;
    }
    into.put(bytes);
    return true;
  }

  private byte @Nullable [] lookup(long at) {
    try {
      return tier.lookupAndWait(TierRequest.of(key.hi(), key.lo(at), BLOCK)).join().value();
    } catch (CompletionException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  @Override
  public String toString() {
    return "TierSource[" + tier.name() + ", " + source + "]";
  }
}
