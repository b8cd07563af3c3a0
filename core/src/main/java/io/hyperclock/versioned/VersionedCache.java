/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import org.jspecify.annotations.Nullable;

/**
 * A cache with at most one committed and one prepared version of each key, both in one slot. Reads
 * find the committed one; a prepared version costs them nothing, unless it is in doubt or grouped.
 *
 * <pre>{@code
 * PrepareToken vote = rows.prepare(table, id, row, row.length, PrepareMode.PLAIN).orThrow();
 * byte[] committed = rows.get(table, id);  // the older row, as before
 * if (rows.commit(vote) != Decision.OK) {  // or abort; a forgotten vote ends with its lease
 *   log("not committed");                  // STALE: the lease had ended
 * }
 * }</pre>
 *
 * <p><b>Two phases.</b> {@link #prepare} puts a version beside the committed one and keeps both:
 * the prepared version is charged, its key is neither evicted nor changed by {@link #put}, {@link
 * #replace} or {@link #erase}, which answer {@link WriteResult#IN_PROGRESS} (a replace of a key
 * that is only prepared: {@link WriteResult#NOT_PRESENT}). {@link #commit} and {@link #abort} end
 * it by its token, once; a completed prepare is gone.
 *
 * <p><b>Perspectives</b>: {@link #get} finds for read (committed only), {@link #readForWrite} finds
 * the prepared version if there is one, {@link #readVersions} both.
 *
 * <p><b>Leases.</b> A prepare that is not decided within its lease is aborted; if it is in doubt,
 * both versions of the key leave instead, since neither can be relied on. There is no timer: a
 * writer that meets a prepare looks at its lease, and {@link #expireLeases} looks at all.
 *
 * <p><b>Threads.</b> Everything is safe to be called at any time. Reads never wait. Writers of one
 * key exclude each other for a few steps; who finds another stopped in the middle of them for long
 * gives up with {@code IN_PROGRESS}. Of several threads that decide the same prepare or group one
 * writes the result down and the others wait for it.
 *
 * <p><b>Errors.</b> Charges out of range, of a delete other than 0, and a put, insert or prepare of
 * a key whose namespace is out of range throw {@link IllegalArgumentException}, as does a group,
 * null included, that is not of this cache, and the token of a member of a group; other nulls throw
 * {@link NullPointerException}. The cache is unchanged then. What the clock, the namespace
 * function, a predicate or a visitor throws reaches the caller, who may call again: a verdict that
 * was cut short is then completed. A token of another cache is {@link Decision#STALE}.
 *
 * <p>Values belong to the garbage collector: they have no disposer, and need no handle.
 *
 * @param <V> type of the values
 */
public interface VersionedCache<V> {
  /**
   * Starts a new cache.
   *
   * @param <V> type of the values
   * @return settings with their defaults
   */
  static <V> VersionedCacheBuilder<V> builder() {
    return new VersionedCacheBuilder<>();
  }

  /**
   * Finds the committed value of a key, and counts as a use.
   *
   * @return the value, or null
   * @throws InDoubtException if a prepared version of the key is in doubt
   */
  @Nullable V get(long keyHi, long keyLo);

  /**
   * Returns the version that a writer of the key must build on: the prepared value if there is a
   * prepared version, in doubt or not, else the committed one. Does not count as a use.
   *
   * @return the value, or null if there is none or the prepared version is one of a delete
   */
  @Nullable V readForWrite(long keyHi, long keyLo);

  /**
   * Finds both versions of a key as they are at one moment. Does not count as a use.
   *
   * @return the versions, both null if there is none
   */
  Versions<V> readVersions(long keyHi, long keyLo);

  /**
   * Commits a value without preparing it.
   *
   * @param value the value
   * @param chargeBytes its charge, in [0, {@link io.hyperclock.BlockCache#MAX_CHARGE_BYTES}]
   * @return {@link WriteResult#INSERTED}, {@link WriteResult#REPLACED}, {@link
   *     WriteResult#IN_PROGRESS}, {@link WriteResult#REFUSED} or {@link WriteResult#DROPPED}
   */
  WriteResult put(long keyHi, long keyLo, V value, long chargeBytes);

