/**
 * The layer-2 network as the wallet calls it, through the proxy. Finds the network of a chain id, and reads answers of its
 * JSON-RPC (0.8 to 0.10) as Java values. Everything here waits for its answer and so belongs on threads that may block.
 */
@NullMarked
package io.weir.wallet.chain;

import org.jspecify.annotations.NullMarked;
