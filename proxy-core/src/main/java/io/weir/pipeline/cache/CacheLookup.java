package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters.Lookup;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.block.BlockLayout;
import io.weir.cache.block.BlockPosition;
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
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.CachedBlocks.Found;
import io.weir.pipeline.cache.admission.CacheRequest;
import io.weir.pipeline.prefetch.Fetch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One call that may be answered from memory, on its way through that and, where it is not there, to a node. Confined to its loop. */
final class CacheLookup implements io.weir.pipeline.prefetch.Lookup {

    /** How often the chain is looked at for one call: a check fails where the head rises under it. */
    private static final int CHECKS = 2;

    private final NetworkCache cache;
    private final CacheClass rule;
    private final CallContext context;
    private final CheckedParams params;
    private final CallKey key;
    private final Stage next;
    private final ReplySink sink;
    private final @Nullable BlockQuestion question;

    /**
     * Begins one.
     *
     * @param field the part of a block that the method asks for; null if it asks for none
     * @param params the context's
     * @param next asks a node
     */
    CacheLookup(
            NetworkCache cache,
            CacheClass rule,
            @Nullable BlockField field,
            CallContext context,
            CheckedParams params,
            Stage next,
            ReplySink sink) {
        this.cache = cache;
        this.rule = rule;
        this.context = context;
        this.params = params;
        this.key = new CallKey(cache.network(), context.call().method(), params.json());
        this.next = next;
        this.sink = sink;
        this.question = BlockQuestion.of(field, params);
    }

    /**
     * Looks into the memory.
     *
     * @param checked whether the chain was looked at for this call, as well as that could be done
     * @param gathers whether it may wait for what is on its way, where it is not there
     */
    void look(boolean checked, boolean gathers) {
        CachedResult result = cache.store().get(key);
        if (result == null) {
            lookInBlocks(checked, gathers);
            return;
        }
        switch (cache.standing(key, result, checked)) {
            case HOLDS -> hit(result.reply(), new Slice(result.value(), told(result), true));
            case FALLEN -> {
                cache.store().remove(key, result);
                lookInBlocks(checked, gathers);
            }
            default -> lookOnceFresh(gathers, CHECKS);
        }
    }

    private String told(CachedResult result) {
        boolean byHash = params.block() instanceof BlockSelector.Hash || rule == CacheClass.TRANSACTION;
        return cache.keeper().isTold(result, byHash) ? result.proven() : "";
    }

    /** What was not asked for in these words may be part of a block that is in memory. */
    private void lookInBlocks(boolean checked, boolean gathers) {
        Found found = question == null ? Found.NOTHING : cache.kept().find(question, checked);
        if (found.piece() != null) {
            if (found.kept() != null) {
                cache.aliases().note(key, found.kept());
            }
            hit(new RpcReply.Result(found.piece().value()), found.piece());
        } else if (found.unsure()) {
            lookOnceFresh(gathers, CHECKS);
        } else if (gathers && question != null) {
            cache.gatherer().handle(this);
        } else {
            forward(null);
        }
    }

    private void lookOnceFresh(boolean gathers, int checks) {
        cache.chain()
                .watch()
                .whenFresh(
                        context.loop(),
                        context.deadlineNanos(),
                        known -> context.step(() -> {
                            if (known) {
                                look(true, gathers);
                            } else if (checks > 1) {
                                lookOnceFresh(gathers, checks - 1);
                            } else {
                                forward(null);
                            }
                        }));
    }

    private void hit(RpcReply reply, Slice piece) {
        sink.accept(cache.serve(context, rule, reply, piece.whole(), piece.proven()));
    }

    @Override
    public CallContext context() {
        return context;
    }

    @Override
    public CallKey key() {
        return key;
    }

    @Override
    public BlockQuestion question() {
        if (question == null) {
            throw new IllegalStateException("question: none (expected: a call about one block)");
        }
        return question;
    }

    @Override
    public @Nullable String block() {
        BlockPosition place = cache.kept().place(question());
        return place == null ? null : place.block();
    }

    @Override
    public boolean isKept(String block, boolean receipts) {
        return cache.kept().has(block, receipts);
    }

    @Override
    public boolean isWorthFetching() {
        long number = question().number();
        return number < 0 || cache.keeper().mayAnchor(number);
    }

    @Override
    public void lookAgain() {
        look(false, false);
    }

    @Override
    public void forward(@Nullable Fetch fetch) {
        if (fetch == null || !fetch.isOwn()) {
            context.trace().markMiss();
            cache.meters().count(rule.kind(), Lookup.MISS);
        }
        BlockRef holder = question == null ? null : cache.kept().blockOfTransaction(question);
        if (holder != null) {
            // The transaction is in a known block: a node that does not find it lacks it.
            context.needsBlock(holder.number(), true);
        }
        CacheRequest asked = cache.question(key, rule, context, params, kept -> {
            if (fetch != null) {
                // The answer to a client's own call may lack only the budget for a block's uncles: then it is soon
                // tried again.
                cache.gatherer().settle(fetch, fetch.isOwn(), kept);
            }
        });
        ResponseCaching intake = new ResponseCaching(cache, rule, params, this, question, sink);
        if (fetch == null) {
            next.handle(context, reply -> intake.take(asked, null, reply));
            return;
        }
        CallGuard guard = new CallGuard(context, reply -> {
            try {
                intake.take(asked, fetch, reply);
            } catch (RuntimeException | Error e) {
                // Nobody waits for a block that will not come.
                cache.gatherer().settle(fetch, false, false);
                throw e;
            }
        });
        guard.pass(next);
    }

    @Override
    public void forwardWhole(Fetch fetch) {
        RawJson whole = RawJson.of("[" + params.values().get(0) + ",true]");
        CallContext other = context.with(new RpcCall(context.call().id(), key.method(), whole));
        other.needsBlock(context.leastHead(), context.blockExists());
        try {
            other.checked(params.shape().check(whole, false));
        } catch (InvalidParamsException e) {
            throw new IllegalStateException(e);
        }
        CheckedParams checked = Objects.requireNonNull(other.checkedParams());
        new CacheLookup(cache, rule, BlockField.WHOLE, other, checked, next, this::cutOut).forward(fetch);
    }

    private void cutOut(RpcReply reply) {
        if (!(reply instanceof RpcReply.Result result) || result.value().equals(RawJson.NULL)) {
            sink.accept(reply);
            return;
        }
        BlockLayout layout = BlockLayout.read(result.value());
        Slice piece = layout == null ? null : new BlockSlicer(result.value(), layout, false).answer(question(), -1);
        if (piece == null) {
            next.handle(context, sink);
        } else {
            sink.accept(new RpcReply.Result(piece.value()));
        }
    }
}
