/**
 * The hashed elements of a transaction of version 3, the address of a contract, and the layout of calls.
 *
 * <p>Depends on {@code io.weir.l2} and {@code hash}. Start at {@link io.weir.l2.transaction.TransactionHash}.
 */
@NullMarked
package io.weir.l2.transaction;

import org.jspecify.annotations.NullMarked;
