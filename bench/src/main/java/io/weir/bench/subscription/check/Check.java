package io.weir.bench.subscription.check;

import io.weir.bench.subscription.chain.Block;
import tools.jackson.databind.JsonNode;

/** The rules of one subscription, with its past. Confined to one thread. */
public interface Check {

    /** Checks the next notification. */
    void told(JsonNode result) throws Violation;

    /** Checks that all was told up to a head that is no longer changing. */
    void end(Block head) throws Violation;
}
