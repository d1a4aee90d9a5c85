package io.weir.pipeline;

import io.weir.method.MethodFacts;
import org.jspecify.annotations.Nullable;

/** Stages of a network without a cache: a call goes to the nodes as it is. Immutable. */
public class NoCacheStages implements CacheStages {

    @Override
    public Stage demandStage(MethodFacts facts, Stage next) {
        return next;
    }

    @Override
    public Stage cacheStage(MethodFacts facts, Stage next) {
        return next;
    }

    @Override
    public Stage coalesceStage(Stage next) {
        return next;
    }

    @Override
    public Stage tierStage(MethodFacts facts, Stage next) {
        return next;
    }

    @Override
    public Stage proofStage(MethodFacts facts, Stage next) {
        return next;
    }

    @Override
    public Stage rangeStage(MethodFacts facts, Stage next) {
        return next;
    }

    @Override
    public Stage agreeStage(MethodFacts facts, Stage next) {
        return next;
    }

    @Override
    public void forgetAll() {}

    @Override
    public @Nullable CachedReplies fastPath(MethodFacts facts) {
        return null;
    }
}
