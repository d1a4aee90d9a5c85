package io.weir.upstream.pool;

import io.weir.config.ServedData;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.DataKind;
import io.weir.method.MethodFacts;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import java.util.Set;
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
     * @param call null if only its method is known
     * @param block the block that the call is about; 0 if unknown
     * @param head the newest block
     */
    boolean lacks(MethodFacts facts, @Nullable RpcCall call, long block, long head) {
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
    boolean saidToLack(MethodFacts facts, @Nullable RpcCall call, long block, long head) {
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

    /** Notes that the node had the data of a call. */
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
        static long of(DataKind kind, @Nullable RpcCall call, long block) {
            if (kind != DataKind.LOGS || block <= 0 || call == null || call.params() == null) {
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
                JsonScanner scanner = JsonScanner.delimiters(params.array(), params.offset(), params.length());
                scanner.open();
                if (!scanner.firstEntry()) {
                    return null;
                }
                int start = scanner.position();
                scanner.skip();
                RawJson filter = RawJson.slice(params.array(), start, scanner.position() - start);
                return filter.first() == '{' ? JsonObject.member(filter, FROM) : null;
            } catch (JsonSyntaxException | IllegalArgumentException e) {
                // Nodes judge such parameters.
                return null;
            }
        }
    }
}
