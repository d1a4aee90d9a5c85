package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoop;
import io.weir.config.UpstreamConfig.Transactions;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.ShareBudget;
import io.weir.method.ChainCalls;
import io.weir.method.params.kind.JsonObject;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.pool.NodeData.HalfOpen;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Record of whether one node lacks old transactions, as configured or as learned, and of whether clients look such ones up. Nodes that
 * prune their transaction index lack them. Thread-safe.
 *
 * <p>A contradiction by another node marks no node; it only starts a check of the contradicted node, see {@link MissCheck}. The check is
 * repeated after {@link #RECHECK_NANOS}. The mark is dropped if it no longer holds, or if {@link #MAX_UNANSWERED} rechecks bring no answer.
 *
 * <p>While clients look up old transactions that a marked node lacks, other nodes are asked first, those of higher tiers too. After a while
 * one lookup tries the node again. {@link #RECENT} lookups in a row of transactions that the node has end that, since most clients look up
 * recent ones.
 */
final class TransactionHistory {

    static final long RECHECK_NANOS = TimeUnit.MINUTES.toNanos(10);
    static final long RETRY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Nanoseconds between two checks of an unmarked node, however many of its null answers are contradicted. */
    static final long CHECK_GAP_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Consecutive unanswered rechecks after which the mark is dropped. */
    static final int MAX_UNANSWERED = 10;

    /** Recent transactions in a row after which the node is asked again. */
    static final int RECENT = 16;

    /** Blocks whose transactions every node has, as those with a pruned index do. */
    private static final long USUAL_BLOCKS = 127;

    /** Number of recently checked transactions to remember, so that a repeated lookup is checked once. */
    private static final int CHECKED = 64;

    private final HealthProbe.Target node;
    private final Transactions configured;
    private final boolean isWhole;
    private final ShareBudget checks;
    private final Counter misses;
    private final Counter nullChecks;
    private final LongSupplier clock;
    private final int[] checked = new int[CHECKED];
    private int checkedCount;
    private int nextChecked;
    private long nextCheckNanos;
    private long recheckNanos;
    private int unanswered;
    private MissCheck.@Nullable Miss missed;
    private volatile boolean lacking;

    /** Lookups of old transactions, which go to other nodes; null while there are none. */
    private volatile @Nullable HalfOpen avoided;

    private long newestMissed = -1;
    private long oldestFound = Long.MAX_VALUE;
    private int recent;

    /**
     * @param node gets the calls that check the record
     * @param isWhole whether the settings say that the node has all transactions
     * @param checksPerMinute null answers to check per minute while nothing is known; also the burst
     * @param misses counts the null answers that another node contradicted
     * @param nullChecks counts the checks of null answers
     */
    TransactionHistory(
            HealthProbe.Target node,
            Transactions configured,
            boolean isWhole,
            int checksPerMinute,
            Counter misses,
            Counter nullChecks,
            LongSupplier clock) {
        this.node = node;
        this.isWhole = isWhole;
        this.misses = misses;
        this.nullChecks = nullChecks;
        this.configured = configured;
        this.checks = new ShareBudget(0, checksPerMinute, checksPerMinute, clock);
        this.clock = clock;
        this.nextCheckNanos = clock.getAsLong();
        this.lacking = configured == Transactions.RECENT;
    }

    boolean isLacking() {
        return lacking;
    }

    boolean isWhole() {
        return isWhole;
    }

    /** Returns whether to check the node's null answer to this lookup. The number of such checks is bounded. */
    boolean takeNullCheck(RpcCall call) {
        return lacking || takeCheck(call);
    }

    void countNullCheck() {
        nullChecks.inc();
    }

    /** Notes that the node answered null for a transaction that another node has in a block that this node has too. */
    void missedBy(EventLoop loop, RpcCall call, long block) {
        misses.inc();
        if (lacking) {
            avoid(block);
        }
        check(loop, missed(call, block));
    }

    /** Asks the node again for a transaction that it lacked, if that is due. */
    void recheck(EventLoop loop) {
        check(loop, dueRecheck());
    }

    private void check(EventLoop loop, MissCheck.@Nullable Miss miss) {
        if (miss != null) {
            long deadline = clock.getAsLong() + HealthProbe.TIMEOUT_NANOS;
            MissCheck.run(node, loop, deadline, miss, result -> {
                boolean before = lacking;
                checked(miss, result);
                if (!before && lacking) {
                    avoid(miss.block());
                }
            });
        }
    }

    /** Returns whether to check a null answer to this lookup although the node is not known to lack any. Takes one check. */
    synchronized boolean takeCheck(RpcCall call) {
        if (configured != Transactions.LEARNED || lacking) {
            return false;
        }
        RawJson params = call.params();
        int fingerprint = params == null ? 0 : params.hashCode();
        if (wasChecked(fingerprint) || !checks.take()) {
            return false;
        }
        checked[nextChecked] = fingerprint;
        nextChecked = (nextChecked + 1) % CHECKED;
        checkedCount = Math.min(CHECKED, checkedCount + 1);
        return true;
    }

    private boolean wasChecked(int fingerprint) {
        for (int i = 0; i < checkedCount; i++) {
            if (checked[i] == fingerprint) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes that another node contradicted a null answer.
     *
     * @param block the block that holds the transaction, according to the other node
     * @return the miss to check, or null if none is to be checked now; {@link #checked} must follow
     */
    synchronized MissCheck.@Nullable Miss missed(RpcCall call, long block) {
        long now = clock.getAsLong();
        if (configured != Transactions.LEARNED || lacking || nextCheckNanos - now > 0) {
            return null;
        }
        nextCheckNanos = now + CHECK_GAP_NANOS;
        RawJson params = call.params();
        return new MissCheck.Miss(
                new RpcCall(RawJson.of("1"), call.method(), params == null ? null : params.compact()), block);
    }

    /** Returns the miss to check again, or null if it is not due. {@link #checked} must follow. */
    synchronized MissCheck.@Nullable Miss dueRecheck() {
        if (missed == null || recheckNanos - clock.getAsLong() > 0) {
            return null;
        }
        recheckNanos = clock.getAsLong() + RETRY_NANOS;
        return missed;
    }

    synchronized void checked(MissCheck.Miss miss, MissCheck.Result result) {
        boolean recheck = miss.equals(missed);
        if (missed != null && !recheck) {
            return;
        }
        switch (result) {
            case LACKS -> {
                missed = miss;
                unanswered = 0;
                recheckNanos = clock.getAsLong() + RECHECK_NANOS;
                lacking = true;
            }
            case HAS -> drop();
            case UNANSWERED -> {
                if (recheck && ++unanswered >= MAX_UNANSWERED) {
                    drop();
                }
            }
            default -> throw new IllegalStateException("result: " + result);
        }
    }

    private void drop() {
        missed = null;
        unanswered = 0;
        lacking = false;
    }

    /** Returns whether the node is not to be asked for a transaction. A lookup that tries again is told that it is. */
    boolean isAvoided() {
        HalfOpen lack = avoided;
        return lack != null && !lack.mayTry(clock.getAsLong());
    }

    /** Notes that clients look up transactions as old as one of this block, which the node lacks. */
    private synchronized void avoid(long block) {
        newestMissed = Math.max(newestMissed, block);
        if (block >= oldestFound) {
            // Its window moved.
            oldestFound = Long.MAX_VALUE;
        }
        recent = 0;
        avoided = new HalfOpen(clock.getAsLong());
    }

    synchronized void found(long block) {
        oldestFound = Math.min(oldestFound, block);
        avoided = null;
    }

    /**
     * Notes that another node had a transaction of a block.
     *
     * @param head the newest block of this node
     */
    void foundElsewhere(long block, long head) {
        if (avoided != null) {
            count(block, head);
        }
    }

    private synchronized void count(long block, long head) {
        boolean has = block > newestMissed && block >= Math.min(oldestFound, head - USUAL_BLOCKS);
        recent = has ? recent + 1 : 0;
        if (recent >= RECENT) {
            avoided = null;
        }
    }

    /**
     * Check of whether a node lacks a transaction that it should have. It asks the node itself, for the transaction and then for
     * its block. The node lacks the transaction if it answers null although its own block lists the hash, or if it does not have
     * the block either. No answer of another node is trusted. Pure apart from the questions.
     */
    static final class MissCheck {

        /** Outcome of a check. */
        enum Result {
            /** The node has the block but not the transaction, or neither. */
            LACKS,
            /** The node has the transaction, or its chain does not. */
            HAS,
            /** The node gave no usable answer. */
            UNANSWERED
        }

        /**
         * A null answer that another node contradicted. Immutable.
         *
         * @param block the number of the block that holds the transaction, according to the other node
         */
        record Miss(RpcCall lookup, long block) {}

        private static final NameTable TRANSACTIONS = NameTable.of(Set.of("transactions"));
        private static final int HISTORY_PRUNED = 4444;

        private MissCheck() {}

        /** Checks a miss of a node; the sink takes the result once, on the event loop. */
        static void run(HealthProbe.Target node, EventLoop loop, long deadlineNanos, Miss miss, Consumer<Result> sink) {
            node.probe(loop, miss.lookup(), deadlineNanos, CallCause.PROBE, outcome -> {
                if (!(outcome instanceof Answered answered) || !(answered.reply() instanceof RpcReply.Result result)) {
                    sink.accept(Result.UNANSWERED);
                } else if (!result.value().equals(RawJson.NULL)) {
                    sink.accept(Result.HAS);
                } else {
                    RpcCall block = ChainCalls.blockByNumber(miss.block());
                    node.probe(loop, block, deadlineNanos, CallCause.PROBE, shown -> sink.accept(inBlock(miss, shown)));
                }
            });
        }

        private static Result inBlock(Miss miss, NodeOutcome outcome) {
            if (!(outcome instanceof Answered answered)) {
                return Result.UNANSWERED;
            }
            if (answered.reply() instanceof RpcReply.Result result) {
                return result.value().equals(RawJson.NULL) ? Result.LACKS : listed(miss, result.value());
            }
            return answered.reply() instanceof RpcReply.Failure failure
                            && failure.error().code() == HISTORY_PRUNED
                    ? Result.LACKS
                    : Result.UNANSWERED;
        }

        private static Result listed(Miss miss, RawJson block) {
            RawJson params = miss.lookup().params();
            if (block.first() != '{' || params == null) {
                return Result.UNANSWERED;
            }
            try {
                RawJson transactions = JsonObject.member(block, TRANSACTIONS);
                if (transactions == null) {
                    return Result.UNANSWERED;
                }
                // The parameters are an array of one string. Its text without brackets is a member of the list.
                String hash = params.toString().replaceAll("[\\[\\]\\s]", "").toLowerCase(Locale.ROOT);
                boolean listed = hash.length() > 2
                        && transactions.toString().toLowerCase(Locale.ROOT).contains(hash);
                return listed ? Result.LACKS : Result.HAS;
            } catch (IllegalArgumentException e) {
                return Result.UNANSWERED;
            }
        }
    }
}
