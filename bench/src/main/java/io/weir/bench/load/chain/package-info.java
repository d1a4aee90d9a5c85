/**
 * The chain that the measurements are about: blocks, transactions and receipts that are signed, hashed and hang together, and the
 * answer to every call about them. Whoever asks knows what must come back. Start at {@link io.weir.bench.load.chain.Answers}.
 */
@NullMarked
package io.weir.bench.load.chain;

import org.jspecify.annotations.NullMarked;
