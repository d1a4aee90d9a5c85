/**
 * Holds what nodes answer against hashes: headers, transactions, receipts and what follows from them. Knows nothing of who asks,
 * nor of where an answer came from. Start at {@link io.weir.verify.BlockProof}.
 *
 * <p>What a hash covers is proven by it; what follows from proven data is compared with it; the members that neither holds, and
 * that pass as sent, are listed in {@link io.weir.verify.ObjectForm} and {@link io.weir.verify.MemberNames}.
 */
@NullMarked
package io.weir.verify;

import org.jspecify.annotations.NullMarked;
