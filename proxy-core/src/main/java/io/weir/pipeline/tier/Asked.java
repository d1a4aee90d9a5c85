package io.weir.pipeline.tier;

import io.weir.cache.AnswerFacts;
import io.weir.cache.CallKey;
import io.weir.method.CacheClass;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import org.jspecify.annotations.Nullable;

/** A call that a tier may answer, and what an answer must be. Immutable. */
public interface Asked {

    /** Under which a result is kept. */
    CallKey key();

    /** Which answers may be kept. */
    CacheClass rule();

    /** The call. */
    CallContext context();

    /** What it says of its block. */
    CheckedParams params();

    /** Of the store, before anybody was asked. */
    long purges();

    /** Whether it names the block's hash, so that an answer can only be about that one. */
    boolean namesHash();

    /** Whether an answer that names its block is one to this call. */
    boolean isAnsweredBy(AnswerFacts facts);

    /** The hash of what was asked for, where the answer must have it; else null. */
    @Nullable
    String provenHash(@Nullable AnswerFacts facts);

    /** Makes such a call out of what came. */
    interface Reading {

        /** The call. */
        Asked read(CallKey key, CacheClass rule, CallContext context, CheckedParams params);
    }
}
