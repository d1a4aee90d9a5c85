package io.weir.bench.subscription.chain;

import org.jspecify.annotations.Nullable;

/** A chain whose blocks are known before any node shows them. Thread-safe. */
public interface KnownChain {

    /** Returns the newest head. */
    Block head();

    /** Returns the block of a hash; null if there is none. */
    @Nullable
    Block find(String hash);
}
