/**
 * Families of chains, and the facts in which their hashes differ from Ethereum's. Data only: {@code io.weir.verify} reads
 * answers by them. Start at {@link io.weir.verify.family.ChainFamily}.
 *
 * <p>Some rules were tested with recorded blocks of the chain. Others were only read in the source of its nodes. A difference from
 * the latter proves nothing.
 */
@NullMarked
package io.weir.verify.family;

import org.jspecify.annotations.NullMarked;
