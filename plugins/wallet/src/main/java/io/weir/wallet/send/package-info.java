/**
 * The path of a transaction to the network: its cost, nonce and signature, its record before any node has it, and its result. Of
 * one sender's transactions only one is on this way at a time.
 */
@NullMarked
package io.weir.wallet.send;

import org.jspecify.annotations.NullMarked;
