package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.cache.BlockLayout;
import io.weir.cache.BlockQuestion;
import io.weir.cache.ReceiptsLayout;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.admission.CacheAdmission;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.cache.Fetch.BlockNames;
import io.weir.upstream.ResultStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recipient of nodes' answers to calls that memory did not answer. Compares the chain view with them, passes them on, notes them
 * for the fetch that they end, and has them admitted to memory. Thread-safe; each answer stays on its call's event loop.
 */
record ResponseCaching(NetworkMemory memory, CacheAdmission admission) {

    /**
     * Takes an answer.
     *
     * @param fetch the fetch that the answer ends; null if there is none
     * @param sink of the client
     */
    void take(CacheCall call, CacheRequest request, @Nullable Fetch fetch, RpcReply reply, ReplySink sink) {
        BlockQuestion question = call.question();
        if (question != null) {
            memory.prefetcher().answered(question, call.key(), () -> memory.blockOf(question));
        }
        CallContext context = call.context();
        boolean shared = context.trace().collapsed() || context.trace().joined();
        String upstream = shared ? null : context.trace().upstreamId();
        RawJson value = reply instanceof RpcReply.Result result ? result.value() : null;
        if (upstream != null && value != null && !value.equals(RawJson.NULL)) {
            AnswerFacts facts = facts(call, fetch, value);
            if (fetch != null && facts != null) {
                arrived(fetch, facts, value);
            }
            compare(call, facts, value);
            sink.accept(reply);
            admit(call, request, facts, value, upstream);
            return;
        }
        if (fetch != null) {
            failed(fetch, reply);
        }
        if (upstream != null && reply instanceof ResultStream stream) {
            collect(call, request, upstream, stream);
        }
        sink.accept(reply);
        if (upstream != null && value != null) {
            admission.take(request, value, upstream);
        }
    }

    private static @Nullable AnswerFacts facts(CacheCall call, @Nullable Fetch fetch, RawJson value) {
        return fetch != null || call.isByTransaction() ? AnswerFacts.read(call.rule(), value) : null;
    }

    /** Has a result admitted that goes on while it arrives, once it was collected. */
    private void collect(CacheCall call, CacheRequest request, String upstream, ResultStream stream) {
        stream.copyTo(memory.shared().store().maxEntryBytes(), value -> {
            if (value != null) {
                call.context().step(() -> admit(call, request, facts(call, null, value), value, upstream));
            }
        });
    }

    private void admit(
            CacheCall call, CacheRequest request, @Nullable AnswerFacts facts, RawJson value, String upstream) {
        EventLoop loop = call.context().loop();
        if (facts != null && call.isByTransaction()) {
            memory.chain().finality().whenKnown(loop, facts.number(), () -> located(call, facts));
        }
        if (call.rule() == CacheClass.RECEIPTS && facts != null) {
            BlockNames names = new BlockNames(facts.hash(), facts.number(), false);
            memory.prefetcher().whenBlockSettled(names, loop, () -> admission.take(request, value, upstream));
        } else {
            admission.take(request, value, upstream);
        }
    }

    /** A client that has seen a block must not get results of the blocks that it replaced. */
    private void compare(CacheCall call, @Nullable AnswerFacts known, RawJson value) {
        boolean block = call.rule() == CacheClass.BLOCK || call.rule() == CacheClass.HEADER;
        if (!block || !(call.params().block() instanceof BlockSelector.Height height)) {
            return;
        }
        CanonicalLinks links = memory.chain().view().links();
        if (links.top() >= 0 && (height.number() > links.top() || links.hash(height.number()) != null)) {
            AnswerFacts facts = known == null ? AnswerFacts.read(call.rule(), value) : known;
            if (facts != null && facts.parentHash() != null) {
                memory.chain().watch().compare(new BlockLink(facts.number(), facts.hash(), facts.parentHash()));
            }
        }
    }

    private void located(CacheCall call, AnswerFacts facts) {
        if (call.question() != null && memory.canonical().mayBeCanonical(facts.number())) {
            // A block that was not followed, and is asked for by its hash alone, has no proof that it is canonical.
            boolean byHeight = memory.chain().view().hash(facts.number()) == null
                    && memory.chain().finalized().covers(facts.number());
            BlockNames names = new BlockNames(facts.hash(), facts.number(), byHeight);
            boolean ofReceipts = call.question().form().isOfReceipts();
            memory.prefetcher()
                    .located(call.key(), ofReceipts, names, () -> memory.hasBlock(facts.hash()), call.context());
        }
    }

    private void failed(Fetch fetch, RpcReply reply) {
        boolean unknown = reply instanceof RpcReply.Failure failure
                && (failure.error().code() == ErrorCode.METHOD_NOT_FOUND.code()
                        || failure.error().code() == ErrorCode.INVALID_PARAMS.code());
        if (unknown && fetch.isOwn() && fetch.isReceipts()) {
            memory.prefetcher().lacksReceipts(fetch);
        } else {
            memory.prefetcher().settle(fetch, false, false);
        }
    }

    private void arrived(Fetch fetch, AnswerFacts facts, RawJson value) {
        List<String> transactions = fetch.isReceipts() ? ofReceipts(value) : ofBlock(value);
        memory.prefetcher().arrived(fetch, facts.hash(), facts.number(), transactions);
    }

    private static List<String> ofReceipts(RawJson receipts) {
        ReceiptsLayout layout = ReceiptsLayout.read(receipts);
        return layout == null ? List.of() : layout.hashes(receipts);
    }

    private static List<String> ofBlock(RawJson block) {
        BlockLayout layout = BlockLayout.read(block);
        return layout == null ? List.of() : layout.hashes(block);
    }
}
