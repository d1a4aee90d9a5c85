/**
 * The layer-2 network as the wallet asks it, through the proxy: which network a chain id means, and what its JSON-RPC (0.8 to 0.10)
 * answers, as Java values. Everything here waits for its answer and so belongs on threads that may block.
 */
@NullMarked
package io.weir.wallet.chain;

import org.jspecify.annotations.NullMarked;
