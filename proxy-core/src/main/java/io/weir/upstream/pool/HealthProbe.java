package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.api.NetworkKind;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.CallCause;
import io.weir.upstream.ChainQuestion;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Probe of the nodes of one network. It asks for the chain (if that is in doubt), for syncing (if that was not asked lately),
 * and for the head, one call after the other. An error in reply to the syncing call means that the node is not syncing, because
 * many nodes do not have that call. Thread-safe.
 */
final class HealthProbe {

    /** Result of a probe. Immutable. */
    sealed interface Result {

        /**
         * The node serves the right chain, as far as it was asked.
         *
         * @param head that it named; -1 if it was not asked for it
         * @param askedNanos when it was asked for its head
         */
        record Good(long head, boolean syncing, long askedNanos) implements Result {}

        /** The node serves another chain. */
        record WrongChain(String detail) implements Result {}

        /** The node is rate limited, so nothing was found out. */
        record Throttled(int seconds) implements Result {}

        /** The node could not be asked, or gave no usable answer. */
        record Bad(String detail) implements Result {}
    }

    /**
     * Questions of a probe. Immutable.
     *
     * @param chain whether to ask for the chain
     * @param syncing whether to ask if the node is syncing; if not, the result says that it is not
     * @param head whether to ask for the head of a node that is not syncing
     */
    record Questions(boolean chain, boolean syncing, boolean head) {

        static final Questions HEAD = new Questions(false, false, true);
    }

    /** Longest time of one probe: nodes that are well answer far sooner, wherever they are. */
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int MAX_RESULT_BYTES = 1 << 20;
    private static final int MAX_CHAIN_ID_CHARS = 80;

    private final NetworkKind kind;
    private final ChainQuestion chain;
    private final RpcCall syncingCall;
    private final RpcCall headCall;
    private final LongSupplier clock;
    private final JsonMapper mapper = new JsonMapper();

    HealthProbe(NetworkKind kind, String chainId, LongSupplier clock) {
        this.kind = kind;
        this.clock = clock;
        this.chain = new ChainQuestion(kind, chainId);
        this.syncingCall = ChainQuestion.call(kind.syncingCall());
        this.headCall = ChainQuestion.call(kind.headCall());
    }

    /**
     * Probes a node, on its event loop.
     *
     * @param deadlineNanos for all calls together
     * @param sink receives the result once, on that loop
     */
    void run(Target node, EventLoop loop, Questions questions, long deadlineNanos, Consumer<Result> sink) {
        new Run(node, loop, questions, deadlineNanos, sink).begin();
    }

    /** One probe in progress. Confined to its event loop. */
    private final class Run {

        private final Target node;
        private final EventLoop loop;
        private final Questions questions;
        private final long deadlineNanos;
        private final Consumer<Result> sink;

        Run(Target node, EventLoop loop, Questions questions, long deadlineNanos, Consumer<Result> sink) {
            this.node = node;
            this.loop = loop;
            this.questions = questions;
            this.deadlineNanos = deadlineNanos;
            this.sink = sink;
        }

        void begin() {
            if (questions.chain()) {
                ask(chain.call(), chain::read, this::compare);
            } else {
                askSyncing();
            }
        }

        private void compare(String found) {
            if (found.equals(chain.expected())) {
                askSyncing();
            } else {
                sink.accept(new Result.WrongChain("serves chain " + printable(found) + ", not " + chain.expected()));
            }
        }

        private void askSyncing() {
            if (!questions.syncing()) {
                askHead(false);
                return;
            }
            node.probe(loop, syncingCall, deadlineNanos, CallCause.PROBE, outcome -> {
                if (outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Failure) {
                    askHead(false);
                } else {
                    take(syncingCall, outcome, kind::readSyncing, this::askHead);
                }
            });
        }

        private void askHead(boolean syncing) {
            long asked = clock.getAsLong();
            if (questions.head() || syncing) {
                ask(headCall, kind::readHead, head -> sink.accept(new Result.Good(head, syncing, asked)));
            } else {
                sink.accept(new Result.Good(-1, false, asked));
            }
        }

        private <T> void ask(RpcCall call, Function<JsonNode, T> reader, Consumer<T> then) {
            node.probe(loop, call, deadlineNanos, CallCause.PROBE, outcome -> take(call, outcome, reader, then));
        }

        private <T> void take(RpcCall call, NodeOutcome outcome, Function<JsonNode, T> reader, Consumer<T> then) {
            if (outcome instanceof Failed failed) {
                sink.accept(
                        failed.fault() == Fault.RATE_LIMITED
                                ? new Result.Throttled(failed.retryAfterSeconds())
                                : new Result.Bad(failed.detail()));
            } else if (((Answered) outcome).reply() instanceof RpcReply.Result result) {
                read(call, result.value(), reader, then);
            } else if (((Answered) outcome).reply() instanceof RpcReply.Failure failure) {
                bad("answers " + call.method() + " with error "
                        + failure.error().code());
            }
        }

        private <T> void read(RpcCall call, RawJson value, Function<JsonNode, T> reader, Consumer<T> then) {
            if (value.length() > MAX_RESULT_BYTES) {
                bad("answers " + call.method() + " with " + value.length() + " bytes");
                return;
            }
            T read;
            try {
                read = reader.apply(mapper.readTree(value.array(), value.offset(), value.length()));
            } catch (RuntimeException e) {
                // Not JSON, or not the expected form. A plugin may provide the kind, so any exception means only that.
                bad("answers " + call.method() + " with something else than asked for");
                return;
            }
            then.accept(read);
        }

        private void bad(String detail) {
            sink.accept(new Result.Bad(detail));
        }
    }

    private static String printable(String chainId) {
        String plain = chainId.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() <= MAX_CHAIN_ID_CHARS ? plain : plain.substring(0, MAX_CHAIN_ID_CHARS) + "…";
    }

    /** A node that can be probed. Thread-safe. */
    @FunctionalInterface
    interface Target {

        /**
         * Sends a call as a probe. A probe does not count as load and does not change the node's health by itself.
         *
         * @param loop the event loop on which the outcome is delivered
         * @param deadlineNanos the latest time of the outcome, by the pool's clock
         * @param cause {@link CallCause#FOLLOWER} if not for a probe
         * @param taker receives the outcome once
         */
        void probe(EventLoop loop, RpcCall call, long deadlineNanos, CallCause cause, Consumer<NodeOutcome> taker);
    }
}
