package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.cache.block.BlockLayout;
import io.weir.cache.block.BlockQuestion;
import io.weir.cache.block.ReceiptsLayout;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.cache.admission.CacheRequest;
import io.weir.pipeline.prefetch.Fetch;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a node's answer to a call that memory could not answer: the chain is compared with it, whoever asked gets it, those
 * who wait for its block hear of it, and it is kept where that is right. Confined to the call's loop.
 *
 * @param params the call's
 * @param question null where the call is not about one block
 * @param sink of whoever asked
 */
record ResponseCaching(
        NetworkCache cache,
        CacheClass rule,
        CheckedParams params,
        CacheLookup lookup,
        @Nullable BlockQuestion question,
        ReplySink sink) {

    /**
     * Takes the answer.
     *
     * @param fetch what arrives with it; null where that is nothing that others may wait for
     */
    void take(CacheRequest asked, @Nullable Fetch fetch, RpcReply reply) {
        if (question != null) {
            cache.gatherer().landed(lookup);
        }
        CallContext context = lookup.context();
        boolean collapsed = context.trace().collapsed();
        String upstream = collapsed ? null : context.trace().upstreamId();
        RawJson value = reply instanceof RpcReply.Result result ? result.value() : null;
        if (upstream != null && value != null && !value.equals(RawJson.NULL)) {
            takeValue(asked, fetch, reply, value, upstream);
            return;
        }
        // Where another call brought it for this one too, that one sees to it.
        if (fetch != null && (fetch.isAsked() || !collapsed)) {
            failed(fetch, reply);
        }
        sink.accept(reply);
        if (upstream != null && value != null) {
            cache.keeper().take(asked, value, upstream);
        }
    }

    private void takeValue(CacheRequest asked, @Nullable Fetch fetch, RpcReply reply, RawJson value, String upstream) {
        EventLoop loop = lookup.context().loop();
        AnswerFacts facts = fetch != null || isByTransaction() ? AnswerFacts.read(rule, value) : null;
        if (fetch != null && facts != null) {
            arrived(fetch, facts, value);
        }
        compare(facts, value);
        sink.accept(reply);
        if (facts != null && isByTransaction()) {
            cache.chain().finality().whenKnown(loop, facts.number(), () -> found(facts));
        }
        Runnable keeping = () -> cache.keeper().take(asked, value, upstream);
        if (rule == CacheClass.RECEIPTS && facts != null) {
            cache.gatherer().whenBlockSettled(facts.hash(), loop, keeping);
        } else {
            keeping.run();
        }
    }

    /** Who was told of a block must not be told of those that it replaced any more. */
    private void compare(@Nullable AnswerFacts known, RawJson value) {
        boolean block = rule == CacheClass.BLOCK || rule == CacheClass.HEADER;
        if (!block || !(params.block() instanceof BlockSelector.Height height)) {
            return;
        }
        long top = cache.chain().view().top();
        if (top >= 0 && height.number() > top - ChainView.MAX_BLOCKS) {
            AnswerFacts facts = known == null ? AnswerFacts.read(rule, value) : known;
            if (facts != null && facts.parentHash() != null) {
                cache.chain().watch().compare(new BlockLink(facts.number(), facts.hash(), facts.parentHash()));
            }
        }
    }

    private boolean isByTransaction() {
        return question != null && question.transaction() != null;
    }

    private void found(AnswerFacts facts) {
        if (cache.keeper().mayAnchor(facts.number())) {
            // Of what is asked for by its hash alone, and was not followed, nobody says that it is canonical.
            boolean byHeight = cache.chain().view().hash(facts.number()) == null
                    && cache.chain().finalized().covers(facts.number());
            cache.gatherer().found(lookup, facts.hash(), byHeight ? facts.number() : -1);
        }
    }

    private void failed(Fetch fetch, RpcReply reply) {
        boolean unknown = reply instanceof RpcReply.Failure failure
                && (failure.error().code() == ErrorCode.METHOD_NOT_FOUND.code()
                        || failure.error().code() == ErrorCode.INVALID_PARAMS.code());
        if (unknown && fetch.isOwn() && fetch.isReceipts()) {
            cache.gatherer().lacksReceipts(fetch);
        } else {
            cache.gatherer().settle(fetch, false, false);
        }
    }

    private void arrived(Fetch fetch, AnswerFacts facts, RawJson value) {
        List<String> transactions = fetch.isReceipts() ? ofReceipts(value) : ofBlock(value);
        cache.gatherer().arrived(fetch, facts.hash(), facts.number(), transactions);
    }

    private static List<String> ofReceipts(RawJson receipts) {
        ReceiptsLayout layout = ReceiptsLayout.read(receipts);
        return layout == null ? List.of() : hashes(layout.size(), i -> layout.hash(receipts, i));
    }

    private static List<String> ofBlock(RawJson block) {
        BlockLayout layout = BlockLayout.read(block);
        return layout == null ? List.of() : hashes(layout.size(), i -> layout.hash(block, i));
    }

    private static List<String> hashes(int size, IntFunction<String> hash) {
        return IntStream.range(0, size).mapToObj(hash).toList();
    }
}
