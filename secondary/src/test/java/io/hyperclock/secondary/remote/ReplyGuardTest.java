/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.secondary.TierState;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the guard lets through, however the bytes are cut into pieces. */
class ReplyGuardTest {
  private static final int MAX_VALUE = 100;
  private static final int MAX_REPLY = 200;

  private final ReplyLimits limits = new ReplyLimits();
  private final List<TierState.Cause> violations = new ArrayList<>();

  ReplyGuardTest() {
    limits.set(MAX_VALUE, MAX_REPLY);
  }

  private EmbeddedChannel channel() {
    return new EmbeddedChannel(new ReplyGuard(limits, violations::add));
  }

  private static Command<String, String, String> command(CommandType type, int keys) {
    CommandArgs<String, String> args = new CommandArgs<>(StringCodec.ASCII);
    for (int i = 0; i < keys; i++) {
      args.addKey("key" + i);
    }
    return new Command<>(type, new StatusOutput<>(StringCodec.ASCII), args);
  }

  private static String value(int bytes) {
    return "$" + bytes + "\r\n" + "x".repeat(bytes) + "\r\n";
  }

  /** Sends bytes in pieces; gives what came through. */
  private static String passed(EmbeddedChannel channel, String bytes, Random pieces) {
    byte[] all = bytes.getBytes(ISO_8859_1);
    StringBuilder passed = new StringBuilder();
    for (int from = 0; from < all.length && channel.isOpen(); ) {
      int length = Math.min(all.length - from, 1 + pieces.nextInt(pieces.nextInt(300) + 1));
      try {
        channel.writeInbound(Unpooled.copiedBuffer(all, from, length));
      } catch (Exception refused) {
        assertThat(refused).isInstanceOf(ReplyGuard.Violation.class);
      }
      from += length;
      for (ByteBuf one = channel.readInbound(); one != null; one = channel.readInbound()) {
        passed.append(one.toString(ISO_8859_1));
        one.release();
      }
    }
    return passed.toString();
  }

  @Test
  void soundAnswersPassUnchangedAndLargeValuesBecomeNull() {
    String answers =
        "+OK\r\n"
            + ("*4\r\n" + value(100) + "$-1\r\n" + value(0) + value(100))
            + ":17\r\n"
            + ("*3\r\n" + value(101) + value(99) + value(5_000))
            + "-ERR no\r\n"
            + "$4\r\nPONG\r\n"
            + ("*3\r\n" + value(100) + value(100) + value(1));
    String expected =
        "+OK\r\n"
            + ("*4\r\n" + value(100) + "$-1\r\n" + value(0) + value(100))
            + ":17\r\n"
            + ("*3\r\n$-1\r\n" + value(99) + "$-1\r\n")
            + "-ERR no\r\n"
            + "$4\r\nPONG\r\n"
            + ("*3\r\n" + value(100) + value(100) + "$-1\r\n");
    for (int seed = 0; seed < 300; seed++) {
      EmbeddedChannel channel = channel();
      channel.writeOutbound(command(CommandType.SET, 1));
      channel.writeOutbound(
          List.of(
              command(CommandType.MGET, 4),
              command(CommandType.DEL, 2),
              command(CommandType.MGET, 3)));
      channel.writeOutbound(command(CommandType.MGET, 2));
      channel.writeOutbound(command(CommandType.PING, 0));
      channel.writeOutbound(command(CommandType.MGET, 3));
      assertThat(passed(channel, answers, new Random(seed))).as("seed=" + seed).isEqualTo(expected);
      assertThat(channel.isOpen()).isTrue();
      channel.finishAndReleaseAll();
    }
    assertThat(violations).isEmpty();
    assertThat(limits.oversized.sum()).isEqualTo(3 * 300);
  }

  private void assertRefused(Command<String, String, String> asked, String answer, String type) {
    for (int seed = 0; seed < 20; seed++) {
      violations.clear();
      EmbeddedChannel channel = channel();
      channel.writeOutbound(asked);
      passed(channel, answer, new Random(seed));
      assertThat(channel.isOpen()).as("seed=" + seed + ", " + answer.length() + " bytes").isFalse();
      assertThat(violations).extracting(TierState.Cause::type).containsExactly(type);
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void answersOfAnotherFormCloseTheConnection() {
    Command<String, String, String> read = command(CommandType.MGET, 2);
    Command<String, String, String> write = command(CommandType.SET, 1);
    assertRefused(read, "*3\r\n", "NOT_REDIS");
    assertRefused(read, "*1\r\n", "NOT_REDIS");
    assertRefused(read, "*-1\r\n", "NOT_REDIS");
    assertRefused(read, "*2\r\n*", "NOT_REDIS");
    assertRefused(read, "*2\r\n+", "NOT_REDIS");
    assertRefused(read, "$1\r\n", "NOT_REDIS");
    assertRefused(read, "*x", "NOT_REDIS");
    assertRefused(read, "*2\r\n$-1\r\n$-1\r\n+", "NOT_REDIS");
    assertRefused(read, "*2\r\n$70000000\r\n", "REPLY_TOO_LARGE");
    assertRefused(read, "*2\r\n$99999999999999\r\n", "REPLY_TOO_LARGE");
    assertRefused(read, "\u0015\u0003\u0003", "TLS_EXPECTED");
    assertRefused(write, "*1\r\n", "NOT_REDIS");
    assertRefused(write, "%1\r\n", "NOT_REDIS");
    assertRefused(write, "$20000\r\n", "REPLY_TOO_LARGE");
    assertRefused(write, "+" + "a".repeat(ReplyGuard.MAX_LINE_BYTES + 1), "REPLY_TOO_LARGE");
  }

  @Test
  void longestLinePasses() {
    EmbeddedChannel channel = channel();
    channel.writeOutbound(command(CommandType.SET, 1));
    String line = "-" + "a".repeat(ReplyGuard.MAX_LINE_BYTES - 2) + "\r\n";
    assertThat(passed(channel, line, new Random(1))).isEqualTo(line);
    channel.finishAndReleaseAll();
  }

  /** What is lost leaves it open which answer is whose: the connection cannot go on. */
  @Test
  void bytesThatThereIsNoMemoryForCloseTheConnection() {
    EmbeddedChannel channel = channel();
    channel.writeOutbound(command(CommandType.SET, 1), command(CommandType.DEL, 1));
    channel.config().setAllocator(withoutMemory());
    ByteBuf answer = Unpooled.copiedBuffer("+OK\r\n", ISO_8859_1);
    assertThatThrownBy(() -> channel.writeInbound(answer)).isInstanceOf(OutOfMemoryError.class);
    assertThat(answer.refCnt()).isZero();
    assertThat(channel.isOpen()).isFalse();
    assertThat(violations).isEmpty();
    channel.finishAndReleaseAll();
  }

  private static ByteBufAllocator withoutMemory() {
    return (ByteBufAllocator)
        Proxy.newProxyInstance(
            ByteBufAllocator.class.getClassLoader(),
            new Class<?>[] {ByteBufAllocator.class},
            (proxy, method, arguments) -> {
              throw new OutOfMemoryError("on purpose");
            });
  }

  @Test
  void aConnectionIsClosedAlthoughTheViolationCannotBeTold() {
    ReplyGuard guard =
        new ReplyGuard(
            limits,
            violation -> {
              throw new OutOfMemoryError("planned");
            });
    EmbeddedChannel channel = new EmbeddedChannel(guard);
    assertThatThrownBy(() -> passed(channel, "?", new Random(1)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll();
  }
}
