package io.weir.answer;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A log of a node's list. Immutable.
 *
 * @param json as the node wrote it
 * @param blockHash in normal form
 * @param items its address and its topics, in normal form
 * @param removed whether the node calls it removed
 */
record ListedLog(
        RawJson json,
        long blockNumber,
        RawJson blockHash,
        long transactionIndex,
        long index,
        List<RawJson> items,
        boolean removed) {

    private static final String NUMBER = "blockNumber";
    private static final String BLOCK = "blockHash";
    private static final String TRANSACTION_INDEX = "transactionIndex";
    private static final String TRANSACTION = "transactionHash";
    private static final String INDEX = "logIndex";
    private static final String ADDRESS = "address";
    private static final String TOPICS = "topics";
    private static final String REMOVED = "removed";
    private static final NameTable NAMES =
            NameTable.of(List.of(NUMBER, BLOCK, TRANSACTION_INDEX, TRANSACTION, INDEX, ADDRESS, TOPICS, REMOVED));

    private static final int WORD_DIGITS = 64;
    private static final int ADDRESS_DIGITS = 40;
    private static final int MAX_NUMBER_DIGITS = 15;

    /** Reads a log; null if it is written in another form than Ethereum's, of which nothing can be said. */
    static @Nullable ListedLog read(RawJson json) {
        JsonScanner scanner = JsonScanner.delimiters(json.array(), json.offset(), json.length());
        try {
            ListedLog log = scanner.peek() == '{' ? read(json, scanner) : null;
            scanner.end();
            return log;
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    private static @Nullable ListedLog read(RawJson json, JsonScanner scanner) throws JsonSyntaxException {
        Map<String, RawJson> members = new HashMap<>();
        List<RawJson> items = new ArrayList<>(5);
        items.add(RawJson.NULL);
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(NAMES);
            if (TOPICS.equals(name)) {
                if (members.put(name, RawJson.NULL) != null || !addTopics(json, scanner, items)) {
                    return null;
                }
            } else {
                RawJson value = value(json, scanner);
                // Readers differ in which of two members counts.
                if (name != null && members.put(name, value) != null) {
                    return null;
                }
            }
            more = scanner.nextEntry();
        }
        RawJson address = hex(members.get(ADDRESS), ADDRESS_DIGITS);
        if (address == null || !members.containsKey(TOPICS)) {
            return null;
        }
        items.set(0, address);
        return of(json, members, items);
    }

    private static @Nullable ListedLog of(RawJson json, Map<String, RawJson> members, List<RawJson> items) {
        RawJson block = hex(members.get(BLOCK), WORD_DIGITS);
        boolean inTransaction = hex(members.get(TRANSACTION), WORD_DIGITS) != null;
        long number = number(members.get(NUMBER));
        long transactionIndex = number(members.get(TRANSACTION_INDEX));
        long index = number(members.get(INDEX));
        if (block == null || !inTransaction || number < 0 || transactionIndex < 0 || index < 0) {
            return null;
        }
        RawJson removed = members.get(REMOVED);
        boolean gone = removed != null && removed.first() == 't';
        return new ListedLog(json, number, block, transactionIndex, index, List.copyOf(items), gone);
    }

    private static boolean addTopics(RawJson list, JsonScanner scanner, List<RawJson> items)
            throws JsonSyntaxException {
        if (scanner.peek() != '[') {
            return false;
        }
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            RawJson topic = hex(value(list, scanner), WORD_DIGITS);
            if (topic == null) {
                return false;
            }
            items.add(topic);
            more = scanner.nextEntry();
        }
        return true;
    }

    private static RawJson value(RawJson list, JsonScanner scanner) throws JsonSyntaxException {
        scanner.peek();
        int start = scanner.position();
        scanner.skip();
        return RawJson.slice(list.array(), start, scanner.position() - start);
    }

    private static @Nullable RawJson hex(@Nullable RawJson value, int digits) {
        HexText text = value == null ? null : HexText.read(value);
        return text == null || text.digits() != digits ? null : text.bytes();
    }

    private static long number(@Nullable RawJson value) {
        HexText text = value == null ? null : HexText.read(value);
        return text == null || text.digits() == 0 || text.significantDigits() > MAX_NUMBER_DIGITS ? -1 : text.toLong();
    }
}
