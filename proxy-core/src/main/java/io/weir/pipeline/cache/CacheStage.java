package io.weir.pipeline.cache;

import io.weir.access.BypassingCaller;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.block.BlockLayout;
import io.weir.cache.block.BlockQuestion;
import io.weir.cache.block.BlockSlicer;
import io.weir.cache.block.Slice;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.SecondLook;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.cache.CacheDecision.FetchBlock;
import io.weir.pipeline.cache.CacheDecision.ForwardAndCollect;
import io.weir.pipeline.cache.CacheDecision.ForwardWhole;
import io.weir.pipeline.cache.CacheDecision.Serve;
import io.weir.pipeline.cache.CacheDecision.WaitFor;
import io.weir.pipeline.cache.CacheView.StoredAnswer;
import io.weir.pipeline.prefetch.BlockAccess;
import io.weir.pipeline.prefetch.Fetch;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that answers calls of one method from memory, or has the stages behind it answer and stores their answers.
 * {@link CacheDecision} lists the steps. Thread-safe.
 */
record CacheStage(CacheClass rule, @Nullable BlockField field, CacheParts cache, Stage next) implements Stage {

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (context.caller() instanceof BypassingCaller) {
            context.trace().markBypassed();
            cache.meters().count(rule.kind(), LookupOutcome.BYPASS);
            next.handle(context, sink);
        } else if (params == null || params.block() instanceof BlockSelector.Tag) {
            context.trace().markMiss();
            cache.meters().count(rule.kind(), LookupOutcome.MISS);
            next.handle(context, sink);
        } else {
            new CacheExecution(CacheCall.of(cache.network(), rule, field, context, params), sink).run();
        }
    }

    /** Sends a call of the proxy to a node; memory is not read, and the answer is not stored. */
    void forward(CallContext context, ReplySink sink) {
        next.handle(context, sink);
    }

    /** Sends the proxy's call for a whole block or receipts to a node; memory is not read. */
    void fetch(CallContext context, CheckedParams params, Fetch fetch) {
        CacheCall call = CacheCall.of(cache.network(), rule, field, context, params);
        new CacheExecution(call, reply -> {}).forward(fetch);
    }

    /**
     * One call from memory to its reply: reads memory, decides, and carries the decision out. A call that leads equal calls to a node reads
     * memory once more before that. Confined to the call's event loop.
     */
    private final class CacheExecution implements ReplySink, SecondLook {

        /** The checks of the chain for one call: a check fails if the head rises during it. */
        private static final int CHECKS = 2;

        private final CacheCall call;
        private final ReplySink sink;
        /** The fetch that the answer ends; null if there is none. */
        private @Nullable Fetch fetch;

        private @Nullable CacheRequest request;
        private boolean missed;
        private boolean foundLate;
        /** Whether it has waited for blocks that may hold its transaction. */
        private boolean awaitedArrival;

        CacheExecution(CacheCall call, ReplySink sink) {
            this.call = call;
            this.sink = sink;
        }

        /** Answers the call from memory, or has it answered. */
        void run() {
            run(false, !call.context().route().alone());
        }

        private void run(boolean checked, boolean mayFetch) {
            CacheView view = cache.reader().read(call, checked, mayFetch);
            if (view.isNothing()) {
                forward(null);
            } else {
                carryOut(CacheDecision.of(view), checked, mayFetch);
            }
        }

        private void carryOut(CacheDecision decision, boolean checked, boolean mayFetch) {
            if (decision instanceof Serve serve) {
                serve(serve.answer());
            } else if (decision instanceof CacheDecision.CheckChain && !checked) {
                checkChain(mayFetch, CHECKS);
            } else if (decision instanceof ForwardAndCollect collect) {
                collect(collect);
            } else if (decision instanceof ForwardWhole whole) {
                forwardWhole(whole.access());
            } else if (decision instanceof FetchBlock fetch) {
                fetchBlock(fetch);
            } else if (decision instanceof WaitFor wait) {
                await(wait.fetch());
            } else if (decision instanceof CacheDecision.AwaitArrival && !awaitedArrival) {
                awaitedArrival = true;
                String transaction = Objects.requireNonNull(
                        Objects.requireNonNull(call.question()).transaction());
                cache.prefetcher().awaitArrival(transaction, call.context(), () -> run(false, mayFetch));
            } else {
                forward(null);
            }
        }

        private void serve(StoredAnswer answer) {
            sink.accept(reply(answer));
        }

        private RpcReply reply(StoredAnswer answer) {
            if (answer.finalKey() != null) {
                cache.reader().remember(call.key(), answer.finalKey());
            }
            Slice slice = answer.slice();
            return cache.serve(call.context(), call.rule(), answer.reply(), slice.whole(), slice.proven());
        }

        private void checkChain(boolean mayFetch, int checks) {
            CallContext context = call.context();
            cache.chain()
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
                                    forward(null);
                                }
                            }));
        }

        private void collect(ForwardAndCollect collect) {
            BlockAccess access = collect.access();
            boolean ofReceipts = access.part().isOfReceipts();
            if (collect.withBlock()) {
                cache.prefetcher().fetchExtra(false, access.names(), call.context());
            }
            Fetch running = collect.running();
            Fetch fetch = running == null ? cache.prefetcher().open(ofReceipts, access.names()) : running;
            // Of the clients that ask for the same at once, the one whose call is sent ends the fetch.
            forward(fetch == null ? cache.prefetcher().openedByClient(ofReceipts, access.names()) : fetch);
        }

        private void fetchBlock(FetchBlock decision) {
            BlockAccess access = decision.access();
            boolean ofReceipts = access.part().isOfReceipts();
            boolean possible =
                    !decision.withBlock() || cache.prefetcher().fetchExtra(false, access.names(), call.context());
            Fetch fetch = possible
                    ? cache.prefetcher()
                            .fetchInstead(
                                    ofReceipts, access.names(), call.context().loop())
                    : null;
            if (fetch == null) {
                forward(null);
            } else {
                await(fetch);
            }
        }

        /** Reads memory again when the fetch has ended. If too many calls wait already, the call goes to a node. */
        private void await(Fetch fetch) {
            if (!cache.prefetcher().await(fetch, call.context(), () -> run(false, false))) {
                forward(null);
            }
        }

        /**
         * Sends the call to a node as it is, unless its answer has entered memory meanwhile.
         *
         * @param ended the fetch that the answer ends; null if there is none
         */
        void forward(@Nullable Fetch ended) {
            CallContext context = call.context();
            fetch = ended;
            if (ended == null || !ended.isOwn()) {
                context.trace().markMiss();
            }
            BlockRef holder = call.question() == null ? null : cache.blocks().blockOfTransaction(call.question());
            if (holder != null) {
                // The transaction is in a known block: a node that does not find it lacks that block.
                context.setRoute(context.route().toBlock(holder.number(), true));
            }
            // The answer to a client's call may lack only the budget for the block's uncles: then the block rests for
            // the shorter time.
            Consumer<Boolean> settled =
                    ended == null ? stored -> {} : stored -> cache.prefetcher().settle(ended, ended.isOwn(), stored);
            request = cache.requests().toNode(call.key(), call.rule(), context, placed(), settled);
            context.looksAgain(this);
            if (ended == null) {
                next.handle(context, this);
                return;
            }
            CallGuard guard = new CallGuard(context, reply -> {
                try {
                    accept(reply);
                } catch (RuntimeException | Error e) {
                    // No call may wait for a block that will not come.
                    cache.prefetcher().settle(ended, false, false);
                    throw e;
                }
            });
            guard.pass(next);
        }

        /** Returns the parameters, with the block of a trace if memory knows that it is final. */
        private CheckedParams placed() {
            CheckedParams params = call.params();
            if (call.rule() != CacheClass.FINAL_VALUE || params.block() instanceof BlockSelector.Height) {
                return params;
            }
            long number = cache.blocks().finalBlockOf(params);
            return number < 0 ? params : params.at(new BlockSelector.Height(number));
        }

        /** Takes the reply of the stages behind memory. */
        @Override
        public void accept(RpcReply reply) {
            if (foundLate) {
                sink.accept(reply);
            } else {
                countMiss();
                cache.responses().take(call, Objects.requireNonNull(request), fetch, reply, sink);
            }
        }

        /** Reads memory as the leader of equal calls. Waits for a fetch whose answer is being verified, and reads it then. */
        @Override
        public void look(ReplySink found, Runnable ask) {
            BlockQuestion question = call.question();
            Fetch arriving = question == null
                    ? null
                    : cache.prefetcher().arriving(question, () -> cache.blocks().blockOf(question));
            if (arriving == null || !cache.prefetcher().await(arriving, call.context(), () -> lookNow(found, ask))) {
                lookNow(found, ask);
            }
        }

        private void lookNow(ReplySink found, Runnable ask) {
            StoredAnswer answer = cache.reader().read(call, false, false).answer();
            if (answer == null) {
                countMiss();
                ask.run();
                return;
            }
            foundLate = true;
            if (fetch != null) {
                cache.prefetcher().settle(fetch, true, true);
            }
            found.accept(fetch != null && fetch.isOwn() ? uncounted(answer) : reply(answer));
        }

        /** The proxy's own fetch is no client's lookup. */
        private RpcReply uncounted(StoredAnswer answer) {
            call.context().trace().markHit(answer.slice().proven());
            return answer.reply();
        }

        private void countMiss() {
            if (!missed && (fetch == null || !fetch.isOwn())) {
                missed = true;
                cache.meters().count(call.rule().kind(), LookupOutcome.MISS);
            }
        }

        private void forwardWhole(BlockAccess access) {
            Fetch fetch = cache.prefetcher().open(false, access.names());
            if (fetch == null) {
                forward(null);
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
            CacheCall wholeCall = CacheCall.of(cache.network(), call.rule(), call.field(), other, params);
            new CacheExecution(wholeCall, this::cutOut).forward(fetch);
        }

        private void cutOut(RpcReply reply) {
            if (!(reply instanceof RpcReply.Result result) || result.value().equals(RawJson.NULL)) {
                sink.accept(reply);
                return;
            }
            BlockLayout layout = BlockLayout.read(result.value());
            Slice slice = layout == null
                    ? null
                    : new BlockSlicer(result.value(), layout, false)
                            .answer(Objects.requireNonNull(call.question()), -1);
            if (slice == null) {
                next.handle(call.context(), sink);
            } else {
                sink.accept(new RpcReply.Result(slice.value()));
            }
        }
    }
}
