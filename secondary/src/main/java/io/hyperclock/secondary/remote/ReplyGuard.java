/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ByteProcessor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of the client's decoder and lets only such answers through as a server may give
 * to the commands that were sent. The decoder would allocate what a server announces, and keep what
 * it sends, without a limit.
 *
 * <p>The protocol is RESP2. To a read of n keys the answer is an error, or an array of n values or
 * nulls; to any other command it is one line or a short value. A value that is too large, or too
 * much in its array, is replaced by null while it arrives, so it costs a miss and no memory.
 * Whatever else is not as it should be, such as an answer that nothing was asked for, a longer
 * line, an array in an array, closes the connection; so does a want of memory for the bytes.
 *
 * <p>Bytes that may belong to a value are handed on as they come. Runs on the event loop of its
 * connection only.
 */
final class ReplyGuard extends ChannelDuplexHandler {
  /** Longest line, and longest value that is not read from a key. */
  static final int MAX_LINE_BYTES = 16 << 10;

  /** What is replaced in one answer, at most: it holds up what is behind it. */
  static final long MAX_SKIPPED_BYTES = 64L << 20;

  private static final int NO_KEYS = -1;
  private static final int TLS_ALERT = 0x15;
  private static final long MAX_NUMBER = 1L << 40;

  /** Why a connection was closed. Has no stack trace. */
  static final class Violation extends IOException {
    private static final long serialVersionUID = 1;
    private final transient TierState.Cause why;

    Violation(String type, String message) {
      super(message);
      this.why = new TierState.Cause(type, message);
    }

    TierState.Cause why() {
      return why;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  private enum Place {
    REPLY,
    LINE,
    COUNT,
    ELEMENT,
    LENGTH,
    VALUE,
    SKIPPED
  }

  private final ReplyLimits limits;
  private final Consumer<TierState.Cause> onViolation;

  /** Of each command that has no answer yet the number of keys that it reads. */
  private final ArrayDeque<Integer> expected = new ArrayDeque<>();

  private boolean closed;
  private Place place = Place.REPLY;
  private int keys;
  private long elementsLeft;
  private long replyBytesLeft;
  private long skippedBytes;

  /** Of the present line or value. */
  private long bytes;

  private long number;
  private boolean negative;

  ReplyGuard(ReplyLimits limits, Consumer<TierState.Cause> onViolation) {
    this.limits = limits;
    this.onViolation = onViolation;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof RedisCommand<?, ?, ?> command) {
      expect(command);
    } else if (message instanceof Collection<?> commands) {
      commands.forEach(command -> expect((RedisCommand<?, ?, ?>) command));
    }
    context.write(message, promise);
  }

