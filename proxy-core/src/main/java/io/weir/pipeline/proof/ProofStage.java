package io.weir.pipeline.proof;

import io.weir.cache.CacheMeters.Serving;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Answers a call with what is proven, before it is served: an answer that fails is as a failed attempt, and another node is asked.
 * What the answer says of a block's place in the chain is held against a second node's word. Where nothing can prove an answer,
 * such as state, it passes and is counted. Thread-safe.
 */
final class ProofStage implements Stage {

    /** Nodes that may be outvoted by two others, one after the other, before a call is answered as it comes. */
    private static final int MAX_OUTVOTED = 2;

    private final Found.Way way;
    private final Predicate<CheckedParams> provable;
    private final Proofs.Desk desk;
    private final Anchors anchors;
    private final Nodes nodes;
    private final Whole.Sink kept;
    private final Stage next;

    /** What the stages of one network share. */
    record Shared(Proofs.Desk desk, Anchors anchors, Nodes nodes, Whole.Sink kept) {}

    /**
     * Makes the stage of one method.
     *
     * @param provable whether a call's answer can be proven
     * @param shared what all methods of the network share
     * @param next sends calls to nodes, as they are
     */
    ProofStage(Found.Way way, Predicate<CheckedParams> provable, Shared shared, Stage next) {
        this.way = way;
        this.provable = provable;
        this.desk = shared.desk();
        this.anchors = shared.anchors();
        this.nodes = shared.nodes();
        this.kept = shared.kept();
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (params == null || isPending(params) || !provable.test(params)) {
            desk.meters().count(Serving.UNPROVEN);
            next.handle(context, sink);
        } else {
            find(context, params, Set.of(), true, sink);
        }
    }

    private static boolean isPending(CheckedParams params) {
        return params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING;
    }

    /** @param again whether it may be asked for once more */
    private void find(CallContext context, CheckedParams params, Set<String> outvoted, boolean again, ReplySink sink) {
        Stage stage = outvoted.isEmpty() ? nodes.all() : nodes.without().apply(outvoted);
        way.find(context, params, stage, found -> {
            RpcReply reply = found.reply();
            context.trace().askedAs(found.trace());
            if (found.lacking() && again) {
                // The block that was named may have been dropped since: then another one, or none, is named now.
                find(context, params, outvoted, false, sink);
            } else if (reply == null) {
                desk.meters().count(Serving.UNPROVEN);
                next.handle(context, sink);
            } else if (found.place() == null) {
                answer(context, found, reply, sink);
            } else {
                anchors.find(context, found.place(), standing -> {
                    switch (standing) {
                        case CANONICAL -> answer(context, found, reply, sink);
                        case OTHER -> outvoted(context, params, outvoted, found, reply, sink);
                        default -> unanchored(context, found, reply, sink);
                    }
                });
            }
        });
    }

    private void outvoted(
            CallContext context,
            CheckedParams params,
            Set<String> outvoted,
            Found found,
            RpcReply reply,
            ReplySink sink) {
        Found.Place place = found.place();
        if (place == null || outvoted.size() >= MAX_OUTVOTED) {
            unanchored(context, found, reply, sink);
            return;
        }
        desk.meters().count(Serving.OUTVOTED);
        Set<String> more = new HashSet<>(outvoted);
        more.add(place.upstreamId());
        find(context, params, Set.copyOf(more), false, sink);
    }

    private void unanchored(CallContext context, Found found, RpcReply reply, ReplySink sink) {
        desk.meters().count(Serving.UNANCHORED);
        if (anchors.isPossible()) {
            context.trace().markUnanchored();
        } else if (found.proven()) {
            // Kept, as nobody could say more, and not called verified.
            context.trace().markProven("");
        }
        sink.accept(reply);
    }

    private void answer(CallContext context, Found found, RpcReply reply, ReplySink sink) {
        if (found.proven()) {
            context.trace().markProven(found.parts());
        }
        sink.accept(reply);
        if (found.whole() != null) {
            kept.take(context, found.whole());
        }
    }
}
