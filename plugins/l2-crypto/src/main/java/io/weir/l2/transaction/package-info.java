/**
 * What is hashed of a transaction of version 3, which address a contract gets, and how calls are laid out.
 *
 * <p>Depends on {@code io.weir.l2} and {@code hash}. Start at {@link io.weir.l2.transaction.TransactionHash}.
 */
@NullMarked
package io.weir.l2.transaction;

import org.jspecify.annotations.NullMarked;
