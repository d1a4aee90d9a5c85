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
import io.weir.pipeline.watch.LoopWaiter;
import org.jspecify.annotations.Nullable;

/**
 * Answers a call that memory could not from a tier behind it, where that has the answer in time and the answer is believed; else
 * has what is behind it answer. Stands behind the joining of calls, so that a tier is asked once for all. Thread-safe.
 */
final class TierStage implements Stage {

    private static final TierCheck.Checked LATE = new TierCheck.Checked(null, Lookup.LATE);
    private static final TierCheck.Checked NOTHING = new TierCheck.Checked(null, null);
    private static final TierCheck.Checked SKIPPED = new TierCheck.Checked(null, Lookup.SKIPPED);

    private static final RpcReply NO_ROOM = RpcReply.unavailable("overloaded: no room for the answer");

    private final CacheClass rule;
    private final NetworkTiers tiers;
    private final Asked.Reading reading;
    private final Stage next;

    /** Makes the stage of one method. */
    TierStage(CacheClass rule, NetworkTiers tiers, Asked.Reading reading, Stage next) {
        this.rule = rule;
        this.tiers = tiers;
        this.reading = reading;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        RawJson json = context.call().params();
        // What the proxy asks for itself is for memory, and is taken from a node's answer.
        if (context.caller() instanceof BypassingCaller
                || context.caller().equals(Caller.PROXY)
                || params == null
                || json == null
                || params.block() instanceof BlockSelector.Tag) {
            next.handle(context, sink);
            return;
        }
        CallKey key = new CallKey(context.network().name(), context.call().method(), json);
        tiers.seen(context.loop());
        ask(reading.read(key, rule, context, params), 0, sink);
    }

    private void ask(Asked question, int index, ReplySink sink) {
        if (index == tiers.size()) {
            next.handle(question.context(), sink);
            return;
        }
        NetworkTier tier = tiers.get(index);
        Wanted wanted = wanted(question);
        if (wanted == null || !tiers.mayAsk(question, tier)) {
            ask(question, index + 1, sink);
            return;
        }
        CallContext context = question.context();
        LoopWaiter<TierCheck.Checked> waiter = new LoopWaiter<>(
                context.loop(), checked -> context.step(() -> checked(question, index, checked, sink)));
        tier.find(wanted, tiers.chain().finalized().number(), parcel -> {
            if (parcel == null) {
                waiter.end(NOTHING);
            } else if (!tiers.memory()
                    .executor()
                    .tryRun(parcel.size(), () -> waiter.end(tiers.check().open(question, parcel)))) {
                waiter.end(SKIPPED);
            }
        });
        if (!waiter.isOver()) {
            long left = context.deadlineNanos() - System.nanoTime();
            waiter.giveUpAfter(Math.min(tier.waitNanos(), left), LATE);
        }
    }

    /** What to look for; null where the call's block is known to be no final one. */
    private @Nullable Wanted wanted(Asked question) {
        CallKey key = question.key();
        BlockSelector block = question.params().block();
        if (block instanceof BlockSelector.Height height) {
            return new Wanted(key.method(), key.params(), height.number());
        }
        if (block instanceof BlockSelector.Hash hash) {
            var slot = tiers.chain().view().find(hash.hash());
            boolean recent = slot != null
                    && !tiers.chain().finalized().covers(slot.block().number());
            return recent ? null : new Wanted(key.method(), key.params(), -1);
        }
        return question.params().lookupHash() == null ? null : new Wanted(key.method(), key.params(), -1);
    }

    private void checked(Asked question, int index, TierCheck.Checked checked, ReplySink sink) {
        NetworkTier tier = tiers.get(index);
        TierAnswer answer = checked.answer();
        if (answer == null) {
            if (checked.outcome() != null) {
                tier.count(checked.outcome());
            }
            ask(question, index + 1, sink);
            return;
        }
        Runnable known = () -> {
            if (tiers.check().isInPlace(question, answer, tier) && serve(question, index, answer, sink)) {
                tier.count(Lookup.HIT);
            } else {
                tier.count(Lookup.REFUSED);
                ask(question, index + 1, sink);
            }
        };
        CallContext context = question.context();
        tiers.chain().finality().whenKnown(context.loop(), answer.number(), () -> context.step(known));
    }

    /** Answers, unless a purge came meanwhile. */
    private boolean serve(Asked question, int index, TierAnswer answer, ReplySink sink) {
        CachedResult result = tiers.check().result(question, answer);
        CallKey key = question.key().compact();
        if (!tiers.memory().store().keep(key, result, question.purges())
                && tiers.memory().store().purges() != question.purges()) {
            return false;
        }
        tiers.offerNearer(key, result, question.purges(), index);
        RpcReply reply = new RpcReply.Result(result.value());
        if (tiers.memory().hasRoom(reply)) {
            question.context().trace().markHit(result.proven());
            sink.accept(reply);
        } else {
            sink.accept(NO_ROOM);
        }
        return true;
    }
}
