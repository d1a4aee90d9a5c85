/**
 * From words to private keys: BIP-39 sentences, BIP-32 nodes, key grinding, the accounts' path.
 *
 * <p>Depends on {@code io.weir.l2} and {@code curve}. Start at {@link io.weir.l2.key.Mnemonic} and
 * {@link io.weir.l2.key.AccountKeys}.
 *
 * <p>Sentences, seeds and keys are arrays that are wiped on close or by whoever asked for them; each method says which. The
 * copies of {@code BigInteger} and of the hash functions cannot be wiped, see the package {@code curve}.
 * Products of the curve with a private key are blinded, as there.
 */
@NullMarked
package io.weir.l2.key;

import org.jspecify.annotations.NullMarked;
