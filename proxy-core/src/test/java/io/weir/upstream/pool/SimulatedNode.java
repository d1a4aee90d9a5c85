package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Node in virtual time, whose condition changes by a plan. Confined to one thread. */
final class SimulatedNode implements NodeClient {

    /** What the node does. */
    enum Condition {
        GOOD("good", true),
        SLOW("slow (300 ms)", true),
        HANGS("takes calls, never answers", false),
        PARTED("behind a partition, with others", false),
        FAILS("HTTP 500, 80 % of calls", false),
        ERRS("500, bad answers and -32603, 70 % of calls", false),
        BREAKS("half of the connections break", false),
        REFUSES("refuses connections", false),
        LIMITS("429 with a time", false),
        LIMITS_UNTIMED("429 without a time", false),
        LIMITS_IN_WORDS("-32005 as a rate limit", false),
        STALLS("its head stands still", true),
        LAGS("one to eight blocks behind", true);

        final String words;
        /** Whether it answers every call about a block that it has. */
        final boolean answers;

        Condition(String words, boolean answers) {
            this.words = words;
            this.answers = answers;
        }

        private boolean isLimit() {
            return this == LIMITS || this == LIMITS_UNTIMED || this == LIMITS_IN_WORDS;
        }
    }

    /** Condition other than good, for a time; with the number of blocks that the node is behind. */
    record Phase(long fromNanos, long untilNanos, Condition condition, int behind) {

        boolean touches(long fromOther, long untilOther) {
            return fromNanos <= untilOther && untilNanos >= fromOther;
        }
    }

