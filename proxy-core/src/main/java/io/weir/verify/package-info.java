/**
 * Verification of answers by hashes: headers, transactions, receipts and everything that follows from them. Independent of callers
 * and of the nodes that answer. Start at {@link io.weir.verify.AnswerProof}; the result is a {@link io.weir.verify.Verification}.
 *
 * <p>The chain's family decides what is hashed ({@link io.weir.verify.ChainFamily}). Data without a rule is unprovable,
 * never wrong. Some rules were tested with recorded blocks of the chain. Others were only read in the source of its nodes; a difference
 * from these proves nothing.
 *
 * <p>A hash proves the members that it covers. Members that follow from proven data are compared with it. All other members pass
 * as sent; {@link io.weir.verify.ObjectForm} and {@link io.weir.verify.MemberNames} list them.
 */
@NullMarked
package io.weir.verify;

import org.jspecify.annotations.NullMarked;
