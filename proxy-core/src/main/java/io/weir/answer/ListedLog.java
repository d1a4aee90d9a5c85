package io.weir.answer;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log of a node's list. Immutable.
 *
 * @param blockHash in normal form
 * @param transactionHash in normal form
 * @param items its address and its topics, in normal form; not modified any more
 * @param removed whether the node calls it removed
 */
record ListedLog(
        long blockNumber,
        RawJson blockHash,
        RawJson transactionHash,
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

    /**
     * Reads a log; null if it is written in another form than Ethereum's, of which nothing can be said.
     *
     * @param before the log before it, with which most share values that need no second look; null if there is none
     */
    static @Nullable ListedLog read(RawJson json, @Nullable ListedLog before) {
        JsonScanner scanner = JsonScanner.delimiters(json.array(), json.offset(), json.length());
        try {
            ListedLog log = scanner.peek() == '{' ? read(json, scanner, before) : null;
            scanner.end();
            return log;
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    private static @Nullable ListedLog read(RawJson json, JsonScanner scanner, @Nullable ListedLog before)
            throws JsonSyntaxException {
        @Nullable RawJson[] members = new RawJson[8];
        List<RawJson> items = new ArrayList<>(5);
        items.add(RawJson.NULL);
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(NAMES);
            int place = name == null ? -1 : place(name);
            if (place < 0) {
                scanner.skip();
            } else if (members[place] != null) {
                // Readers differ in which of two members counts.
                return null;
            } else if (TOPICS.equals(name)) {
                members[place] = RawJson.NULL;
                if (!addTopics(json, scanner, items, before)) {
                    return null;
                }
            } else {
                members[place] = value(json, scanner);
            }
            more = scanner.nextEntry();
        }
        RawJson address = hex(members[place(ADDRESS)], ADDRESS_DIGITS, before == null ? null : before.items.get(0));
        if (address == null || members[place(TOPICS)] == null) {
            return null;
        }
        items.set(0, address);
        return of(members, items, before);
    }

    /** Returns a known member's place among those that were read; -1 for another name. */
    private static int place(String name) {
        return switch (name) {
            case ADDRESS -> 0;
            case TOPICS -> 1;
            case BLOCK -> 2;
            case NUMBER -> 3;
            case TRANSACTION -> 4;
            case TRANSACTION_INDEX -> 5;
            case INDEX -> 6;
            case REMOVED -> 7;
            default -> -1;
        };
    }

    private static @Nullable ListedLog of(
            @Nullable RawJson[] members, List<RawJson> items, @Nullable ListedLog before) {
        RawJson block = hex(members[place(BLOCK)], WORD_DIGITS, before == null ? null : before.blockHash);
        RawJson transaction =
                hex(members[place(TRANSACTION)], WORD_DIGITS, before == null ? null : before.transactionHash);
        long number = number(members[place(NUMBER)]);
        long transactionIndex = number(members[place(TRANSACTION_INDEX)]);
        long index = number(members[place(INDEX)]);
        if (block == null || transaction == null || number < 0 || transactionIndex < 0 || index < 0) {
            return null;
        }
        RawJson removed = members[place(REMOVED)];
        boolean gone = removed != null && removed.first() == 't';
        return new ListedLog(number, block, transaction, transactionIndex, index, items, gone);
    }

    private static boolean addTopics(RawJson log, JsonScanner scanner, List<RawJson> items, @Nullable ListedLog before)
            throws JsonSyntaxException {
        if (scanner.peek() != '[') {
            return false;
        }
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            int place = items.size();
            RawJson like = before == null || place >= before.items.size() ? null : before.items.get(place);
            RawJson topic = hex(value(log, scanner), WORD_DIGITS, like);
            if (topic == null) {
                return false;
            }
            items.add(topic);
            more = scanner.nextEntry();
        }
        return true;
    }

    private static RawJson value(RawJson log, JsonScanner scanner) throws JsonSyntaxException {
        scanner.peek();
        int start = scanner.position();
        scanner.skip();
        return RawJson.slice(log.array(), start, scanner.position() - start);
    }

    /** @param like a value in normal form, which many are equal to */
    private static @Nullable RawJson hex(@Nullable RawJson value, int digits, @Nullable RawJson like) {
        if (like != null && value != null && value.equals(like)) {
            return like;
        }
        HexText text = value == null ? null : HexText.read(value);
        return text == null || text.digits() != digits ? null : text.bytes();
    }

    private static long number(@Nullable RawJson value) {
        HexText text = value == null ? null : HexText.read(value);
        return text == null || text.digits() == 0 || text.significantDigits() > MAX_NUMBER_DIGITS ? -1 : text.toLong();
    }
}