    /** Blocks whose state every node has. */
    static final int STATE_BLOCKS = 128;

    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    /** The pause that it asks for when it limits calls, and the longest time until a call learned of it. */
    private static final long LIMITED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_200);

    private static final long REFUSAL_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    final String id;
    final boolean archive;
    private final FakeNode blocks = new FakeNode();
    private final List<Phase> phases = new ArrayList<>();
    private final long latencyNanos;
    private final SimulatedChain chain;
    private final AttemptLedger ledger;
    private final Random random;
    private long lastCallNanos = -1;

    SimulatedNode(
            String id, boolean archive, long latencyNanos, SimulatedChain chain, AttemptLedger ledger, Random random) {
        this.id = id;
        this.archive = archive;
        this.latencyNanos = latencyNanos;
        this.chain = chain;
        this.ledger = ledger;
        this.random = random;
    }

    /** Adds a condition; not at the time of another one. */
    void plan(Phase phase) {
        if (phases.stream().noneMatch(other -> other.touches(phase.fromNanos(), phase.untilNanos()))) {
            phases.add(phase);
        }
    }

    /** Returns the condition that is not good; null if it is good. */
    @Nullable
    Phase phase(long nanos) {
        for (Phase phase : phases) {
            if (phase.fromNanos() <= nanos && nanos < phase.untilNanos()) {
                return phase;
            }
        }
        return null;
    }

    private Condition condition() {
        Phase phase = phase(chain.nanos());
        return phase == null ? Condition.GOOD : phase.condition();
    }

    private long head(long nanos) {
        Phase phase = phase(nanos);
        if (phase == null) {
            return chain.head(nanos);
        }
        return switch (phase.condition()) {
            case STALLS -> chain.head(phase.fromNanos());
            case LAGS -> chain.head(nanos) - phase.behind();
            default -> chain.head(nanos);
        };
    }

    /** Returns whether it answers every call about a block between two times, and no limit of its rate is known any more. */
    boolean answers(long block, long fromNanos, long untilNanos) {
        if (head(fromNanos) < block || lacksState(block)) {
            return false;
        }
        for (Phase phase : phases) {
            boolean during = phase.touches(fromNanos, untilNanos);
            boolean bad =
                    !phase.condition().answers || (during && head(Math.max(fromNanos, phase.fromNanos())) < block);
            long until = phase.untilNanos() + (phase.condition().isLimit() ? LIMITED_NANOS : 0);
            if (bad && phase.fromNanos() <= untilNanos && until >= fromNanos) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether it is pruned, and keeps no state of a block. */
    boolean lacksState(long block) {
        return !archive && block > 0 && chain.head(chain.nanos()) - block >= STATE_BLOCKS;
    }

    /** Returns when it got its last call; -1 if it got none. */
    long lastCallNanos() {
        return lastCallNanos;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        lastCallNanos = chain.nanos();
        ledger.began(this, call);
        Attempt noted = Attempt.of(outcome -> {
            ledger.ended(this, call, outcome);
            attempt.end(outcome);
        });
        run(loop, deadlineNanos, noted, () -> answer(call));
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        blocks.head = head(chain.nanos());
        run(loop, deadlineNanos, attempt, () -> blocks.outcomeOf(call));
    }

    private NodeOutcome answer(RpcCall call) {
        if (!call.method().equals("eth_getBalance")) {
            return ledger.take(this, call);
        }
        long block = ledger.block(call);
        if (block > head(chain.nanos())) {
            return error(-32000, "header not found");
        }
        return lacksState(block) ? FakeNode.lacksState() : FakeNode.answer("\"0x5\"");
    }

    private static NodeOutcome error(int code, String message) {
        return new Answered(RpcReply.failure(new RpcError(code, message, null)));
    }

    private void run(EventLoop loop, long deadlineNanos, Attempt attempt, Supplier<NodeOutcome> answer) {
        long jitter = (long) (latencyNanos * (0.5 + random.nextDouble()));
        long left = Math.max(0, deadlineNanos - chain.nanos());
        switch (condition()) {
            case GOOD, STALLS, LAGS -> respond(loop, jitter, left, attempt, answer.get());
            case SLOW -> respond(loop, SLOW_NANOS + jitter, left, attempt, answer.get());
            case HANGS, PARTED -> respond(loop, Long.MAX_VALUE, left, attempt, FakeNode.failed(Fault.TIMEOUT));
            case FAILS -> respond(loop, jitter, left, attempt, random.nextInt(10) < 8 ? failure(answer) : answer.get());
            case ERRS -> respond(loop, jitter, left, attempt, random.nextInt(10) < 7 ? mixed(answer) : answer.get());
            case BREAKS -> respond(loop, jitter, left, attempt, random.nextBoolean() ? broken(answer) : answer.get());
            case REFUSES ->
                respond(loop, REFUSAL_NANOS, left, attempt, new Failed(Fault.CONNECT, Executed.NO, "refused", 0));
            case LIMITS -> respond(loop, jitter, left, attempt, FakeNode.rateLimited(1));
            case LIMITS_UNTIMED -> respond(loop, jitter, left, attempt, FakeNode.rateLimited(0));
            case LIMITS_IN_WORDS -> respond(loop, jitter, left, attempt, error(-32005, "rate limit exceeded"));
            default -> throw new IllegalStateException();
        }
    }

    /** A failure after which the call may have been executed. Half of the transactions were. */
    private NodeOutcome failure(Supplier<NodeOutcome> answer) {
        takeSome(answer);
        return FakeNode.failed(Fault.SERVER_ERROR);
    }

    private NodeOutcome mixed(Supplier<NodeOutcome> answer) {
        takeSome(answer);
        return switch (random.nextInt(3)) {
            case 0 -> FakeNode.failed(Fault.SERVER_ERROR);
            case 1 -> FakeNode.failed(Fault.BAD_ANSWER);
            default -> error(-32603, "internal error");
        };
    }

    private NodeOutcome broken(Supplier<NodeOutcome> answer) {
        takeSome(answer);
        return FakeNode.failed(Fault.DISCONNECTED);
    }

    private void takeSome(Supplier<NodeOutcome> answer) {
        if (random.nextBoolean()) {
            answer.get();
        }
    }

    private static void respond(EventLoop loop, long nanos, long left, Attempt attempt, NodeOutcome outcome) {
        NodeOutcome inTime = nanos <= left ? outcome : FakeNode.failed(Fault.TIMEOUT);
        loop.schedule(() -> attempt.end(inTime), Math.min(nanos, left), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {}
}
