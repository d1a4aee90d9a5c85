package io.weir.pipeline.cache;

import io.weir.cache.BlockKeys;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CallKey;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * A call that memory may answer. Confined to the call's event loop.
 *
 * @param rule of the call's method
 * @param field the part of a block that the method asks for; null if it asks for none
 * @param params the context's
 * @param key of the call's own result
 * @param question the part of a block that the call asks for; null if it is not about a single block
 */
record CacheCall(
        CacheClass rule,
        @Nullable BlockField field,
        CallContext context,
        CheckedParams params,
        CallKey key,
        @Nullable BlockQuestion question) {

    /** @param field the part of a block that the method asks for; null if it asks for none */
    static CacheCall of(
            String network, CacheClass rule, @Nullable BlockField field, CallContext context, CheckedParams params) {
        CallKey key = rule.isOfHead() && params.block() instanceof BlockSelector.Height head
                ? BlockKeys.head(network, context.call().method(), head.number())
                : context.key(network, params.json());
        BlockQuestion question = field == null ? null : BlockQuestion.of(field, params);
        return new CacheCall(rule, field, context, params, key, question);
    }

    /** Returns whether the call names its block by the hash, so that the block's place does not matter. */
    boolean namesHash() {
        return params.block() instanceof BlockSelector.Hash;
    }

    /** Returns whether the call looks up a transaction, or something of it, by the transaction's hash. */
    boolean isByTransaction() {
        return question != null && question.transaction() != null;
    }
}
