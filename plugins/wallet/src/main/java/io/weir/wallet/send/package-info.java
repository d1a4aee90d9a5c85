/**
 * The way of a transaction to the network: what it costs, its nonce, its signature, its place in the wallet's state before any node
 * has it, and what became of it. Of one sender's transactions only one is on this way at a time.
 */
@NullMarked
package io.weir.wallet.send;

import org.jspecify.annotations.NullMarked;
