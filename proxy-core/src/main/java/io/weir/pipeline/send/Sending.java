package io.weir.pipeline.send;

import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.send.SendMeters.Outcome;
import io.weir.upstream.PoolView;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Transaction in flight to one or more nodes. Each path begins at a node of its own and moves on to another if that gives no
 * answer. Repeating it is safe, because the transaction is the same everywhere. The first node that has it decides;
 * otherwise the answer waits for all paths. Confined to the call's event loop.
 */
final class Sending {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(Sending.class));

    private final SendStage.Parts parts;
    private final SentTransaction transaction;
    private final CallContext context;
    private final ReplySink sink;
    /** Nodes of all paths, in order. */
    private final List<Upstream> asked = new ArrayList<>(2);

    private int open;
    private boolean answered;
    private boolean taken;
    private RpcReply.@Nullable Failure failure;

    Sending(SendStage.Parts parts, SentTransaction transaction, CallContext context, ReplySink sink) {
        this.parts = parts;
        this.transaction = transaction;
        this.context = context;
        this.sink = sink;
    }

    void begin() {
        int paths =
                Math.max(1, Math.min(parts.broadcast(), parts.pool().upstreams().size()));
        open = paths;
        for (int i = 0; i < paths; i++) {
            parts.forwarding().over(new SendPath(parts.pool()), true).handle(context, this::end);
        }
    }

    private void end(RpcReply reply) {
        open--;
        if (answered) {
            return;
        }
        if (reply instanceof RpcReply.Result result) {
            answer(checked(result), result);
            return;
        }
        RpcReply.Failure failed = (RpcReply.Failure) reply;
        SendVerdict verdict = failed.kind() == FailureKind.ANSWER
                ? SendVerdict.of(failed.error().message(), transaction.hash())
                : SendVerdict.REFUSED;
        if (verdict == SendVerdict.KNOWN) {
            answer(Outcome.KNOWN, new RpcReply.Result(transaction.result()));
            return;
        }
        taken |= verdict == SendVerdict.TAKEN;
        failure = moreInformative(failure, failed);
        if (open == 0) {
            conclude(failure);
        }
    }

    /** Returns the more informative failure: that of a node about the transaction, before that of the proxy about nodes. */
    private static RpcReply.Failure moreInformative(RpcReply.@Nullable Failure before, RpcReply.Failure now) {
        return before == null || (before.kind() != FailureKind.ANSWER && now.kind() == FailureKind.ANSWER)
                ? now
                : before;
    }

    private void conclude(RpcReply.Failure last) {
        Outcome outcome = last.kind() == FailureKind.ANSWER ? Outcome.REFUSED : Outcome.UNANSWERED;
        if (!taken) {
            answer(outcome, last);
            return;
        }
        // A node that accepted it before, in this call or an earlier one, reports a used nonce.
        HashLookup.begin(asked, transaction.hash(), context, found -> {
            if (found) {
                answer(Outcome.FOUND, new RpcReply.Result(transaction.result()));
            } else {
                answer(outcome, last);
            }
        });
    }

    private void answer(Outcome outcome, RpcReply reply) {
        answered = true;
        parts.meters().count(outcome);
        sink.accept(reply);
    }

    /**
     * Counts a result that is not the hash, but does not reject it. On a chain with other rules the node is right, and its
     * clients will ask for the transaction by the node's hash.
     */
    private Outcome checked(RpcReply.Result result) {
        if (result.value().toString().equalsIgnoreCase(transaction.result().toString())) {
            return Outcome.ACCEPTED;
        }
        LOG.warn("network " + context.network().name() + ": upstream "
                + context.trace().upstreamId()
                + " answered a transaction with another hash than Ethereum's rules give (if the chain has other rules, say"
                + " hashing = none)");
        return Outcome.OTHER_HASH;
    }

    /** View of the pool without the nodes that other paths have asked. Confined to the call's event loop. */
    private final class SendPath extends PoolView {

        private boolean begun;

        SendPath(UpstreamPool pool) {
            super(pool);
        }

        @Override
        public @Nullable Choice choose(String method, List<Upstream> tried, long leastHead) {
            if (begun && tried.isEmpty()) {
                // No other node is left, and a connection broke: any node is tried once more.
                return pool.choose(method, tried, leastHead);
            }
            begun = true;
            Choice choice = pool.choose(method, asked, leastHead);
            if (choice != null) {
                asked.add(choice.upstream());
            }
            return choice;
        }
    }
}