  /**
   * Brings in a committed value that was read from storage, unless the key has one. A prepared
   * version of the key neither keeps it out nor is changed by it: this is how a cache is warmed
   * beside prepares that were restored first.
   *
   * <pre>{@code
   * PrepareToken vote = rows.prepare(table, id, row, charge, PrepareMode.PLAIN).orThrow();
   * rows.insert(table, id, readFromDisk(id), charge);  // reads find it from now on
   * }</pre>
   *
   * <p>What another thread has committed meanwhile is newer and is kept. Who reads the storage must
   * know that the value is still the committed one: nothing is remembered of a key that was erased,
   * or evicted, after the value was read. While a prepare of the key is pending no write can come
   * between.
   *
   * @param value the value
   * @param chargeBytes its charge, in [0, {@link io.hyperclock.BlockCache#MAX_CHARGE_BYTES}]
   * @return {@link WriteResult#INSERTED}, {@link WriteResult#KEPT_EXISTING}, {@link
   *     WriteResult#REFUSED} or {@link WriteResult#DROPPED}; {@link WriteResult#IN_PROGRESS} only
   *     if another thread was stopped while it wrote a verdict down
   */
  WriteResult insert(long keyHi, long keyLo, V value, long chargeBytes);

  /**
   * Commits a value in place of a committed one. A key that is only prepared is not present.
   *
   * @param value the value
   * @param chargeBytes its charge, in [0, {@link io.hyperclock.BlockCache#MAX_CHARGE_BYTES}]
   * @return {@link WriteResult#REPLACED}, {@link WriteResult#NOT_PRESENT}, {@link
   *     WriteResult#IN_PROGRESS}, {@link WriteResult#REFUSED} or {@link WriteResult#DROPPED}
   */
  WriteResult replace(long keyHi, long keyLo, V value, long chargeBytes);

  /**
   * Removes the committed value of a key.
   *
   * @return {@link WriteResult#ERASED}, {@link WriteResult#NOT_PRESENT} or {@link
   *     WriteResult#IN_PROGRESS}
   */
  WriteResult erase(long keyHi, long keyLo);

  /**
   * Prepares a value.
   *
   * @param value the value, or null to prepare a delete
   * @param chargeBytes its charge, in [0, {@link io.hyperclock.BlockCache#MAX_CHARGE_BYTES}]; 0 for
   *     a delete
   * @param mode what readers find meanwhile
   * @return the outcome, with a token if it is {@link PrepareOutcome#PREPARED}
   */
  PrepareResult prepare(
      long keyHi, long keyLo, @Nullable V value, long chargeBytes, PrepareMode mode);

  /**
   * Prepares a value that is decided with others.
   *
   * @param value the value, or null to prepare a delete
   * @param chargeBytes its charge, in [0, {@link io.hyperclock.BlockCache#MAX_CHARGE_BYTES}]; 0 for
   *     a delete
   * @param mode what readers find meanwhile
   * @param group a group of this cache
   * @return the outcome, with a token if it is {@link PrepareOutcome#PREPARED}
   * @throws IllegalArgumentException if the group is of another cache
   */
  PrepareResult prepare(
      long keyHi,
      long keyLo,
      @Nullable V value,
      long chargeBytes,
      PrepareMode mode,
      PrepareGroup group);

  /**
   * Makes a group for prepares that are decided together.
   *
   * @return an empty group
   */
  PrepareGroup newGroup();

  /**
   * Makes a prepared version the committed one.
   *
   * @param token the token of the prepare
   * @return {@link Decision#OK}, also if it was committed before, or {@link Decision#STALE}
   * @throws IllegalArgumentException if the prepare belongs to a group
   */
  Decision commit(PrepareToken token);

  /**
   * Gives a prepared version up.
   *
   * @param token the token of the prepare
   * @return {@link Decision#OK}, also if it was aborted before, or {@link Decision#STALE}
   * @throws IllegalArgumentException if the prepare belongs to a group
   */
  Decision abort(PrepareToken token);

  /**
   * Marks the prepares of some keys as in doubt, as after a change of roles: see {@link
   * PrepareMode#IN_DOUBT}. Prepares made later are not marked, nor need those be whose call has not
   * yet returned.
   *
   * @param keys which keys
   * @return how many prepares this call has put in doubt; one that was decided at the same moment
   *     may have been in doubt to some reads without being counted
   */
  int markInDoubt(KeyPredicate keys);

  /**
   * Ends all prepares whose lease has ended, with the groups they are in.
   *
   * @return how many were ended meanwhile, by this call or others
   */
  int expireLeases();

  /**
   * What the cache holds and has done.
   *
   * <pre>{@code
   * long undecided = rows.monitor().stats().prepares();
   * }</pre>
   *
   * @return the cache's one instance
   */
  VersionedMonitor<V> monitor();
}
