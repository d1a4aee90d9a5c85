/**
 * Transactions of types 0 to 4: their fields, their encoding, their hashes, who signed them.
 *
 * <p>Depends on {@code io.weir.ethereum}, {@code rlp} and {@code signature}. Start at
 * {@link io.weir.ethereum.transaction.Transaction}.
 */
@NullMarked
package io.weir.ethereum.transaction;

import org.jspecify.annotations.NullMarked;
