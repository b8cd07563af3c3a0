/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;

/**
 * A pin on one entry: as long as it is open the value is neither evicted nor freed. It is owed
 * exactly one {@link #close()}, {@link #discard()} or {@link #eraseIfLast()}; the value must not be
 * used afterwards.
 *
 * <pre>{@code
 * try (Handle<byte[]> handle = cache.lookup(file.hi(), file.lo(offset))) {
 *   if (handle != null) {
 *     use(handle.value());
 *   }
 * }
 * }</pre>
 *
 * <p><b>Ownership.</b> A handle has one owner at a time. It may be handed to another thread like
 * any unsynchronized object, by safe publication; a second owner takes a handle of its own with
 * {@link #ref()}. A second close, after the first has returned, does nothing and is counted. Two
 * threads must not close one handle at the same time: unless it is tracked, that is not detected.
 *
 * <p><b>Progress.</b> Each of the three is one getAndAdd (wait-free) unless it is the last
 * reference to an erased entry, which it then frees (lock-free). {@link #chargeBytes()} and {@link
 * #adjustCharge} wait while another thread moves the entry to a table of another size, for a few
 * instructions unless that thread is stopped.
 *
 * <p>Every method but these three, {@link #isReleased()} and {@link Object#toString()} throws
 * {@link IllegalStateException} on a released handle.
 *
 * @param <V> type of the values
 */
public interface Handle<V> extends AutoCloseable {
  /**
   * The pinned value.
   *
   * @return the value, valid until this handle is released
   */
  V value();

  /**
   * High word of the key.
   *
   * @return the word
   */
  long keyHi();

  /**
   * Low word of the key.
   *
   * @return the word
   */
  long keyLo();

  /**
   * Charge of the entry.
   *
   * @return bytes, at least 0
   */
  long chargeBytes();

  /**
   * Type of the entry.
   *
   * @return the type it was inserted with
   */
  EntryType<?> type();

  /**
   * Whether the entry is outside the table: charged, never found by others, freed when its last
   * handle is released.
   *
   * @return true for a standalone entry
   */
  boolean isStandalone();

  /**
   * Takes a second pin on the same entry.
   *
   * @return a new handle, to be closed by its own owner
   * @throws IllegalStateException if this handle is released or the entry has too many pins
   */
  Handle<V> ref();

  /**
   * Changes the charge of the entry, for values that grow or shrink while cached. In non-strict
   * mode it always succeeds, evicting others where needed; in strict mode it may be refused. If the
   * value was being overwritten while it was looked up, this handle may pin an entry that no longer
   * holds it. The call then changes {@link #chargeBytes()} of this handle only, and no usage.
   *
   * @param newChargeBytes new charge in bytes, at least 0
   * @return false if strict capacity left no room, and the charge has not changed
   * @throws IllegalArgumentException if the charge is negative or over the largest charge
   * @throws IllegalStateException if this handle is released or the entry has too many pins
   */
  boolean adjustCharge(long newChargeBytes);

  /**
   * Ends the pin and takes the use back: the entry is not kept longer because it was looked up. For
   * readers that found something else than they wanted, such as a scan, or a prefetch that pins.
   *
   * @return true if the entry was freed by this call, because it was erased or standalone and this
   *     was its last handle
   */
  boolean discard();

  /**
   * Ends the pin and takes the use back, as {@link #discard()} does, and erases the entry unless
   * another handle holds it, or a visit, a write of the key or a move to another table that is
   * under way. For values that no reader is to find again, such as a damaged one; {@link
   * BlockCache#erase(long, long, Object)} erases in any case.
   *
   * @return true if the entry was freed by this call
   */
  boolean eraseIfLast();

  /**
   * Whether this handle was released.
   *
   * @return true after {@link #close()}, {@link #discard()} or {@link #eraseIfLast()}
   */
  boolean isReleased();

  /** Ends the pin as a use of the entry. */
  @Override
  void close();
}
