package io.weir.pipeline;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Choice of nodes for stages that ask several of them on their own account. Thread-safe. */
public interface NodePicking {

    /** Runs an action once it is known which nodes are healthy, at the deadline of the call at the latest; called on its loop. */
    void whenProbed(CallContext context, Runnable action);

    /**
     * Returns the id of the healthy node that a call would go to.
     *
     * @param besides the nodes that it may not go to
     * @return null if no other one is left
     */
    @Nullable
    String pick(CallContext context, Set<String> besides);
}