  private void expect(RedisCommand<?, ?, ?> command) {
    boolean reads = command.getType() == CommandType.MGET;
    expected.add(reads ? command.getArgs().count() : NO_KEYS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    ByteBuf out = null;
    try {
      if (closed) {
        context.close(); // Again: it may have found no memory.
      } else {
        out = guarded(context, in);
      }
    } catch (Throwable e) { // Without these bytes it is not known which answer is whose.
      refuse(context, e);
    } finally {
      in.release();
    }
    if (out != null) {
      context.fireChannelRead(out);
    }
  }

  private void refuse(ChannelHandlerContext context, Throwable why) {
    closed = true;
    try {
      if (why instanceof Violation violation) {
        onViolation.accept(violation.why());
      }
      context.fireExceptionCaught(why);
    } finally {
      context.close();
    }
  }

  /** What is to be handed on, null if that is nothing. */
  private @Nullable ByteBuf guarded(ChannelHandlerContext context, ByteBuf in) throws Violation {
    ByteBuf out = context.alloc().buffer(in.readableBytes() + Long.SIZE);
    boolean handedOn = false;
    try {
      while (in.isReadable() && !closed) {
        step(in, out);
      }
      handedOn = !closed && out.isReadable();
    } finally {
      if (!handedOn) {
        out.release();
      }
    }
    return handedOn ? out : null;
  }

  private void step(ByteBuf in, ByteBuf out) throws Violation {
    switch (place) {
      case REPLY -> begin(in.readUnsignedByte(), out);
      case LINE -> line(in, out);
      case ELEMENT -> element(in.readUnsignedByte());
      case COUNT -> {
        if (readNumber(in)) {
          array(out);
        }
      }
      case LENGTH -> {
        if (readNumber(in)) {
          value(out);
        }
      }
      case VALUE -> {
        int part = (int) Math.min(bytes, in.readableBytes());
        out.writeBytes(in, part);
        passed(part);
      }
      case SKIPPED -> {
        int part = (int) Math.min(bytes, in.readableBytes());
        in.skipBytes(part);
        passed(part);
      }
    }
  }

  private void begin(int first, ByteBuf out) throws Violation {
    if (first == TLS_ALERT) {
      throw new Violation("TLS_EXPECTED", "the server speaks TLS: use rediss://");
    }
    Integer next = expected.poll();
    if (next == null) {
      throw protocol("an answer that nothing was asked for, first byte=" + first);
    }
    keys = next;
    elementsLeft = 1;
    replyBytesLeft = keys == NO_KEYS ? MAX_LINE_BYTES : limits.maxReplyBytes();
    skippedBytes = 0;
    switch (first) {
      case '+', '-', ':' -> {
        out.writeByte(first);
        bytes = 0;
        place = Place.LINE;
      }
      case '*' -> expectNumber(Place.COUNT);
      case '$' -> element(first);
      default -> throw protocol("first byte must be one of + - : $ *: byte=" + first);
    }
  }

  private void line(ByteBuf in, ByteBuf out) throws Violation {
    int end = in.forEachByte(ByteProcessor.FIND_LF);
    int part = (end < 0 ? in.writerIndex() : end + 1) - in.readerIndex();
    bytes += part;
    if (bytes > MAX_LINE_BYTES) {
      throw tooLarge("line", bytes, MAX_LINE_BYTES);
    }
    out.writeBytes(in, part);
    if (end >= 0) {
      place = Place.REPLY;
    }
  }

  private void expectNumber(Place of) {
    number = 0;
    bytes = 0;
    negative = false;
    place = of;
  }

  /** Whether the line has ended. */
  private boolean readNumber(ByteBuf in) throws Violation {
    while (in.isReadable()) {
      byte next = in.readByte();
      if (next == '\n') {
        return true;
      }
      if (next == '-' && bytes == 0) {
        negative = true;
      } else if (next >= '0' && next <= '9') {
        number = 10 * number + next - '0';
      } else if (next != '\r') {
        throw protocol("number expected: byte=" + next);
      }
      bytes++;
      if (number > MAX_NUMBER || bytes > Long.BYTES + Integer.BYTES) {
        throw tooLarge("length", number, MAX_NUMBER);
      }
    }
    return false;
  }

  private void array(ByteBuf out) throws Violation {
    if (keys == NO_KEYS) {
      throw protocol("an array was not asked for: values=" + number);
    }
    if (negative || number != keys) {
      throw protocol("values must be as many as keys: values=" + number + ", keys=" + keys);
    }
    write(out, '*', number);
    elementsLeft = number;
    place = Place.ELEMENT;
  }

  private void element(int first) throws Violation {
    if (first != '$' || place == Place.REPLY && keys != NO_KEYS) {
      throw protocol("an answer of another form was asked for: byte=" + first);
    }
    expectNumber(Place.LENGTH);
  }

  private void value(ByteBuf out) throws Violation {
    if (negative) {
      write(out, '$', -1);
      elementPassed();
      return;
    }
    long most = keys == NO_KEYS ? MAX_LINE_BYTES : limits.maxValueBytes();
    bytes = number + 2;
    if (number <= most && number <= replyBytesLeft) {
      replyBytesLeft -= number;
      write(out, '$', number);
      place = Place.VALUE;
      return;
    }
    skippedBytes += number;
    if (keys == NO_KEYS || skippedBytes > MAX_SKIPPED_BYTES) {
      throw tooLarge("value", number, most);
    }
    limits.oversized.increment();
    write(out, '$', -1);
    place = Place.SKIPPED;
  }

  private static void write(ByteBuf out, char type, long number) {
    out.writeByte(type);
    ByteBufUtil.writeAscii(out, Long.toString(number));
    out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private void passed(int part) {
    bytes -= part;
    if (bytes == 0) {
      elementPassed();
    }
  }

  private void elementPassed() {
    elementsLeft--;
    place = elementsLeft == 0 ? Place.REPLY : Place.ELEMENT;
  }

  private static Violation protocol(String message) {
    return new Violation("NOT_REDIS", message);
  }

  private static Violation tooLarge(String what, long bytes, long most) {
    return new Violation(
        "REPLY_TOO_LARGE", what + " must be <= " + most + " bytes: bytes=" + bytes);
  }
}
