package io.weir.upstream.batch;

import io.weir.upstream.NodeOutcome;
import java.util.List;
import java.util.Optional;

/** What a node's answer is to a batch. Immutable. */
sealed interface BatchAnswer {

    /**
     * One for each call.
     *
     * @param outcomes in the order of the calls; empty where it may be the batch that brought it about: that call is to be
     *     asked singly
     */
    record Each(List<Optional<NodeOutcome>> outcomes) implements BatchAnswer {}

    /** The same for every call, which none of them would hear otherwise if it were asked singly. */
    record Same(NodeOutcome outcome) implements BatchAnswer {}

    /**
     * Not to a batch like this: its calls are to be asked singly.
     *
     * @param most calls of a batch that the node may take instead; 1 where there is none such
     */
    record Refused(int most) implements BatchAnswer {}
}
