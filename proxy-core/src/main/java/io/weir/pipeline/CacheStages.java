package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import org.jspecify.annotations.Nullable;

/**
 * Factory of the stages between the checks of a call and its nodes. A method returns {@code next} itself if calls of the given
 * facts need no such stage. Thread-safe.
 */
public interface CacheStages {

    /** Returns the stage that refuses state, and lists of logs, which are not proven, where a call requires that. */
    Stage demandStage(MethodFacts facts, Stage next);

    /**
     * Returns the stage that answers from memory, and caches the answers of the stages behind it. The proxy's own fetches of blocks
     * take the last stage made for their method.
     */
    Stage cacheStage(MethodFacts facts, Stage next);

    /** Returns the stage that sends a call once, however many clients make it at the same time. */
    Stage coalesceStage(Stage next);

    /** Returns the stage that answers from the tiers behind memory. */
    Stage tierStage(MethodFacts facts, Stage next);

    /** Returns the stage that verifies answers before they are served. */
    Stage proofStage(MethodFacts facts, Stage next);

    /** Returns the stage that cuts ranges of blocks which nodes refuse as too large. */
    Stage rangeStage(MethodFacts facts, Stage next);

    /** Returns the stage that asks several nodes for answers that must be equal. */
    Stage agreeStage(MethodFacts facts, Stage next);

    /** Forgets all results, because a call changed the state of a development node, or set its chain back. No new block shows that. */
    void forgetAll();

    /** Returns the source of cached replies for calls that have passed no stage; null if there is none for the method. */
    @Nullable
    CachedReplies fastPath(MethodFacts facts);

    /** Source of replies to calls of one method that need no stage. Thread-safe. */
    @FunctionalInterface
    interface CachedReplies {

        /** Returns the cached reply; null if the call must pass through the stages. Counts only the replies that it returns. */
        @Nullable
        RpcReply tryCached(CallContext context);
    }
}
