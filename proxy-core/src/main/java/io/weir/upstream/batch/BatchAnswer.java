package io.weir.upstream.batch;

import io.weir.upstream.NodeOutcome;
import java.util.List;
import java.util.Optional;

/** Meaning of a node's answer to a batch. Immutable. */
sealed interface BatchAnswer {

    /**
     * One outcome for each call.
     *
     * @param outcomes in the order of the calls; empty if the batch itself may have caused it, so that the call is sent
     *     singly
     */
    record Each(List<Optional<NodeOutcome>> outcomes) implements BatchAnswer {}

    /** The same outcome for every call, which each would also get if it were sent singly. */
    record Same(NodeOutcome outcome) implements BatchAnswer {}

    /**
     * The node refuses this batch, so its calls are sent singly.
     *
     * @param maxCalls calls of a batch that the node may accept instead; 1 if it accepts none
     */
    record Refused(int maxCalls) implements BatchAnswer {}
}
