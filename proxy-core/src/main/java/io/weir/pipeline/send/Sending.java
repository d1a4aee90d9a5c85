package io.weir.pipeline.send;

import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.ChainCalls;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.send.SendStage.Outcome;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.PoolView;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Transaction in flight to one or more nodes. Each path begins at a node of its own. It moves on to another one only if that one
 * surely did not take the transaction. No node gets it twice. The first node that has it decides; otherwise the answer waits for all
 * paths. If a node may have taken it without saying so, the transaction is looked up by its hash. Confined to the call's event loop.
 */
final class Sending {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(Sending.class));

    /** Time in which a node shows a transaction that it took, even if it is slow: a few blocks of fast chains. */
    private static final long SEARCH_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time of the call that its attempts leave for a search, at most. */
    private static final long MAX_RESERVED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MAX_LOOKED = 4;
    private static final long LOOKUP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final SendStage.Parts parts;
    private final SentTransaction transaction;
    private final CallContext context;
    private final ReplySink sink;
    /** Nodes of all paths, in order. */
    private final List<Upstream> asked = new ArrayList<>(2);

    /** Nodes that answered with another hash than the transaction's own. */
    private final List<String> otherHashes = new ArrayList<>(0);

    /** Nodes that refused the transaction. */
    private final Set<String> refusing = new HashSet<>(0);

    private int open;
    /** When the call ends. The attempts end earlier. */
    private long lastNanos;

    private boolean answered;
    private boolean taken;
    /** Whether a node may have it without having said so. */
    private boolean uncertain;

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
        context.setRoute(context.route().observedBy(this::note));
        long deadlineNanos = context.deadlineNanos();
        context.moveDeadline(deadlineNanos - searchNanos(deadlineNanos - System.nanoTime()));
        lastNanos = deadlineNanos;
        for (int i = 0; i < paths; i++) {
            path();
        }
    }

    private void note(String upstreamId, NodeOutcome outcome) {
        if (outcome instanceof Failed failed) {
            uncertain |= failed.executed() == Executed.MAYBE;
        } else if (((Answered) outcome).reply() instanceof RpcReply.Failure) {
            refusing.add(upstreamId);
        }
    }

    private void path() {
        parts.forwarding().over(new SendPath(parts.pool()), false).handle(context, this::end);
    }

    private void end(RpcReply reply) {
        open--;
        if (answered) {
            return;
        }
        if (reply instanceof RpcReply.Failure failed) {
            failed(failed);
        } else if (isOwnHash((RpcReply.Result) reply)) {
            accepted(Outcome.ACCEPTED);
        } else {
            otherHash();
            if (parts.pool().hasAnother(context.call(), asked, context.route().block())) {
                // This node may not have it.
                open++;
                path();
                return;
            }
        }
        if (open == 0 && !answered) {
            context.moveDeadline(lastNanos);
            conclude(failure);
        }
    }

    private void failed(RpcReply.Failure failed) {
        SendVerdict verdict = failed.kind() == FailureKind.ANSWER
                ? SendVerdict.of(failed.error().message(), transaction.hash())
                : SendVerdict.REFUSED;
        if (verdict == SendVerdict.KNOWN) {
            accepted(Outcome.KNOWN);
            return;
        }
        taken |= verdict == SendVerdict.TAKEN;
        failure = moreInformative(failure, failed);
    }

    /** Returns the part of the time left that the attempts leave for a search. */
    private long searchNanos(long leftNanos) {
        return Math.max(0, Math.min(MAX_RESERVED_NANOS, leftNanos / 4));
    }

    /** Returns the more informative failure: that of a node about the transaction, before that of the proxy about nodes. */
    private static RpcReply.Failure moreInformative(RpcReply.@Nullable Failure before, RpcReply.Failure now) {
        return before == null || (before.kind() != FailureKind.ANSWER && now.kind() == FailureKind.ANSWER)
                ? now
                : before;
    }

    private void conclude(RpcReply.@Nullable Failure last) {
        blameOtherHashes(false);
        if (last == null || (!otherHashes.isEmpty() && last.kind() != FailureKind.ANSWER)) {
            answer(Outcome.OTHER_HASH, new RpcReply.Result(transaction.result()));
            return;
        }
        Outcome outcome = last.kind() == FailureKind.ANSWER ? Outcome.REFUSED : Outcome.UNANSWERED;
        if (uncertain) {
            search(last);
            return;
        }
        if (!taken) {
            answer(outcome, last);
            return;
        }
        // A node that accepted it before, in this call or an earlier one, reports a used nonce.
        lookUp(asked, found -> {
            if (found) {
                answer(Outcome.FOUND, new RpcReply.Result(transaction.result()));
            } else {
                answer(outcome, last);
            }
        });
    }

    private void search(RpcReply.Failure last) {
        List<Upstream> nodes = new ArrayList<>(asked);
        for (Upstream node : parts.pool().upstreams()) {
            if (!asked.contains(node) && node.status().health() == Health.HEALTHY) {
                nodes.add(node);
            }
        }
        new OutcomeSearch(
                        nodes,
                        found -> answer(
                                found ? Outcome.FOUND : Outcome.UNCERTAIN,
                                found ? new RpcReply.Result(transaction.result()) : unknown(last)))
                .look();
    }

    /** Returns the error that leaves it open whether a node has the transaction. Clients do not repeat the call after it. */
    private RpcReply unknown(RpcReply.Failure last) {
        String message = "it is unknown whether transaction "
                + transaction.hash().hex() + " was sent: look it up before you send it again ("
                + last.error().message() + ")";
        return RpcReply.failure(ErrorCode.INVALID_INPUT.error(message).withData(transaction.result()));
    }

    private void answer(Outcome outcome, RpcReply reply) {
        answered = true;
        parts.outcomes().count(outcome);
        // Before the client hears of it: it may read the transaction at once.
        if (reply instanceof RpcReply.Result) {
            parts.keep(transaction, context.trace().upstreamId());
        } else if (outcome == Outcome.REFUSED && !taken) {
            parts.drop(transaction, refusing);
        }
        sink.accept(reply);
    }

    private void accepted(Outcome outcome) {
        blameOtherHashes(true);
        answer(outcome, new RpcReply.Result(transaction.result()));
    }

    private boolean isOwnHash(RpcReply.Result result) {
        return result.value().toString().equalsIgnoreCase(transaction.result().toString());
    }

    private void otherHash() {
        String upstreamId = String.valueOf(context.trace().upstreamId());
        otherHashes.add(upstreamId);
        LOG.warn("network " + context.network().name() + ": upstream " + upstreamId
                + " answered a transaction with another hash than Ethereum's rules give (if the chain has other rules,"
                + " say hashing = none)");
    }

    /** Counts the other hashes of nodes. They cost health only if another node knows the right hash: chains may have other rules. */
    private void blameOtherHashes(boolean costs) {
        otherHashes.forEach(upstreamId ->
                parts.pool().refuted(upstreamId, Flaw.FALSE_HASH, "another hash than the transaction's own", costs));
    }

    /** View of the pool without the nodes that other paths have asked. Confined to the call's event loop. */
    private final class SendPath extends PoolView {

        SendPath(UpstreamPool pool) {
            super(pool);
        }

        @Override
        public @Nullable Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
            Choice choice = pool.choose(call, asked, leastHead);
            if (choice != null) {
                asked.add(choice.upstream());
            }
            return choice;
        }

        @Override
        public long throttledNanos(List<Upstream> tried) {
            return pool.throttledNanos(asked);
        }
    }

    /**
     * Lookups of a transaction that a node may have taken, with growing pauses, until a node has it or the time is over. A node may still
     * be taking it in. Confined to the call's event loop.
     */
    private final class OutcomeSearch {

        private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
        private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

        private final List<Upstream> nodes;
        private final long endNanos;
        private final Consumer<Boolean> sink;
        private long pauseNanos = FIRST_PAUSE_NANOS;

        /**
         * @param nodes of which the first few are asked
         * @param sink receives the result once, on the call's loop
         */
        OutcomeSearch(List<Upstream> nodes, Consumer<Boolean> sink) {
            this.nodes = nodes;
            long now = System.nanoTime();
            this.endNanos = now + Math.min(SEARCH_NANOS, context.deadlineNanos() - now);
            this.sink = sink;
        }

        void look() {
            if (endNanos - System.nanoTime() <= 0) {
                sink.accept(false);
            } else {
                lookUp(nodes, this::ended);
            }
        }

        private void ended(boolean found) {
            if (found || endNanos - System.nanoTime() <= pauseNanos) {
                sink.accept(found);
                return;
            }
            context.loop().schedule(() -> context.step(this::look), pauseNanos, TimeUnit.NANOSECONDS);
            pauseNanos = Math.min(2 * pauseNanos, MAX_PAUSE_NANOS);
        }
    }

    /**
     * Looks the transaction up at the first few of these nodes at the same time. It is short, because the client's answer waits for it.
     *
     * @param sink receives the result once, on the call's loop
     */
    private void lookUp(List<Upstream> nodes, Consumer<Boolean> sink) {
        List<Upstream> first = List.copyOf(nodes.subList(0, Math.min(MAX_LOOKED, nodes.size())));
        if (first.isEmpty()) {
            sink.accept(false);
            return;
        }
        int[] missing = {first.size()};
        Consumer<NodeOutcome> end = outcome -> {
            boolean found = outcome instanceof Answered answer
                    && answer.reply() instanceof RpcReply.Result result
                    && result.value().first() == '{';
            missing[0]--;
            if (missing[0] == 0 || (found && missing[0] > 0)) {
                // Later outcomes find a negative number.
                missing[0] = 0;
                sink.accept(found);
            }
        };
        RpcCall call = ChainCalls.transaction(transaction.hash().hex());
        long now = System.nanoTime();
        long deadline = now + Math.min(context.deadlineNanos() - now, LOOKUP_NANOS);
        first.forEach(node -> node.ask(context.loop(), call, deadline, Attempt.of(end)));
    }

    /** Meaning of a node's error for a transaction. */
    enum SendVerdict {
        /** The node has it already. */
        KNOWN,
        /** Its nonce is used: by another transaction, or by this one, sent before. */
        TAKEN,
        /** The node refuses it. */
        REFUSED;

        /**
         * Wordings of known transactions. geth, erigon and reth: {@code already known}. besu: {@code Known transaction}; hardhat
         * and old geth: the same with the hash. nethermind: {@code AlreadyKnown}. anvil: {@code transaction already imported}.
         * parity: {@code Transaction with the same hash was already imported.} erigon: {@code existing tx with same hash}
         */
        private static final Pattern KNOWN_WORDS = Pattern.compile(
                "\\balready\\s?known\\b|\\bknown transaction\\b|\\balready (imported|exists)\\b"
                        + "|\\balready in (the )?((mem|tx|m)?pool|system)|\\btx with same hash",
                Pattern.CASE_INSENSITIVE);

        /**
         * Wordings of used nonces: {@code nonce too low} in its spellings. nethermind: {@code OldNonce} and {@code
         * ReplacementNotAllowed}. parity: {@code There is another transaction with same nonce in the queue.}
         */
        private static final Pattern TAKEN_WORDS = Pattern.compile(
                "nonce\\s?(is\\s)?too\\s?low|\\bold\\s?nonce\\b|replacement|transaction with same nonce",
                Pattern.CASE_INSENSITIVE);

        private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]{64}(?![0-9a-fA-F])");
        private static final int MAX_READ = 1000;

        /** Returns the meaning of this message for the transaction with this hash. */
        static SendVerdict of(String message, Hash32 hash) {
            String read = message.substring(0, Math.min(MAX_READ, message.length()));
            if (KNOWN_WORDS.matcher(read).find()) {
                return namesAnother(read, hash) ? TAKEN : KNOWN;
            }
            return TAKEN_WORDS.matcher(read).find() ? TAKEN : REFUSED;
        }

        private static boolean namesAnother(String message, Hash32 hash) {
            Matcher named = HASH.matcher(message);
            return named.find() && !named.group().equalsIgnoreCase(hash.hex());
        }
    }
}
