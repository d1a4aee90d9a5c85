/**
 * The Stark curve: keys, signatures.
 *
 * <p>Depends on {@code io.weir.l2}. Start at {@link io.weir.l2.curve.StarkSigner}.
 *
 * <p>Secrets. A private key lives in the byte array of a {@link io.weir.l2.curve.PrivateKey}, which wipes it on close. The
 * arithmetic needs {@code BigInteger}, which is immutable and cannot be wiped. A signature or a public key leaves copies of the
 * key, of the nonce and of numbers from which they follow. They lie on the heap until the collector reuses their place. Whoever
 * reads the process's memory can find them; there they are no safer than a key in use. Nothing of them is kept, logged or shown.
 * The arithmetic does not take constant time. Every operation with a secret is blinded by random numbers ({@code Blinding}), so
 * that its time says nothing of the secret. The derivation of nonces hashes the secret alone.
 *
 * <p>Nonces follow RFC 6979 as the network's own code applies it. The nonce is the first 252 bits of the generator's output, even
 * if these begin with zeros. A library that takes other nonces gives other signatures of the same message, as valid as these:
 * signatures of others are verified, not compared.
 */
@NullMarked
package io.weir.l2.curve;

import org.jspecify.annotations.NullMarked;
