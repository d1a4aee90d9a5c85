package io.weir.upstream.link;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.BatchReply;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Batch of calls in one request, with the meaning of the node's answer. Confined to its event loop. */
final class BatchMessage implements Attempt.Batch {

    /** Meaning of a node's answer to a batch. Immutable. */
    sealed interface Answer {

        /**
         * One outcome for each call.
         *
         * @param outcomes in the order of the calls; empty if the batch itself may have caused it, so that the call is sent
         *     singly
         */
        record Each(List<Optional<NodeOutcome>> outcomes) implements Answer {}

        /** The same outcome for every call, which each would also get if it were sent singly. */
        record Same(NodeOutcome outcome) implements Answer {}

        /**
         * The node refuses this batch, so its calls are sent singly.
         *
         * @param maxCalls calls of a batch that the node may accept instead; 1 if it accepts none
         */
        record Refused(int maxCalls) implements Answer {}
    }

    private static final BatchVerdict VERDICTS = new BatchVerdict();

    private List<Attempt> calls;
    private List<RpcCall> asked;
    private boolean written;
    private boolean blamed;
    private boolean over;
    private @Nullable Supplier<ScheduledFuture<?>> timers;
    private @Nullable ScheduledFuture<?> patience;
    private long firstId;
    private @Nullable Answer answer;

    private BatchMessage(List<Attempt> calls) {
        this.calls = List.copyOf(calls);
        this.asked = this.calls.stream().map(Attempt::call).toList();
    }

    static BatchMessage of(List<Attempt> calls) {
        BatchMessage message = new BatchMessage(calls);
        calls.forEach(call -> call.sentOver(message));
        return message;
    }

    List<Attempt> calls() {
        return calls;
    }

