package io.weir.upstream.pool;

import io.weir.config.ServedData;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.DataKind;
import io.weir.method.MethodFacts;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Record of the data of old blocks that one node has, of each kind: as configured, or as learned from its answers. Calls name their
 * block by its number, or by a hash, whose block is unknown here. Lookups by hash say nothing, since they get {@code null} for blocks
 * that do not exist. Thread-safe.
 */
final class NodeData {

    /** Blocks whose data a node has at least that keeps some only, as geth, Nethermind and others do. */
    private static final long USUAL_BLOCKS = 127;

    /** The ages of these are numbers of blocks behind the head. */
    private final DataRange state;

    private final DataRange traces;
    /** The ages of these are negative numbers of blocks, since nodes drop history up to a certain one. */
    private final DataRange history;

    private final DataRange logs;

    NodeData(ServedData serves, LongSupplier clock) {
        boolean learnsState = serves.stateBlocks() == ServedData.LEARNED;
        boolean learnsLogs = serves.logsFrom() == ServedData.LEARNED;
        this.state = learnsState ? DataRange.learned(clock) : DataRange.upTo(serves.stateBlocks(), clock);
        this.traces = learnsState ? DataRange.learned(clock) : DataRange.upTo(serves.stateBlocks(), clock);
        this.history = learnsLogs ? DataRange.learned(clock) : DataRange.upTo(-serves.logsFrom(), clock);
        this.logs = learnsLogs ? DataRange.learned(clock) : DataRange.upTo(-serves.logsFrom(), clock);
    }

    private @Nullable DataRange of(DataKind kind) {
        return switch (kind) {
            case NONE -> null;
            case STATE -> state;
            case TRACES -> traces;
            case HISTORY -> history;
            case LOGS -> logs;
        };
    }

    private static long age(DataKind kind, long block, long head) {
        return kind == DataKind.STATE || kind == DataKind.TRACES ? head - block : -block;
    }

    /**
     * Returns whether the node is known to lack the data of a call.
     *
     * @param block the block that the call is about; 0 if unknown
     * @param head the newest block
     */
    boolean lacks(MethodFacts facts, RpcCall call, long block, long head) {
        DataKind kind = facts.dataKind();
        DataRange range = of(kind);
        if (range == null) {
            return false;
        }
        if (block <= 0) {
            return range.lacksUnnamed();
        }
        return !range.isWhole() && range.lacks(age(kind, OldestBlock.of(kind, call, block), head));
    }

    /**
     * Returns whether the node said lately that it lacks the data of a call, or younger data. Unlike {@link #lacks} it does not say so
     * of data that the node is only taken to lack, and no call becomes the one that tries again.
     */
    boolean saidToLack(MethodFacts facts, RpcCall call, long block, long head) {
        DataKind kind = facts.dataKind();
        DataRange range = of(kind);
        return range != null
                && block > 0
                && range.saidToLackAny()
                && range.saidToLack(age(kind, OldestBlock.of(kind, call, block), head));
    }

    /**
     * Notes that the node lacked the data of a call. Returns whether this was not known. Data as young as every node has it shows
     * nothing: the node is behind, and does not have the block yet.
     */
    boolean lacked(MethodFacts facts, RpcCall call, long block, long head) {
        DataKind kind = facts.dataKind();
        DataRange range = of(kind);
        if (range == null) {
            return false;
        }
        if (block <= 0) {
            return kind != DataKind.HISTORY && range.lackedUnnamed();
        }
        long usual = age(kind, Math.max(0, head - USUAL_BLOCKS), head);
        long age = age(kind, OldestBlock.of(kind, call, block), head);
        return age > usual && range.lacked(age, usual);
    }

    void had(MethodFacts facts, RpcCall call, long block, long head) {
        DataKind kind = facts.dataKind();
        DataRange range = of(kind);
        if (range == null || !(range.learns() || range.saidToLackAny())) {
            return;
        }
        if (block <= 0) {
            range.hasUnnamed();
        } else {
            range.has(age(kind, OldestBlock.of(kind, call, block), head));
        }
    }

    /** Oldest block whose data a call needs: the first one of a range of logs, else the block of the call. Pure. */
    private static final class OldestBlock {

        private static final NameTable FROM = NameTable.of(Set.of("fromBlock"));
        private static final int MAX_HEX_DIGITS = 15;

        private OldestBlock() {}

        /**
         * Returns its number.
         *
         * @param block the newest block that the call needs; 0 if unknown
         * @return 0 if unknown
         */
        static long of(DataKind kind, RpcCall call, long block) {
            if (kind != DataKind.LOGS || block <= 0 || call.params() == null) {
                return block;
            }
            RawJson from = from(call.params());
            if (from == null) {
                return block;
            }
            HexText hex = HexText.read(from);
            if (hex == null) {
                return from.toString().equals("\"earliest\"") ? 1 : block;
            }
            return hex.significantDigits() > MAX_HEX_DIGITS ? block : Math.max(1, Math.min(block, hex.toLong()));
        }

        private static @Nullable RawJson from(RawJson params) {
            if (params.first() != '[') {
                return null;
            }
            try {
                List<RawJson> given = JsonArray.elements(params, 1);
                RawJson filter = given.isEmpty() ? RawJson.NULL : given.get(0);
                return filter.first() == '{' ? JsonObject.member(filter, FROM) : null;
            } catch (InvalidParamsException | IllegalArgumentException e) {
                // Nodes judge such parameters.
                return null;
            }
        }
    }

