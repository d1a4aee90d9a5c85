package io.weir.pipeline.range;

import io.weir.chain.CanonicalLinks;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonArray;
import io.weir.pipeline.ReplySink;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Logs of the pieces of one range, as the arrays that nodes sent, and their join in the order of the blocks. The bytes count in the
 * budget of answers in flight. Confined to the call's event loop.
 */
final class JoinedLogs implements AutoCloseable {

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
        RpcReply reply = new RpcReply.Result(join());
        arrays.clear();
        reservation.lowerTo(size());
        reservation.handOver(() -> sink.accept(reply));
        return true;
    }

    private RawJson join() {
        List<RawJson> lists = arrays.values().stream()
                .filter(elements -> elements.length() > 0)
                .toList();
        return JsonArray.of(lists, RawJson.EMPTY_ARRAY, true);
    }

    /** Gives the budget back. */
    @Override
    public void close() {
        arrays.clear();
        reservation.close();
    }

    /** Blocks that logs name, compared with the canonical ones. Pure. */
    private static final class LogPlaces {

        private static final NameTable NAMES = NameTable.of(Set.of("blockNumber", "blockHash"));

        private LogPlaces() {}

        /**
         * Returns whether no log names another block than the one that is known at its height.
         *
         * @param elements the logs, with commas between them
         * @param from the height from which on logs are compared
         */
        static boolean fit(RawJson elements, CanonicalLinks links, long from) {
            if (elements.length() == 0) {
                return true;
            }
            JsonScanner scanner = JsonScanner.delimiters(elements.array(), elements.offset(), elements.length());
            int end = elements.offset() + elements.length();
            try {
                while (scanner.position() < end) {
                    if (scanner.peek() != '{' || !fits(scanner, elements, links, from)) {
                        return false;
                    }
                    if (scanner.peek() == ',') {
                        scanner.begin(elements.array(), scanner.position() + 1, end - scanner.position() - 1);
                    } else {
                        break;
                    }
                }
                return true;
            } catch (JsonSyntaxException e) {
                return false;
            }
        }

        private static boolean fits(JsonScanner scanner, RawJson elements, CanonicalLinks links, long from)
                throws JsonSyntaxException {
            RawJson number = null;
            RawJson hash = null;
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                String name = scanner.knownMember(NAMES);
                int start = scanner.position();
                scanner.skip();
                if (name != null) {
                    RawJson value = RawJson.slice(elements.array(), start, scanner.position() - start);
                    number = name.equals("blockNumber") ? value : number;
                    hash = name.equals("blockHash") ? value : hash;
                }
                more = scanner.nextEntry();
            }
            HexText height = number == null ? null : HexText.read(number);
            return height == null || height.toLong() < from || isKnown(hash, links.hash(height.toLong()));
        }

        private static boolean isKnown(@Nullable RawJson named, @Nullable String known) {
            return known == null
                    || named == null
                    || named.toString().toLowerCase(Locale.ROOT).equals('"' + known + '"');
        }
    }
}
