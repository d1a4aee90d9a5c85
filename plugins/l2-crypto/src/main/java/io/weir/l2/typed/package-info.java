/**
 * Typed data (SNIP-12, revisions 0 and 1): the hash of a message that a person can read before he signs it.
 *
 * <p>Depends on {@code io.weir.l2} and {@code hash}. Start at {@link io.weir.l2.typed.TypedData}.
 *
 * <p>Where implementations differ, this one gives the hash that starknet.js gives, since that is what wallets sign and
 * contracts check:
 *
 * <ul>
 *   <li>a value of an enum is hashed as its variant's number and data, without the hash of the enum's type, which the text of
 *       SNIP-12 has;
 *   <li>a variant without data, {@code ()}, counts as one with a 0; starknet-jvm hashes nothing there;
 *   <li>types that nothing uses are let pass, and the type in a Merkle tree is no part of the encoded type around it;
 *   <li>text where a felt is wanted is a number where it reads as one, in any base, and otherwise a short string.
 * </ul>
 *
 * <p>What starknet.js lets pass and no wallet sends is refused: names of types that the revision has itself, data that a
 * variant has no place for, numbers with a fraction.
 */
@NullMarked
package io.weir.l2.typed;

import org.jspecify.annotations.NullMarked;
