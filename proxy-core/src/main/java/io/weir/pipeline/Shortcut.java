package io.weir.pipeline;

import io.weir.method.MethodFacts;

/** Makes the stages that may answer a call before a node is asked. Thread-safe. */
@FunctionalInterface
public interface Shortcut {

    /** No short cut. */
    Shortcut NONE = (facts, next) -> next;

    /**
     * What stands before the nodes for one method.
     *
     * @param next sends calls to nodes
     */
    Stage before(MethodFacts facts, Stage next);

    /**
     * What stands before the nodes for methods that the catalogue does not know.
     *
     * @param next sends calls to nodes
     */
    default Stage beforeUnknown(Stage next) {
        return next;
    }
}
