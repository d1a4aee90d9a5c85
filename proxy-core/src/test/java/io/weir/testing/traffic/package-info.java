/**
 * Traffic on plain sockets, for tests of what becomes of it: a load whose every answer is judged, a relay that counts what a
 * node is sent, a node that holds its answer back. Start at {@link io.weir.testing.traffic.NodeRelay}.
 */
@NullMarked
package io.weir.testing.traffic;

import org.jspecify.annotations.NullMarked;
