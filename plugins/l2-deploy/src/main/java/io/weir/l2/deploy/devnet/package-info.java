/**
 * A small layer-2 chain in the proxy's own process, to try the wallet and the deployment intake without a node. It checks transactions as the
 * network does (hash, signature, nonce, bounds, balance) and knows accounts and one token. It runs no other contract.
 */
@NullMarked
package io.weir.l2.deploy.devnet;

import org.jspecify.annotations.NullMarked;
