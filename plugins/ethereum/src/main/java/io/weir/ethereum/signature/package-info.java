/**
 * Signatures on secp256k1: deterministic signing, recovery of the signer, addresses of keys.
 *
 * <p>Depends on {@code io.weir.ethereum} only. Start at {@link io.weir.ethereum.signature.Secp256k1}.
 */
@NullMarked
package io.weir.ethereum.signature;

import org.jspecify.annotations.NullMarked;
