/**
 * What tests share: plugins built on the spot, a guard against leaked buffers, and what looks at the proxy from outside: child
 * processes (the built proxy, real nodes, scripts of real clients), small clients, and a relay that counts what a node is sent.
 * Start at {@link io.weir.testing.WeirProcess}.
 */
@NullMarked
package io.weir.testing;

import org.jspecify.annotations.NullMarked;