    /**
     * Returns for whom it is sent: of those for whom its calls are made the one with the fewest. Else their calls would wait for the turns
     * of one with many.
     */
    Object holder() {
        Map<Object, Integer> counts = new LinkedHashMap<>();
        calls.forEach(call -> counts.merge(call.holder(), 1, Integer::sum));
        return Collections.min(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /** Returns when the last of its calls ends. */
    long deadlineNanos() {
        long latest = calls.get(0).deadlineNanos();
        for (Attempt call : calls) {
            latest = call.deadlineNanos() - latest > 0 ? call.deadlineNanos() : latest;
        }
        return latest;
    }

    /** Returns the calls that still wait for its answer: they have not ended, and were not sent singly in the meantime. */
    List<Attempt> waiting() {
        return calls.stream()
                .filter(call -> !call.ended() && call.connection() == this)
                .toList();
    }

    /** Ends a call with a failure of the whole batch. The node's health learns from it once per batch and not per call. */
    void fail(Attempt call, Failed failed) {
        if (!call.ended()) {
            boolean again = blamed;
            blamed = true;
            call.end(again ? failed.uncounted() : failed);
        }
    }

    /** Ends a call with its part of the answer, copied so that the whole answer can be freed. */
    static void endWithPart(Attempt call, NodeOutcome outcome) {
        if (!call.ended()) {
            call.end(
                    outcome instanceof Answered answered
                            ? new Answered(
                                    copied(answered.reply()),
                                    answered.status(),
                                    answered.verdict(),
                                    answered.retryAfterSeconds())
                            : outcome);
        }
    }

    private static RpcReply copied(RpcReply reply) {
        if (reply instanceof RpcReply.Result result) {
            return new RpcReply.Result(result.value().compact());
        }
        RpcReply.Failure failure = (RpcReply.Failure) reply;
        RawJson data = failure.error().data();
        return data == null
                ? failure
                : new RpcReply.Failure(
                        failure.error().withData(data.compact()), failure.kind(), failure.retryAfterSeconds());
    }

    /** Registers a source of timers. Each time the batch is written a new timer starts; it ends with the answer. */
    void onWritten(Supplier<ScheduledFuture<?>> timer) {
        timers = timer;
    }

    private void startTimer() {
        if (patience != null) {
            patience.cancel(false);
        }
        patience = over || timers == null ? null : timers.get();
    }

    /** Notes that the answer came, or that none will. */
    void returned() {
        over = true;
        if (patience != null) {
            patience.cancel(false);
        }
    }

    /** Returns whether the node may have the batch, because it no longer waits for a connection. */
    boolean written() {
        return written;
    }

    /** Returns the node's answer; null before {@link #read}, and if that was a failure. */
    @Nullable
    Answer answer() {
        return answer;
    }

    @Override
    public RawJson write(RequestWriter writer, LongSupplier ids) {
        written = true;
        dropEnded();
        startTimer();
        firstId = ids.getAsLong();
        long last = firstId;
        for (int i = 1; i < asked.size(); i++) {
            last = ids.getAsLong();
        }
        if (last - firstId != asked.size() - 1) {
            throw new IllegalStateException("ids: " + firstId + " to " + last + " (expected: one after the other)");
        }
        return writer.writeBatch(firstId, asked);
    }

    /** Leaves out the calls that ended while the batch waited for a connection. */
    private void dropEnded() {
        List<Attempt> left = calls.stream().filter(call -> !call.ended()).toList();
        if (!left.isEmpty() && left.size() < calls.size()) {
            calls = left;
            asked = left.stream().map(Attempt::call).toList();
        }
    }

    /** A node that failed with only some of the calls answers the others all the same. */
    @Override
    public NodeOutcome read(int status, byte[] body, int length, @Nullable Failed verdict) {
        NodeOutcome said = read(status, body, length);
        if (verdict == null) {
            return said;
        }
        if (answer instanceof Answer.Each each) {
            boolean failed = verdict.fault() == Fault.SERVER_ERROR && verdict.retryAfterSeconds() == 0;
            List<Optional<NodeOutcome>> outcomes = failed ? each.outcomes() : new ArrayList<>();
            for (int i = outcomes.size(); i < asked.size(); i++) {
                NodeOutcome own = each.outcomes().get(i).orElse(verdict);
                outcomes.add(Optional.of(ReplyVerdict.ofBoth(verdict, asked.get(i), own, body, length)));
            }
            answer = new Answer.Each(outcomes);
            if (outcomes.stream().anyMatch(one -> one.orElse(null) instanceof Answered)) {
                return said;
            }
        }
        answer = null;
        return ReplyVerdict.withPauseOf(verdict, body, length);
    }

    private NodeOutcome read(int status, byte[] body, int length) {
        try {
            answer = VERDICTS.of(status, body, length, firstId, asked);
        } catch (MalformedReplyException e) {
            return status == ReplyVerdict.CONTENT_TOO_LARGE
                    ? ReplyVerdict.callTooLarge()
                    : ReplyVerdict.ofMalformed(e, "HTTP " + status + " and ");
        }
        return answer instanceof Answer.Same same && same.outcome() instanceof Failed failed
                ? failed
                : new Answered(new RpcReply.Result(RawJson.slice(body, 0, length)), status, null);
    }

    /**
     * Interpretation of an answer to a batch. Immutable and thread-safe.
     *
     * <ul>
     *   <li>Ids assign answers to calls, in any order. A malformed or repeated answer affects that call alone.
     *   <li>An error instead of the array refuses the batch. An array with just one error does too, as in geth. Errors of rate
     *       or credentials are an exception, because every single call would get them too.
     *   <li>Single answers that report a size or time limit may refer to the whole batch: geth ends the rest of a batch that
     *       way. Such calls are sent singly, and calls without an answer too, unless some answer has the id of no call.
     *   <li>With an HTTP status other than 2xx the result {@code null} does not count, as in a single answer. Such calls are sent singly.
     * </ul>
     */
    static final class BatchVerdict {

        private static final List<String> SIZES = List.of("large", "big", "limit", "exceed", "max", "many", "size");
        private static final ErrorTable TABLE = new ErrorTable();

        /**
         * Returns the meaning of a complete answer.
         *
         * @param firstId of the first call; the others follow in order
         */
        Answer of(int status, byte[] body, int length, long firstId, List<RpcCall> calls)
                throws MalformedReplyException {
            BatchReply reply = ReplyReader.readBatch(body, 0, length, calls.size());
            boolean well = status >= 200 && status < 300;
            if (isRefusal(reply)) {
                return refusal(
                        status, ((RpcReply.Failure) reply.replies().get(0).reply()).error(), calls);
            }
            if (!reply.isArray() || (!well && reply.replies().stream().noneMatch(BatchVerdict::counts))) {
                if (status == ReplyVerdict.CONTENT_TOO_LARGE) {
                    return new Answer.Refused(half(calls));
                }
                Flaw flaw = well ? Flaw.NOT_AN_ARRAY : Flaw.HTTP_STATUS;
                return new Answer.Same(Failed.of(flaw, "HTTP " + status + " and no answers to a batch"));
            }
            return new Matching(well, firstId, calls).match(reply);
        }

        /** Returns false for a single result in an array, because the others may just be missing. */
        private static boolean isRefusal(BatchReply reply) {
            boolean one = reply.replies().size() == 1 && reply.malformed().isEmpty();
            return one && reply.replies().get(0).reply() instanceof RpcReply.Failure;
        }

        /** Returns whether an answer counts with an HTTP status other than 2xx. */
        private static boolean counts(NodeReply one) {
            return !(one.reply() instanceof RpcReply.Result result)
                    || !result.value().equals(RawJson.NULL);
        }

        private static Answer refusal(int status, RpcError error, List<RpcCall> calls) {
            NodeOutcome outcome = ReplyVerdict.ofReply(RpcReply.failure(error));
            if (outcome instanceof Failed) {
                return new Answer.Same(outcome);
            }
            String words = TABLE.ownWords(calls, error);
            Verdict verdict = TABLE.batchVerdict(calls, error, status);
            boolean ofAll = verdict.is(ErrorClass.RATE_LIMITED) || verdict.is(ErrorClass.CREDENTIALS);
            if (ofAll && !words.contains("batch")) {
                return new Answer.Same(new Answered(RpcReply.failure(error), status, null));
            }
            boolean ofSize =
                    status == ReplyVerdict.CONTENT_TOO_LARGE || SIZES.stream().anyMatch(words::contains);
            return new Answer.Refused(ofSize ? half(calls) : 1);
        }

        private static int half(List<RpcCall> calls) {
            return Math.max(1, calls.size() / 2);
        }

        /** Assignment of one array's answers to the calls. Confined to its event loop. */
        private static final class Matching {

            private final boolean well;
            private final long firstId;
            private final List<RpcCall> calls;
            private final List<Optional<NodeOutcome>> outcomes;
            private final boolean[] answered;
            private int matched;
            private boolean nameless;
            private boolean foreign;

            Matching(boolean well, long firstId, List<RpcCall> calls) {
                this.well = well;
                this.firstId = firstId;
                this.calls = calls;
                this.outcomes = new ArrayList<>(Collections.nCopies(calls.size(), Optional.empty()));
                this.answered = new boolean[calls.size()];
            }

            Answer match(BatchReply reply) {
                for (NodeReply one : reply.replies()) {
                    int index = index(one.id());
                    if (index >= 0) {
                        put(index, outcome(index, one));
                    }
                }
                for (MalformedReplyException one : reply.malformed()) {
                    RawJson id = one.id();
                    int index = id == null ? unmatched(true) : index(id);
                    if (index >= 0) {
                        put(index, Optional.of(ReplyVerdict.ofMalformed(one, "in a batch, ")));
                    }
                }
                Failed wrong = Failed.of(Flaw.WRONG_ID, "in a batch, an answer to another id");
                if (matched == 0 && foreign) {
                    // Nothing shows that this is the answer to this batch.
                    return new Answer.Same(wrong);
                }
                for (int i = 0; i < answered.length; i++) {
                    if (!answered[i] && !nameless && foreign) {
                        outcomes.set(i, Optional.of(wrong));
                    }
                }
                return matched == 0 ? new Answer.Refused(1) : new Answer.Each(outcomes);
            }

            private void put(int index, Optional<NodeOutcome> outcome) {
                outcomes.set(
                        index,
                        answered[index]
                                ? Optional.of(Failed.of(Flaw.DUPLICATE_ANSWER, "in a batch, two answers to one call"))
                                : outcome);
                answered[index] = true;
                matched++;
            }

            private int index(RawJson id) {
                long number = id.toNumber();
                if (number < firstId || number >= firstId + calls.size()) {
                    return unmatched(id.equals(RawJson.NULL));
                }
                return (int) (number - firstId);
            }

            private int unmatched(boolean withoutId) {
                nameless |= withoutId;
                foreign |= !withoutId;
                return -1;
            }

            private Optional<NodeOutcome> outcome(int index, NodeReply one) {
                boolean counts = one.reply() instanceof RpcReply.Failure failure
                        ? !mayBeOfBatch(index, failure.error())
                        : well || counts(one);
                return !counts ? Optional.empty() : Optional.of(ReplyVerdict.ofReply(one.reply()));
            }

            private boolean mayBeOfBatch(int index, RpcError error) {
                RpcCall call = calls.get(index);
                String words = TABLE.ownWords(List.of(call), error);
                return Stream.of("timed out", "timeout", "batch").anyMatch(words::contains)
                        || TABLE.batchVerdict(List.of(call), error, 200).is(ErrorClass.TOO_LARGE);
            }
        }
    }
}
