/**
 * Hashes over felts: Pedersen, Poseidon, the network's Keccak, and what is made of them.
 *
 * <p>Depends on {@code io.weir.l2} and {@code curve}. Start at {@link io.weir.l2.hash.Pedersen} or
 * {@link io.weir.l2.hash.Poseidon}.
 */
@NullMarked
package io.weir.l2.hash;

import org.jspecify.annotations.NullMarked;
