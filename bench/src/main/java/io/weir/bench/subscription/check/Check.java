package io.weir.bench.subscription.check;

import io.weir.bench.subscription.chain.Block;
import tools.jackson.databind.JsonNode;

/** The rules of one subscription, with its past. Confined to one thread. */
public interface Check {

    /** Checks the next notification. */
    void told(JsonNode result) throws Violation;

    /** Checks that nothing is missing up to a head that is no longer changing. */
    void end(Block head) throws Violation;

    /** Checks that the replayed notifications are the canonical chain. This takes longer than {@link #end}. */
    default void replay(Block head) throws Violation {}
}
