/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * What an insert does when no space can be made because entries are pinned.
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
   * lie are all pinned.
   */
  STRICT,
  /**
   * The value is added if there is a slot for it and it is not larger than its shard; from within a
   * callback of an eviction only if it fits, unless it is inserted with a pin. Usage then exceeds
   * the capacity by what is pinned or reserved, by what callbacks have inserted with a pin, and by
   * what was added after a search was cut short. Later inserts evict the excess.
   */
  NON_STRICT
}
