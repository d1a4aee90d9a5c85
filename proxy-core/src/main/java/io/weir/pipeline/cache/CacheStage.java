package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.cache.BlockKeys;
import io.weir.cache.BlockLayout;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.CallKey;
import io.weir.cache.ReceiptsLayout;
import io.weir.cache.ResultLayout;
import io.weir.cache.ResultLayout.Slice;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheAdmission;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.admission.CacheRequest.CacheRequests;
import io.weir.pipeline.cache.CacheDecision.CacheView;
import io.weir.pipeline.cache.CacheDecision.CacheView.StoredAnswer;
import io.weir.pipeline.cache.CacheDecision.FetchBlock;
import io.weir.pipeline.cache.CacheDecision.ForwardAndCollect;
import io.weir.pipeline.cache.CacheDecision.ForwardWhole;
import io.weir.pipeline.cache.CacheDecision.Serve;
import io.weir.pipeline.cache.CacheDecision.WaitFor;
import io.weir.pipeline.cache.Fetch.BlockNames;
import io.weir.upstream.ResultStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that answers calls of one method from memory, or has the stages behind it answer and stores their answers.
 * {@link CacheDecision} lists the steps. Thread-safe; each answer stays on its call's event loop.
 */
record CacheStage(
        CacheClass rule,
        @Nullable BlockField field,
        NetworkMemory memory,
        CacheRequests requests,
        CacheAdmission admission,
        Stage next)
        implements Stage {

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (context.caller().bypassesCache()) {
            context.trace().markBypassed();
            memory.meters().count(rule.kind(), LookupOutcome.BYPASS);
            next.handle(context, sink);
        } else if (params == null || params.block() instanceof BlockSelector.Tag) {
            context.trace().markMiss();
            memory.meters().count(rule.kind(), LookupOutcome.MISS);
            next.handle(context, sink);
        } else {
            new CacheExecution(CacheCall.of(memory.network(), rule, field, context, params), null, sink).run();
        }
    }

    /** Sends a call of the proxy to a node; memory is not read, and the answer is not stored. */
    void forward(CallContext context, ReplySink sink) {
        next.handle(context, sink);
    }

    /** Sends the proxy's call for a whole block or receipts, which ends a fetch. */
    void fetch(CallContext context, CheckedParams params, Fetch fetch) {
        CacheCall call = CacheCall.of(memory.network(), rule, field, context, params);
        new CacheExecution(call, fetch, reply -> {}).coalesce();
    }

    /**
     * One call from memory to its reply. An answer in memory is served at once, because it needs no other call. Otherwise equal calls
     * coalesce, and their leader reads memory, decides, and carries the decision out. It reads what was read before, because an equal
     * call may have ended since. Confined to the call's event loop.
     */
    private final class CacheExecution implements ReplySink, CallContext.MemoryLook {

        /** The checks of the chain for one call: a check fails if the head rises during it. */
        private static final int CHECKS = 2;

        private final CacheCall call;
        private final ReplySink sink;
        /** Whether the proxy makes the call: it is no client's lookup. */
        private final boolean own;
        /** The fetch that the answer ends; null if there is none. */
        private @Nullable Fetch fetch;
        /** The request to a node; null until the call leads others to one. */
        private @Nullable CacheRequest request;
        /** Take the answer from memory, and pass the call on; null until the call leads. */
        private @Nullable ReplySink found;

        private @Nullable Runnable ask;
        private boolean missed;
        private boolean foundLate;
        /** Whether it has waited for blocks that may hold its transaction. */
        private boolean awaitedArrival;

        /** @param fetch the fetch that the call was made for; null if there is none */
        CacheExecution(CacheCall call, @Nullable Fetch fetch, ReplySink sink) {
            this.call = call;
            this.fetch = fetch;
            this.own =
                    (fetch != null && fetch.isOwn()) || call.context().route().proof() != null;
            this.sink = sink;
        }

        void run() {
            StoredAnswer answer = memory.read(call, false, false).answer();
            if (answer == null) {
                coalesce();
            } else {
                sink.accept(reply(answer));
            }
        }

        /** Has the call wait for the answer to an equal one, or lead those that come. */
        void coalesce() {
            CallContext context = call.context();
            if (!own) {
                context.trace().markMiss();
            }
            context.looksBy(this);
            next.handle(context, this);
        }

        @Override
        public void look(ReplySink taker, Runnable node) {
            boolean first = found == null;
            found = taker;
            ask = node;
            run(false, first && fetch == null && !call.context().route().alone());
        }

        private void run(boolean checked, boolean mayFetch) {
            CacheView view = memory.read(call, checked, mayFetch);
            if (view.isNothing()) {
                forward();
            } else {
                carryOut(CacheDecision.of(view), checked, mayFetch);
            }
        }

        private void carryOut(CacheDecision decision, boolean checked, boolean mayFetch) {
            if (decision instanceof Serve serve) {
                serve(reply(serve.answer()));
            } else if (decision == CacheDecision.Step.CHECK_CHAIN && !checked) {
                checkChain(mayFetch, CHECKS);
            } else if (decision instanceof ForwardAndCollect collect) {
                collect(collect);
            } else if (decision instanceof ForwardWhole whole) {
                forwardWhole(whole.access());
            } else if (decision instanceof FetchBlock fetch) {
                fetchBlock(fetch);
            } else if (decision instanceof WaitFor wait) {
                await(wait.fetch());
            } else if (decision == CacheDecision.Step.AWAIT_ARRIVAL && !awaitedArrival) {
                awaitedArrival = true;
                String transaction = Objects.requireNonNull(
                        Objects.requireNonNull(call.question()).transaction());
                memory.prefetcher().awaitArrival(transaction, call.context(), () -> run(false, mayFetch));
            } else {
                forward();
            }
        }

        private void serve(RpcReply reply) {
            foundLate = true;
            Objects.requireNonNull(found).accept(reply);
        }

        private RpcReply reply(StoredAnswer answer) {
            if (answer.finalKey() != null) {
                memory.remember(call.key(), answer.finalKey());
            }
            Slice slice = answer.slice();
            if (own) {
                call.context().trace().markHit(slice.proven());
                return answer.reply();
            }
            return memory.serve(call.context(), call.rule(), answer.reply(), slice.whole(), slice.proven());
        }

        private void checkChain(boolean mayFetch, int checks) {
            CallContext context = call.context();
            memory.chain()
                    .watch()
                    .whenFresh(
                            context.loop(),
                            context.deadlineNanos(),
                            fresh -> context.step(() -> {
                                if (fresh) {
                                    run(true, mayFetch);
                                } else if (checks > 1) {
                                    checkChain(mayFetch, checks - 1);
                                } else {
                                    forward();
                                }
                            }));
        }

        private void collect(ForwardAndCollect collect) {
            BlockAccess access = collect.access();
            boolean ofReceipts = access.part().isOfReceipts();
            if (collect.withBlock()) {
                memory.prefetcher().fetchExtra(false, access.names(), call.context());
            }
            Fetch running = collect.running();
            fetch = running == null ? memory.prefetcher().open(ofReceipts, access.names()) : running;
            forward();
        }

        private void fetchBlock(FetchBlock decision) {
            BlockAccess access = decision.access();
            boolean ofReceipts = access.part().isOfReceipts();
            boolean possible =
                    !decision.withBlock() || memory.prefetcher().fetchExtra(false, access.names(), call.context());
            Fetch begun = possible
                    ? memory.prefetcher()
                            .fetchInstead(
                                    ofReceipts, access.names(), call.context().loop())
                    : null;
            if (begun == null) {
                forward();
            } else {
                await(begun);
            }
        }

        /** Reads memory again when the fetch has ended. If too many calls wait already, the call goes to a node. */
        private void await(Fetch running) {
            if (!memory.prefetcher().await(running, call.context(), () -> run(false, false))) {
                forward();
            }
        }

        /** Passes the call on towards a node. */
        private void forward() {
            countMiss();
            CallContext context = call.context();
            BlockNames holder = call.isByTransaction() ? memory.blockOf(Objects.requireNonNull(call.question())) : null;
            if (holder != null) {
                // The transaction is in a known block: a node that does not find it lacks that block.
                context.setRoute(context.route().toBlock(holder.number(), true));
            }
            Fetch ended = fetch;
            // The answer to a client's call may lack only the budget for the block's uncles: then the block rests for
            // the shorter time.
            Consumer<Boolean> settled =
                    ended == null ? stored -> {} : stored -> memory.prefetcher().settle(ended, ended.isOwn(), stored);
            request = requests.toNode(call.key(), call.rule(), context, placed(), settled);
            Objects.requireNonNull(ask).run();
        }

        /** Returns the parameters, with the block of a trace if memory knows that it is final. */
        private CheckedParams placed() {
            CheckedParams params = call.params();
            if (call.rule() != CacheClass.FINAL_VALUE || params.block() instanceof BlockSelector.Height) {
                return params;
            }
            long number = memory.finalBlockOf(params);
            return number < 0 ? params : params.at(new BlockSelector.Height(number));
        }

        /** Takes the reply: of memory or a node to this call, or of either to an equal one. */
        @Override
        public void accept(RpcReply reply) {
            CacheRequest sent = request;
            if (sent == null || foundLate) {
                if (!foundLate) {
                    countMiss();
                }
                // If another call brought the answer for this one too, that call ends the fetch.
                if (fetch != null && (foundLate || fetch.isAsked())) {
                    memory.prefetcher().settle(fetch, foundLate, foundLate);
                }
                sink.accept(reply);
                return;
            }
            try {
                take(sent, reply);
            } catch (RuntimeException | Error e) {
                if (fetch != null) {
                    // No call may wait for a block that will not come.
                    memory.prefetcher().settle(fetch, false, false);
                }
                throw e;
            }
        }

        /** Takes the answer of a node, or of an equal call that asked one. */
        private void take(CacheRequest sent, RpcReply reply) {
            BlockQuestion question = call.question();
            if (question != null) {
                memory.prefetcher().answered(question, call.key(), () -> memory.blockOf(question));
            }
            CallContext context = call.context();
            boolean shared = context.trace().collapsed() || context.trace().joined();
            String upstream = shared ? null : context.trace().upstreamId();
            RawJson value = reply instanceof RpcReply.Result result ? result.value() : null;
            if (upstream != null && value != null && !value.equals(RawJson.NULL)) {
                AnswerFacts facts = facts(fetch, value);
                if (fetch != null && facts != null) {
                    arrived(fetch, facts, value);
                }
                compare(facts, value);
                sink.accept(reply);
                admit(sent, facts, value, upstream);
                return;
            }
            if (fetch != null) {
                failed(fetch, reply);
            }
            if (upstream != null && reply instanceof ResultStream stream) {
                collect(sent, upstream, stream);
            }
            sink.accept(reply);
            if (upstream != null && value != null) {
                admission.take(sent, value, upstream);
            }
        }

        private @Nullable AnswerFacts facts(@Nullable Fetch ended, RawJson value) {
            return ended != null || call.isByTransaction() ? read(value) : null;
        }

        private @Nullable AnswerFacts read(RawJson value) {
            return AnswerFacts.read(call.rule(), call.params().shape().blocks(), value);
        }

        /** Has a result admitted that goes on while it arrives, once it was collected. */
        private void collect(CacheRequest sent, String upstream, ResultStream stream) {
            stream.copyTo(memory.shared().store().maxEntryBytes(), value -> {
                if (value != null) {
                    call.context().step(() -> admit(sent, facts(null, value), value, upstream));
                }
            });
        }

        private void admit(CacheRequest sent, @Nullable AnswerFacts facts, RawJson value, String upstream) {
            EventLoop loop = call.context().loop();
            if (facts != null && call.isByTransaction()) {
                memory.chain().finality().whenKnown(loop, facts.number(), () -> located(facts));
            }
            if (call.rule() == CacheClass.RECEIPTS && facts != null) {
                BlockNames names = new BlockNames(facts.hash(), facts.number(), false);
                memory.prefetcher().whenBlockSettled(names, loop, () -> admission.take(sent, value, upstream));
            } else {
                admission.take(sent, value, upstream);
            }
        }

        /** A client that has seen a block must not get results of the blocks that it replaced. */
        private void compare(@Nullable AnswerFacts known, RawJson value) {
            boolean block = call.rule() == CacheClass.BLOCK || call.rule() == CacheClass.HEADER;
            if (!block || !(call.params().block() instanceof BlockSelector.Height height)) {
                return;
            }
            CanonicalLinks links = memory.chain().view().links();
            if (links.top() >= 0 && (height.number() > links.top() || links.hash(height.number()) != null)) {
                AnswerFacts facts = known == null ? read(value) : known;
                if (facts != null && facts.parentHash() != null) {
                    memory.chain().watch().compare(new BlockLink(facts.number(), facts.hash(), facts.parentHash()));
                }
            }
        }

        private void located(AnswerFacts facts) {
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

        private void failed(Fetch ended, RpcReply reply) {
            boolean unknown = reply instanceof RpcReply.Failure failure
                    && (failure.error().code() == ErrorCode.METHOD_NOT_FOUND.code()
                            || failure.error().code() == ErrorCode.INVALID_PARAMS.code());
            if (unknown && ended.isOwn() && ended.isReceipts()) {
                memory.prefetcher().lacksReceipts(ended);
            } else {
                memory.prefetcher().settle(ended, false, false);
            }
        }

        private void arrived(Fetch ended, AnswerFacts facts, RawJson value) {
            ResultLayout layout = ended.isReceipts() ? ReceiptsLayout.read(value) : BlockLayout.read(value);
            List<String> transactions = layout == null ? List.of() : layout.hashes(value);
            memory.prefetcher().arrived(ended, facts.hash(), facts.number(), transactions);
        }

        private void countMiss() {
            if (!missed && !own) {
                missed = true;
                memory.meters().count(call.rule().kind(), LookupOutcome.MISS);
            }
        }

        private void forwardWhole(BlockAccess access) {
            Fetch begun = memory.prefetcher().open(false, access.names());
            if (begun == null) {
                forward();
                return;
            }
            CallContext context = call.context();
            RawJson whole = RawJson.of("[" + call.params().values().get(0) + ",true]");
            CallContext other =
                    context.with(new RpcCall(context.call().id(), call.key().method(), whole));
            other.setRoute(context.route().ofOtherCall());
            try {
                other.checked(call.params().shape().check(whole));
            } catch (InvalidParamsException e) {
                throw new IllegalStateException(e);
            }
            CheckedParams params = Objects.requireNonNull(other.checkedParams());
            CacheCall wholeCall = CacheCall.of(memory.network(), call.rule(), call.field(), other, params);
            new CacheExecution(wholeCall, begun, this::cutOut).coalesce();
        }

        private void cutOut(RpcReply reply) {
            if (!(reply instanceof RpcReply.Result result) || result.value().equals(RawJson.NULL)) {
                serve(reply);
                return;
            }
            BlockLayout layout = BlockLayout.read(result.value());
            Slice slice = layout == null
                    ? null
                    : layout.answer(result.value(), Objects.requireNonNull(call.question()), -1, false, false);
            if (slice == null) {
                forward();
            } else {
                serve(new RpcReply.Result(slice.value()));
            }
        }
    }

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

        static CacheCall of(
                String network,
                CacheClass rule,
                @Nullable BlockField field,
                CallContext context,
                CheckedParams params) {
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
}
