/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One kind of cached value: its name, its {@link EntryRole}, how it is encoded for lower tiers and
 * how it is freed. Made once, kept in a constant, shared by any number of caches; each cache gives
 * it a small number of its own on first use.
 *
 * <pre>{@code
 * EntryType<byte[]> index = EntryType.<byte[]>named("index").role(EntryRole.INDEX_BLOCK).build();
 * cache.insert(file.hi(), file.lo(offset), bytes, index, bytes.length, Priority.HIGH);
 * }</pre>
 *
 * <p>Whether a type has a {@linkplain #disposer() disposer} decides how its values may be read:
 *
 * <table>
 * <caption>Ways to read</caption>
 * <tr><th></th><th>pin-free {@code get}</th><th>pinned {@code lookup}</th></tr>
 * <tr><td>no disposer (the collector owns the value)</td><td>yes</td><td>yes</td></tr>
 * <tr><td>with disposer (freed explicitly)</td><td>refused with an error; read it
 *     in a scope</td><td>yes</td></tr>
 * <tr><td>{@linkplain Builder#stamped() stamped} (freed explicitly, and tells so)</td>
 *     <td>yes, checked by the reader</td><td>yes</td></tr>
 * </table>
 *
 * <p>A cache keeps each type that it has met, with its disposer, as long as the cache itself can be
 * reached. It takes 32,768 types at most; a write of a further one throws {@link
 * IllegalStateException}. Each write looks its type up in a list, so use few types, not one for
 * each file.
 *
 * <p>Immutable and thread-safe; two types are equal only if they are the same object.
 *
 * @param <T> type of the values
 */
public final class EntryType<T> {
  private final String name;
  private final EntryRole role;
  private final @Nullable EntryCodec<T> codec;
  private final @Nullable Disposer<? super T> disposer;
  private final boolean stamped;

  private EntryType(Builder<T> builder) {
    this.name = builder.name;
    this.role = builder.role;
    this.codec = builder.codec;
    this.disposer = builder.disposer;
    this.stamped = builder.stamped;
  }

  /**
   * A type whose values are left to the garbage collector, role {@link EntryRole#DATA_BLOCK}.
   *
   * @param name name for statistics and messages, not blank
   * @param <T> type of the values
   * @return a new type
   */
  public static <T> EntryType<T> of(String name) {
    return EntryType.<T>named(name).build();
  }

  /**
   * Starts a type with the given name, role {@link EntryRole#DATA_BLOCK}, no codec and no disposer.
   *
   * @param name name for statistics and messages, not blank
   * @param <T> type of the values
   * @return a builder
   */
  public static <T> Builder<T> named(String name) {
    return new Builder<>(name);
  }

  /**
   * Name for statistics and messages.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * What the values are for.
   *
   * @return the role
   */
  public EntryRole role() {
    return role;
  }

  /**
   * How values move to lower tiers.
   *
   * @return the codec, or null if values of this type never leave the primary cache
   */
  public @Nullable EntryCodec<T> codec() {
    return codec;
  }

  /**
   * How values are freed.
   *
   * @return the disposer, or null if the garbage collector owns the values
   */
  public @Nullable Disposer<? super T> disposer() {
    return disposer;
  }

  /**
   * Whether values that are freed explicitly may be read without a pin.
   *
   * @return true for a {@linkplain Builder#stamped() stamped} type
   */
  public boolean isStamped() {
    return stamped;
  }

  @Override
  public String toString() {
    return "EntryType["
        + name
        + ", "
        + role
        + (disposer == null ? "]" : stamped ? ", stamped]" : ", disposable]");
  }

  /**
   * Builds an {@link EntryType}. Not thread-safe.
   *
   * @param <T> type of the values
   */
  public static final class Builder<T> {
    private final String name;
    private EntryRole role = EntryRole.DATA_BLOCK;
    private @Nullable EntryCodec<T> codec;
    private @Nullable Disposer<? super T> disposer;
    private boolean stamped;

    private Builder(String name) {
      this.name = Objects.requireNonNull(name, "name must not be null");
      if (name.isBlank()) {
        throw new IllegalArgumentException("name must not be blank: name=\"" + name + "\"");
      }
    }

    /**
     * Sets the role.
     *
     * @param role what the values are for
     * @return this
     */
    public Builder<T> role(EntryRole role) {
      this.role = Objects.requireNonNull(role, "role must not be null");
      return this;
    }

    /**
     * Sets how values move to lower tiers.
     *
     * @param codec a thread-safe codec
     * @return this
     */
    public Builder<T> codec(EntryCodec<T> codec) {
      this.codec = Objects.requireNonNull(codec, "codec must not be null");
      return this;
    }

    /**
     * Sets how values are freed; they can then be read only through handles and in read scopes.
     *
     * @param disposer called exactly once per value
     * @return this
     */
    public Builder<T> disposer(Disposer<? super T> disposer) {
      this.disposer = Objects.requireNonNull(disposer, "disposer must not be null");
      return this;
    }

    /**
     * Lets values be read without a pin although they are freed explicitly, because the reader can
     * tell afterwards: the disposer changes a stamp in the value before the memory behind it can
     * get other contents, and a reader who still finds the old stamp <em>after</em> it has read
     * knows that what it read is right. The stamp of a value never comes back: simplest is an
     * object made anew for each load, as {@link io.hyperclock.memory.PooledBuffer} is.
     *
     * <pre>{@code
     * PooledBuffer block = buffers.get(file.hi(), file.lo(offset));
     * if (block != null) {
     *   byte first = block.bytes().get(0);
     *   if (block.isValid()) {
     *     return first;                     // it was in the cache when it was read
     *   }
     * }                                       // else look the block up again
     * }</pre>
     *
     * <p>{@link io.hyperclock.BlockCache#get(long, long)}, {@code peek} and {@code getAll} without
     * loader return such values; they belonged to their key at some moment during the call. A read
     * with a loader returns such a value if it is cached. If it is missing the read throws {@link
     * io.hyperclock.PinRequiredException} and loads nothing: load such values by {@code lookup}.
     *
     * @return this
     */
    public Builder<T> stamped() {
      this.stamped = true;
      return this;
    }

    /**
     * Makes the type.
     *
     * @return a new type
     * @throws IllegalStateException if it is stamped and has no disposer
     */
    public EntryType<T> build() {
      if (stamped && disposer == null) {
        throw new IllegalStateException("a stamped type must have a disposer: name=" + name);
      }
      return new EntryType<>(this);
    }
  }
}
