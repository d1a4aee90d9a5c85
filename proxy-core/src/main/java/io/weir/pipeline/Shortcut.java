package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import org.jspecify.annotations.Nullable;

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
     * What may answer calls of one method before anything of them was looked at but the method; null where nothing does.
     */
    default @Nullable AtOnce atOnce(MethodFacts facts) {
        return null;
    }

    /**
     * What stands before the nodes for methods that the catalogue does not know.
     *
     * @param next sends calls to nodes
     */
    default Stage beforeUnknown(Stage next) {
        return next;
    }

    /** Answers calls at once, without a way through stages. Thread-safe. */
    @FunctionalInterface
    interface AtOnce {

        /** The answer, or null where the call is to go its way. */
        @Nullable
        RpcReply answer(CallContext context);
    }
}
