/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of an object that an HTTP server serves, such as an object store.
 *
 * <pre>{@code
 * URI uri = URI.create("https://example.org/000123.sst");
 * BlockSource object = HttpRangeSource.open(HttpClient.newHttpClient(), uri, Duration.ofSeconds(5));
 * }</pre>
 *
 * <p>The server must answer ranges; one that does not is refused when the source is opened, since
 * each block would cost the whole object. An object that changes meanwhile (another entity tag or
 * length) fails reads with {@link FileChangedException}. Answers that are cut short, failures of
 * the connection and statuses from 500 on are tried again, three times in all; each try has the
 * time limit.
 *
 * <p>Needs the module {@code java.net.http}, which a program on the module path must require
 * itself.
 */
public final class HttpRangeSource implements BlockSource {
  private static final int TRIES = 3;
  private static final int READ_AHEAD_BYTES = 256 << 10;
  private static final Duration LONGEST_LIMIT = Duration.ofNanos(Long.MAX_VALUE);
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18})");

  private final HttpClient client;
  private final URI uri;
  private final Duration limit;
  private final long length;
  private final @Nullable String entityTag;

  private HttpRangeSource(HttpClient client, URI uri, Duration limit) throws IOException {
    this.client = client;
    this.uri = uri;
    this.limit = limit;
    HttpResponse<byte[]> response = send(0, 0);
    this.entityTag = entityTag(response);
    int status = response.statusCode();
    if (status == 200 && response.headers().firstValueAsLong("Content-Length").orElse(-1) == 0) {
      // An empty object has no range: some servers answer with all of it.
      this.length = 0;
      return;
    }
    Matcher range = contentRange(response);
    if (range == null || status != 206 && status != 416) {
      throw new IOException("a server must serve ranges: status=" + status + ", uri=" + uri);
    }
    this.length = Long.parseLong(range.group(3));
  }

  /**
   * Asks the server for the length and the entity tag.
   *
   * @param client not closed by the source
   * @param uri of the object
   * @param limit longest time for one try, from request to the last byte; positive, and less than
   *     292 years
   * @return a new source
   * @throws IOException if the server does not answer, has no such object or serves no ranges
   */
  public static HttpRangeSource open(HttpClient client, URI uri, Duration limit)
      throws IOException {
    Objects.requireNonNull(client, "client must not be null");
    Objects.requireNonNull(uri, "uri must not be null");
    Objects.requireNonNull(limit, "limit must not be null");
    if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST_LIMIT) > 0) {
      throw new IllegalArgumentException(
          "limit must be in (0, " + LONGEST_LIMIT + "]: limit=" + limit);
    }
    return new HttpRangeSource(client, uri, limit);
  }

  private static @Nullable String entityTag(HttpResponse<?> response) {
    return response.headers().firstValue("ETag").orElse(null);
  }

  private static @Nullable Matcher contentRange(HttpResponse<?> response) {
    Matcher range = CONTENT_RANGE.matcher(rangeText(response));
    return range.matches() ? range : null;
  }

  private static String rangeText(HttpResponse<?> response) {
    return response.headers().firstValue("Content-Range").orElse("none");
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int readAheadBytes() {
    return READ_AHEAD_BYTES;
  }

  @Override
  public long readAt(long position, ByteBuffer[] into) throws IOException {
    long most = Math.min(Integer.MAX_VALUE, length - position);
    long wanted = Math.min(BlockLoads.remaining(into), most);
    if (wanted <= 0) {
      return 0;
    }
    long last = position + wanted - 1;
    HttpResponse<byte[]> response = send(position, last);
    Matcher range = contentRange(response);
    requireSame(response, range);
    byte[] body = response.body();
    if (response.statusCode() != 206
        || range == null
        || range.group(1) == null
        || Long.parseLong(range.group(1)) != position
        || Long.parseLong(range.group(2)) - position + 1 != body.length) {
      throw new IOException(
          String.format(
              "a server must answer the range it was asked for: status=%s, asked=%s-%s,"
                  + " answered=%s, bytes=%s, uri=%s",
              response.statusCode(), position, last, rangeText(response), body.length, uri));
    }
    int done = 0;
    for (ByteBuffer buffer : into) {
      int part = Math.min(buffer.remaining(), body.length - done);
      buffer.put(body, done, part);
      done += part;
    }
    return done;
  }

  private void requireSame(HttpResponse<?> response, @Nullable Matcher range)
      throws FileChangedException {
    String tag = entityTag(response);
    int status = response.statusCode();
    // With other statuses comes a page about the error, which may have a tag of its own.
    boolean isObject = status < 300 || status == 416;
    boolean changed =
        isObject && entityTag != null && tag != null && !tag.equals(entityTag)
            || range != null && Long.parseLong(range.group(3)) != length;
    if (changed) {
      throw new FileChangedException(
          String.format(
              "an object must not change: entityTag=%s, now=%s, length=%s, range=%s, uri=%s",
              entityTag, tag, length, rangeText(response), uri));
    }
  }

  private HttpResponse<byte[]> send(long first, long last) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(limit)
            .header("Range", "bytes=" + first + "-" + last)
            .build();
    int wanted = (int) (last - first + 1);
    IOException failure = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        HttpResponse<byte[]> response = sendOnce(request, wanted);
        int status = response.statusCode();
        if (status < 500 && !isCutShort(response)) {
          return response;
        }
        failure =
            new IOException("a server must give a whole answer: status=" + status + ", uri=" + uri);
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        failure = e;
      }
    }
    throw failure;
  }

  /** Whether a body that no length came with ended before its range did. */
  private static boolean isCutShort(HttpResponse<byte[]> response) {
    Matcher range = contentRange(response);
    return response.statusCode() == 206
        && range != null
        && range.group(1) != null
        && Long.parseLong(range.group(2)) - Long.parseLong(range.group(1))
            >= response.body().length;
  }

  private HttpResponse<byte[]> sendOnce(HttpRequest request, int wanted) throws IOException {
    // Nothing else is read: what a server sends instead may be of any size.
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(head.statusCode() == 206 ? wanted : 0));
    try {
      // The limit of the request ends with its head.
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IOException("a request must be answered: uri=" + uri, e.getCause());
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException(
          "a request must be answered in time: limit=" + limit + ", uri=" + uri, e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted: uri=" + uri);
    }
  }

  @Override
  public String toString() {
    return "HttpRangeSource[" + uri + ", length=" + length + ", entityTag=" + entityTag + "]";
  }
}
