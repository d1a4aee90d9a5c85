package io.weir.pipeline.range;

import io.weir.chain.CanonicalLinks;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.pipeline.ReplySink;
import java.util.TreeMap;

/**
 * Logs of the pieces of one range, as the arrays that nodes sent, and their join in the order of the blocks. The bytes count in the
 * budget of answers in flight. Confined to the call's event loop.
 */
final class JoinedLogs implements AutoCloseable {

    private static final int BRACKETS = 2;

    private final Budget budget;
    private final TreeMap<Long, RawJson> arrays = new TreeMap<>();
    private final Object holder;
    private Reservation reservation;
    private long bytes;

    JoinedLogs(Budget budget, Object holder) {
        this.budget = budget;
        this.holder = holder;
        this.reservation = budget.reserve(holder);
    }

    /** Takes the logs of a piece. Called while the answer is handed over, so that its bytes are not counted twice. */
    void add(BlockRange piece, RawJson array) {
        RawJson inner = inner(array).compact();
        reservation.add(inner.length());
        bytes += inner.length() + 1L;
        arrays.put(piece.from(), inner);
    }

    /** Returns the elements of an array without its brackets. */
    private static RawJson inner(RawJson array) {
        byte[] json = array.array();
        int start = array.offset() + 1;
        int end = array.offset() + array.length() - 1;
        while (start < end && json[start] <= ' ') {
            start++;
        }
        while (start < end && json[end - 1] <= ' ') {
            end--;
        }
        return RawJson.slice(json, start, end - start);
    }

    /** Returns the size of the join, in bytes. */
    long size() {
        return bytes + 1;
    }

    /** Returns whether no log of the pieces from a height on names another block than the chain's. */
    boolean fit(CanonicalLinks links, long from) {
        return arrays.values().stream().allMatch(elements -> LogPlaces.fit(elements, links, from));
    }

    /** Forgets all pieces. */
    void clear() {
        arrays.clear();
        bytes = 0;
        reservation.close();
        reservation = budget.reserve(holder);
    }

    /** Answers with the joined logs, which the receiver counts from then on. Returns false, and does nothing, if there is no budget. */
    boolean tryJoin(ReplySink sink) {
        if (!reservation.tryAdd(size())) {
            return false;
        }
        RpcReply reply = new RpcReply.Result(RawJson.of(join()));
        arrays.clear();
        reservation.lowerTo(size());
        reservation.handOver(() -> sink.accept(reply));
        return true;
    }

    private byte[] join() {
        int length = BRACKETS;
        for (RawJson elements : arrays.values()) {
            length += elements.length() == 0 ? 0 : elements.length() + (length == BRACKETS ? 0 : 1);
        }
        byte[] joined = new byte[length];
        joined[0] = '[';
        int at = 1;
        for (RawJson elements : arrays.values()) {
            if (elements.length() > 0) {
                if (at > 1) {
                    joined[at++] = ',';
                }
                System.arraycopy(elements.array(), elements.offset(), joined, at, elements.length());
                at += elements.length();
            }
        }
        joined[at] = ']';
        return joined;
    }

    /** Gives the budget back. */
    @Override
    public void close() {
        arrays.clear();
        reservation.close();
    }
}
