package io.weir.pipeline.tier;

import io.weir.access.BypassingCaller;
import io.weir.access.Caller;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.NetworkTier.Wanted;
import io.weir.cache.tier.TierMeters.Lookup;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.admission.CacheRequests;
import io.weir.upstream.LoopWaiter;
import org.jspecify.annotations.Nullable;

/**
 * The stage that answers calls of one method from a tier, if the tier has the answer in time and the answer passes its check.
 * Else the stages behind it answer. It stands behind coalescing, so that equal calls ask a tier once. Thread-safe.
 */
final class TierStage implements Stage {

    private static final TierCheck.Checked LATE = new TierCheck.Checked(null, Lookup.LATE);
    private static final TierCheck.Checked NOTHING = new TierCheck.Checked(null, null);
    private static final TierCheck.Checked SKIPPED = new TierCheck.Checked(null, Lookup.SKIPPED);

    private final CacheClass rule;
    private final NetworkTiers tiers;
    private final CacheRequests requests;
    private final Stage next;

    TierStage(CacheClass rule, NetworkTiers tiers, CacheRequests requests, Stage next) {
        this.rule = rule;
        this.tiers = tiers;
        this.requests = requests;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        RawJson json = context.call().params();
        // The proxy's own calls fill memory, from nodes' answers.
        if (context.caller() instanceof BypassingCaller
                || context.caller().equals(Caller.PROXY)
                || params == null
                || json == null
                || params.block() instanceof BlockSelector.Tag) {
            next.handle(context, sink);
            return;
        }
        CallKey key = new CallKey(requests.space(), context.call().method(), json);
        tiers.seen(context.loop());
        ask(requests.toTier(key, rule, context, params), 0, sink);
    }

    private void ask(CacheRequest request, int index, ReplySink sink) {
        if (index == tiers.size()) {
            next.handle(request.context(), sink);
            return;
        }
        NetworkTier tier = tiers.get(index);
        Wanted wanted = wanted(request);
        if (wanted == null || !tiers.mayAsk(request, tier)) {
            ask(request, index + 1, sink);
            return;
        }
        CallContext context = request.context();
        LoopWaiter<TierCheck.Checked> waiter =
                new LoopWaiter<>(context.loop(), checked -> context.step(() -> checked(request, index, checked, sink)));
        tier.find(wanted, tiers.chain().finalized().number(), parcel -> {
            if (parcel == null) {
                waiter.end(NOTHING);
            } else if (!tiers.memory()
                    .executor()
                    .tryRun(
                            context.holder(),
                            parcel.size(),
                            () -> waiter.end(tiers.check().open(request, parcel, tier)))) {
                waiter.end(SKIPPED);
            }
        });
        if (!waiter.isOver()) {
            long left = context.deadlineNanos() - System.nanoTime();
            waiter.giveUpAfter(Math.min(tier.waitNanos(), left), LATE);
        }
    }

    /** Returns the entry to look for; null if the call's block is known not to be final. */
    private @Nullable Wanted wanted(CacheRequest request) {
        CallKey key = request.key();
        BlockSelector block = request.params().block();
        if (block instanceof BlockSelector.Height height) {
            return new Wanted(key.method(), key.params(), height.number());
        }
        if (block instanceof BlockSelector.Hash hash) {
            var slot = tiers.chain().view().find(hash.hash());
            boolean recent = slot != null
                    && !tiers.chain().finalized().covers(slot.block().number());
            return recent ? null : new Wanted(key.method(), key.params(), -1);
        }
        return request.params().lookupHash() == null ? null : new Wanted(key.method(), key.params(), -1);
    }

    private void checked(CacheRequest request, int index, TierCheck.Checked checked, ReplySink sink) {
        NetworkTier tier = tiers.get(index);
        TierAnswer answer = checked.answer();
        if (answer == null) {
            if (checked.outcome() != null) {
                tier.count(checked.outcome());
            }
            ask(request, index + 1, sink);
            return;
        }
        Runnable known = () -> {
            if (tiers.check().isInPlace(request, answer, tier) && serve(request, index, answer, sink)) {
                tier.count(Lookup.HIT);
            } else {
                tier.count(Lookup.REFUSED);
                ask(request, index + 1, sink);
            }
        };
        CallContext context = request.context();
        tiers.chain().finality().whenKnown(context.loop(), answer.number(), () -> context.step(known));
    }

    /** Answers the call; returns false if a purge came meanwhile, or if the node of the answer gave a false one since. */
    private boolean serve(CacheRequest request, int index, TierAnswer answer, ReplySink sink) {
        CachedResult result = tiers.check().result(request, answer);
        CallKey key = request.key().compact();
        // After the mark was taken: either that is worthless now, or the tier knows already.
        if (tiers.get(index).isRevoked(answer.entry())) {
            return false;
        }
        if (!tiers.memory().store().keep(key, result, request.purges())
                && tiers.memory().store().purges() != request.purges()) {
            return false;
        }
        if (!result.proven().isEmpty() || tiers.mayPassOn(tiers.get(index))) {
            tiers.offerNearer(key, result, request.purges(), index);
        }
        RpcReply reply = new RpcReply.Result(result.value());
        if (tiers.memory().hasRoom(reply)) {
            request.context().trace().markHit(result.proven());
            sink.accept(reply);
        } else {
            sink.accept(RpcReply.NO_ROOM);
        }
        return true;
    }
}
