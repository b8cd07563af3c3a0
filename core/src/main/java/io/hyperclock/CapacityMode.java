/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * What an insert does when room cannot be made because entries are pinned.
 *
 * <pre>{@code
 * cache.setCapacityMode(CapacityMode.STRICT);  // from the next insert on
 * }</pre>
 */
public enum CapacityMode {
  /**
   * No insert takes usage above the capacity: it is refused and the value stays the caller's. Only
   * a capacity that is lowered, or a cache that becomes strict, leaves usage above it: until what
   * is not pinned has been evicted, and what is pinned released.
   *
   * <p>An insert is refused if what is pinned, reserved or kept by read scopes leaves no room for
   * it. Reservations count at once, whichever way they change. The cache does not notice when pins
   * end. After a search of the whole shard has found too little, each further insert that does not
   * fit searches the next 1,024 slots only. So after pins have ended, at most one insert for each
   * 1,024 slots of the shard is still refused. Inserts of other threads at the same moment may take
   * the room that one was to find. And an insert is refused if the 16 slots in which its key may
   * lie are all held.
   */
  STRICT,
  /**
   * The insert goes on and usage may exceed the capacity until later inserts have evicted enough:
   * by what is pinned or reserved, and by what inserts have added that were given up early for that
   * reason.
   */
  NON_STRICT
}
