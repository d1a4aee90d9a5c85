/**
 * Typed data (SNIP-12, revisions 0 and 1): the hash of a message that a person can read before he signs it.
 *
 * <p>Depends on {@code io.weir.l2}, {@code hash} and {@code transaction}. Start at {@link io.weir.l2.typed.TypedData}.
 *
 * <p>Implementations differ. This one gives the hash of starknet.js, which wallets sign and contracts check.
 *
 * <ul>
 *   <li>A value of an enum is hashed as its variant's number and data. The hash of the enum's type, which SNIP-12 has, is left
 * out.
 *   <li>A variant without data, {@code ()}, counts as one with a 0; starknet-jvm hashes nothing there.
 *   <li>Unused types are accepted, and the type in a Merkle tree is no part of the encoded type around it.
 *   <li>Text in place of a felt is a number if it reads as one, in any base, and otherwise a short string.
 * </ul>
 *
 * <p>Refuses some input that starknet.js accepts and no wallet sends. Examples are names of the revision's own types, data that a
 * variant has no field for, and numbers with a fraction. It also refuses whatever would let a person read what the hash does not
 * cover: members without a field, two fields of one name, and names with quotes, colons, commas or parentheses.
 */
@NullMarked
package io.weir.l2.typed;

import org.jspecify.annotations.NullMarked;