    /**
     * Record of how old the data may be that one node has, of one kind: configured, or learned from its answers. Ages grow with the
     * age of the data, in whatever unit. Thread-safe.
     *
     * <p>A node that lacks data of some age is taken to lack all data that is older than the oldest that it gave. This is forgotten
     * once the node gives older data. After a while one call tries again before the others. Data as old as that of which it said so is not
     * asked for until then, even if no other node is left. Calls that do not name the age are remembered apart.
     */
    static final class DataRange {

        private static final long ANY = Long.MAX_VALUE;

        private final boolean learns;
        private final LongSupplier clock;
        private final HalfOpen retry;
        /** The age of the oldest data that it has; {@link #ANY} if nothing is known to be missing. */
        private volatile long oldest;

        private volatile long oldestGiven = Long.MIN_VALUE;
        /** The least age of which it said that it lacks the data; {@link #ANY} if it said so of none. */
        private volatile long youngestLacked = ANY;
        /** Lack of data of an unknown age; null if there is none. */
        private volatile @Nullable HalfOpen unnamed;

        private DataRange(boolean learns, long oldest, LongSupplier clock) {
            this.learns = learns;
            this.oldest = oldest;
            this.clock = clock;
            this.retry = new HalfOpen(clock.getAsLong());
        }

        /** Creates a record that learns. */
        static DataRange learned(LongSupplier clock) {
            return new DataRange(true, ANY, clock);
        }

        /** Creates a configured record of a node that has data up to an age. */
        static DataRange upTo(long age, LongSupplier clock) {
            return new DataRange(false, age, clock);
        }

        /** Returns whether nothing is known to be missing that has an age. */
        boolean isWhole() {
            return oldest == ANY;
        }

        boolean learns() {
            return learns;
        }

        /** Returns whether the node said of any age that it lacks the data. */
        boolean saidToLackAny() {
            return youngestLacked != ANY;
        }

        /** Returns whether the node said lately that it lacks data of this age, or younger data. */
        boolean saidToLack(long age) {
            return age >= youngestLacked && !retry.isOver(clock.getAsLong());
        }

        /** Returns whether the node is not to be asked for data of an age. A call that tries again is told that it is. */
        boolean lacks(long age) {
            return age > oldest && !(learns && retry.mayTry(clock.getAsLong()));
        }

        /** Returns the same for a call that does not name the age. */
        boolean lacksUnnamed() {
            HalfOpen lack = unnamed;
            return lack != null && !lack.mayTry(clock.getAsLong());
        }

        /** Notes that the node gave data of an age. */
        void has(long age) {
            if ((learns && age > oldestGiven) || age >= youngestLacked) {
                gave(age);
            }
        }

        private synchronized void gave(long age) {
            oldestGiven = Math.max(oldestGiven, age);
            if (learns && age > oldest) {
                oldest = ANY;
            }
            if (age >= youngestLacked) {
                youngestLacked = ANY;
            }
        }

        /** Notes that the node gave data whose age the call did not name. */
        void hasUnnamed() {
            if (unnamed != null) {
                unnamed = null;
            }
        }

        /**
         * Notes that the node lacked data of an age. Returns whether this was not known.
         *
         * @param usual the age of the data that a node has at least which lacks some
         */
        synchronized boolean lacked(long age, long usual) {
            boolean known = age > oldest;
            if (!learns && !known) {
                return false;
            }
            long now = clock.getAsLong();
            youngestLacked = retry.isOver(now) ? age : Math.min(youngestLacked, age);
            retry.lacked(now);
            if (!learns) {
                return false;
            }
            if (age <= oldestGiven) {
                // It had older data before: its window moved, or it was replaced.
                oldestGiven = Long.MIN_VALUE;
            }
            oldest = Math.min(age - 1, Math.max(usual, oldestGiven));
            return !known;
        }

        /** Notes that the node lacked data whose age the call did not name. Returns whether this was not known. */
        synchronized boolean lackedUnnamed() {
            if (!learns) {
                return false;
            }
            boolean known = unnamed != null;
            unnamed = new HalfOpen(clock.getAsLong());
            return !known;
        }
    }

    /**
     * Time for which a node is not asked for something that it lacked. After it one call tries again, and the others wait for what that one
     * finds, as behind a circuit breaker that is half open. Thread-safe.
     */
    static final class HalfOpen {

        /** Nanoseconds for which the node is not asked. */
        static final long NANOS = TimeUnit.MINUTES.toNanos(10);

        /** Nanoseconds that the call has which tries again. */
        static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(30);

        private final AtomicLong untilNanos;

        /** @param nowNanos when the node said that it lacks something */
        HalfOpen(long nowNanos) {
            untilNanos = new AtomicLong(nowNanos + NANOS);
        }

        void lacked(long nowNanos) {
            untilNanos.set(nowNanos + NANOS);
        }

        /** Returns whether a call may try again. If so, the others may not for a while. */
        boolean mayTry(long nowNanos) {
            long until = untilNanos.get();
            return nowNanos - until >= 0 && untilNanos.compareAndSet(until, nowNanos + TRIAL_NANOS);
        }

        /** Returns whether the time is over, without a trial. */
        boolean isOver(long nowNanos) {
            return nowNanos - untilNanos.get() >= 0;
        }
    }
}
