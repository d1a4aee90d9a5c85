/**
 * What tests share that look at the proxy from outside: child processes (the built proxy, real nodes, scripts of real
 * clients), small clients, and a relay that counts what a node is sent. Start at {@link io.weir.testing.WeirProcess}. Imports
 * nothing of the proxy.
 */
@NullMarked
package io.weir.testing;

import org.jspecify.annotations.NullMarked;
