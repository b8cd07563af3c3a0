/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Takes so many bytes of a body; fails if there are more, and reads none if that is 0. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final CompletableFuture<byte[]> result = new CompletableFuture<>();
  private final byte[] bytes;
  private int count;
  private @Nullable Subscription subscription;

  BoundedBody(int most) {
    this.bytes = new byte[most];
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return result;
  }

  @Override
  public void onSubscribe(Subscription started) {
    subscription = started;
    if (bytes.length == 0) {
      started.cancel();
      result.complete(bytes);
    } else {
      started.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      int length = part.remaining();
      if (length > bytes.length - count) {
        Objects.requireNonNull(subscription).cancel();
        result.completeExceptionally(
            new IOException("a body must have no more than was asked for: asked=" + bytes.length));
        return;
      }
      part.get(bytes, count, length);
      count += length;
    }
  }

  @Override
  public void onError(Throwable failure) {
    result.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    result.complete(count == bytes.length ? bytes : Arrays.copyOf(bytes, count));
  }
}
