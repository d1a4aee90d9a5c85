package io.weir.answer;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.jsonrpc.text.PieceScanner;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader of logs, one after the other. It holds the values of the last one, in normal form. Confined to one thread at a time. */
final class LogReader {

    /* The logs of a list have the same members in the same order, and most of their values are those of the log before. So the log that was
     * read last is kept as a model: its text, and where its values are. The next log is compared with it from the first byte on, by the
     * vector instructions of Arrays.mismatch. If they differ within a value, the value is read and replaces that of the model, and the
     * comparison goes on behind it. Bytes that equal those of a valid text at the same place need no other check. What differs elsewhere
     * is read by the grammar, and becomes the model. A model that was replaced in part, because the log was cut, still is a valid log.
     */

    private static final List<String> MEMBERS = List.of(
            "blockNumber",
            "transactionIndex",
            "logIndex",
            "address",
            "topics",
            "blockHash",
            "transactionHash",
            "removed");
    private static final int NUMBER = 0;
    private static final int TRANSACTION_INDEX = 1;
    private static final int INDEX = 2;
    private static final int ADDRESS = 3;
    private static final int TOPICS = 4;
    private static final int BLOCK = 5;
    private static final int TRANSACTION = 6;
    private static final int REMOVED = 7;
    private static final int OTHER = 8;
    static final int REQUIRED = (1 << REMOVED) - 1;
    static final int INDEX_ALONE = 1 << INDEX;
    static final int OWN_NUMBER = 1 << NUMBER;
    static final int OWN_BLOCK = 1 << BLOCK;
    static final int ITEMS = 1 << ADDRESS | 1 << TOPICS;
    /** The members beside the items that are asked for. */
    private static final int PLACES = INDEX_ALONE | 1 << NUMBER | 1 << TRANSACTION_INDEX | 1 << BLOCK | 1 << REMOVED;

    private static final NameTable NAMES = NameTable.of(MEMBERS);

    private static final int WORD_DIGITS = 64;
    private static final int ADDRESS_DIGITS = 40;
    private static final int MAX_NUMBER_DIGITS = 15;
    private static final int MAX_MODEL_BYTES = 16 << 10;
    private static final int MAX_MODEL_VALUES = 24;

    private final JsonScanner scanner = JsonScanner.delimiters(new byte[0], 0, 0);

    private byte[] model = new byte[1 << 10];
    /** Bytes of the model; 0 without one. */
    private int length;
    /** The values of the model that may be replaced. */
    private int values;
    /** The value that was replaced first in a log. Most lists differ there again. */
    private int usual;

    private final int[] members = new int[MAX_MODEL_VALUES];
    private final int[] starts = new int[MAX_MODEL_VALUES];
    private final int[] ends = new int[MAX_MODEL_VALUES];

    private final long[] numbers = new long[INDEX + 1];
    private RawJson blockHash = RawJson.NULL;
    private boolean removed;
    /** The members that could be read of the last log, one bit each. */
    private int known;

    private boolean twice;

    /** The text of the address and the topics. */
    private byte[][] items = {new byte[0]};

    /** The same as values; null until somebody asks. */
    private @Nullable RawJson[] itemValues = new RawJson[1];

    private int itemCount = 1;
    /** Of the members that are asked for, those that may be others than in the log before, one bit each. */
    private int differing;

    long blockNumber() {
        return numbers[NUMBER];
    }

    RawJson blockHash() {
        return blockHash;
    }

    long transactionIndex() {
        return numbers[TRANSACTION_INDEX];
    }

    long index() {
        return numbers[INDEX];
    }

    boolean removed() {
        return removed;
    }

    /** Returns whether members could be read of the last log, one bit each. */
    boolean knows(int members) {
        return (known & members) == members;
    }

    /** Returns whether the last log has a member twice. Readers differ in which of the two counts. */
    boolean hasTwice() {
        return twice;
    }

    /** Returns the number of items: the address and the topics. */
    int itemCount() {
        return itemCount;
    }

    RawJson item(int place) {
        RawJson item = itemValues[place];
        if (item == null) {
            item = RawJson.of(items[place].clone());
            itemValues[place] = item;
        }
        return item;
    }

    /** Returns which of the members may be others than when this was called before, one bit each. */
    int takeDiffering() {
        int taken = differing;
        differing = 0;
        return taken;
    }

    /**
     * Reads a log that begins at an index and differs from the one before only in its values.
     *
     * @return the index behind the log; -1 if it is another one or was cut
     */
    int readAlike(byte[] text, int from, int to) {
        int at = from;
        int place = 0;
        int value = usual;
        while (length > 0) {
            int same = Arrays.mismatch(model, place, length, text, at, Math.min(to, at + length - place));
            if (same < 0) {
                return at + length - place;
            }
            if (at + same == to) {
                return -1;
            }
            place += same;
            value = starts[value] > place ? 0 : value;
            while (value < values && ends[value] <= place) {
                value++;
            }
            if (value == values || starts[value] > place) {
                return -1;
            }
            usual = place == same ? value : usual;
            at = replace(value, text, at + same - (place - starts[value]), to);
            if (at < 0) {
                return -1;
            }
            place = ends[value];
        }
        return -1;
    }

    /** Reads a valid object; returns false if it is not written in the form of Ethereum's logs, so that only parts of it may be known. */
    boolean read(byte[] text, int from, int to) {
        if (readAlike(text, from, to) == to) {
            return true;
        }
        length = 0;
        values = 0;
        usual = 0;
        known = 0;
        twice = false;
        differing |= PLACES;
        scanner.begin(text, from, to - from);
        try {
            if (scanner.peek() != '{' || !readMembers(text, scanner.position())) {
                return false;
            }
            scanner.end();
        } catch (JsonSyntaxException e) {
            return false;
        }
        if (to - from <= MAX_MODEL_BYTES) {
            length = to - from;
            model = model.length < length ? new byte[length] : model;
            System.arraycopy(text, from, model, 0, length);
        }
        return true;
    }

    private boolean readMembers(byte[] text, int from) throws JsonSyntaxException {
        removed = false;
        int seen = 0;
        int unread = 0;
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(NAMES);
            int member = name == null ? -1 : MEMBERS.indexOf(name);
            int start = scanner.position();
            scanner.skip();
            if (member >= 0) {
                twice |= (seen & 1 << member) != 0;
                seen |= 1 << member;
                unread |= readValue(member, text, start, scanner.position()) ? 0 : 1 << member;
            }
            if (values < MAX_MODEL_VALUES && (text[start] == '"' || member == TOPICS)) {
                members[values] = member < 0 ? OTHER : member;
                starts[values] = start - from;
                ends[values++] = scanner.position() - from;
            }
            more = scanner.nextEntry();
        }
        known = seen & ~unread;
        return knows(REQUIRED) && !twice;
    }

    private boolean readTopics(byte[] text, int start, int end) {
        if (text[start] != '[') {
            return false;
        }
        int count = 1;
        try {
            for (RawJson topic : JsonArray.elements(RawJson.slice(text, start, end - start), Integer.MAX_VALUE)) {
                if (!readItem(count++, text, topic.offset(), topic.offset() + topic.length(), WORD_DIGITS)) {
                    return false;
                }
            }
        } catch (InvalidParamsException e) {
            return false;
        }
        countItems(count);
        return true;
    }

    private void countItems(int count) {
        differing |= count == itemCount ? 0 : ITEMS;
        itemCount = count;
    }

    private boolean readValue(int member, byte[] text, int start, int end) {
        return switch (member) {
            case ADDRESS -> readItem(0, text, start, end, ADDRESS_DIGITS);
            case TOPICS -> readTopics(text, start, end);
            case TRANSACTION -> hex(text, start, end, WORD_DIGITS) != null;
            case BLOCK -> {
                RawJson hash = hex(text, start, end, WORD_DIGITS);
                blockHash = hash == null ? blockHash : hash;
                yield hash != null;
            }
            case REMOVED -> {
                removed = text[start] == 't';
                yield true;
            }
            default -> member == OTHER || readNumber(member, text, start, end);
        };
    }

    private boolean readNumber(int member, byte[] text, int start, int end) {
        HexText hex = HexText.read(RawJson.slice(text, start, end - start));
        if (hex == null || hex.digits() == 0 || hex.significantDigits() > MAX_NUMBER_DIGITS) {
            return false;
        }
        numbers[member] = hex.toLong();
        return true;
    }

    private boolean readItem(int place, byte[] text, int start, int end, int digits) {
        if (place == items.length) {
            items = Arrays.copyOf(items, 2 * place);
            Arrays.fill(items, place, 2 * place, new byte[0]);
            itemValues = Arrays.copyOf(itemValues, 2 * place);
        }
        if (readPlainItem(place, text, start, end, digits)) {
            return true;
        }
        RawJson value = hex(text, start, end, digits);
        items[place] = value == null ? items[place] : value.array();
        itemValues[place] = null;
        differing |= ITEMS;
        return value != null;
    }

    /** Reads an item if it is in normal form, and one at its place was read before. */
    private boolean readPlainItem(int place, byte[] text, int start, int end, int digits) {
        byte[] item = items[place];
        if (Arrays.equals(item, 0, item.length, text, start, end)) {
            return true;
        }
        if (item.length != end - start || !HexText.isPlain(text, start, end, digits)) {
            return false;
        }
        System.arraycopy(text, start, item, 0, item.length);
        itemValues[place] = null;
        differing |= ITEMS;
        return true;
    }

    /** Returns a copy of a value in normal form; null if it has not this number of digits. */
    private static @Nullable RawJson hex(byte[] text, int start, int end, int digits) {
        HexText hex = HexText.read(RawJson.of(Arrays.copyOfRange(text, start, end)));
        return hex == null || hex.digits() != digits ? null : hex.bytes();
    }

    /** Reads another value for one of the model. Returns the index behind it; -1 if it was cut, or is written in another form. */
    private int replace(int value, byte[] text, int start, int to) {
        int member = members[value];
        int end = member < numbers.length ? numberEnd(member, text, start, to) : valueEnd(member, text, start, to);
        differing |= PLACES & 1 << member;
        if (end > 0 && (member != OTHER || end - start == ends[value] - starts[value])) {
            splice(value, text, start, end);
        }
        return end;
    }

    private int numberEnd(int member, byte[] text, int start, int to) {
        long number = 0;
        int at = start + 3;
        while (at < to && HexText.digit(text[at]) >= 0) {
            number = number << 4 | HexText.digit(text[at++]);
        }
        int digits = at - start - 3;
        if (at >= to || text[at] != '"' || digits == 0 || digits > MAX_NUMBER_DIGITS || !HexText.begins(text, start)) {
            return -1;
        }
        numbers[member] = number;
        return at + 1;
    }

    private int valueEnd(int member, byte[] text, int start, int to) {
        if (member == TOPICS) {
            return plainTopicsEnd(text, start, to);
        }
        int end = start + WORD_DIGITS + 4;
        if (member == TRANSACTION && end <= to && HexText.isPlain(text, start, end, WORD_DIGITS)) {
            return end;
        }
        end = PieceScanner.plainStringEnd(text, start, to);
        return end > 0 && readValue(member, text, start, end) ? end : -1;
    }

    private int plainTopicsEnd(byte[] text, int start, int to) {
        int at = start;
        int count = 1;
        byte mark = '[';
        while (at < to && text[at] == mark) {
            int next = at + 1;
            at = next + WORD_DIGITS + 4;
            if (at >= to || count == items.length || !readPlainItem(count, text, next, at, WORD_DIGITS)) {
                break;
            }
            count++;
            if (text[at] == ']') {
                countItems(count);
                return at + 1;
            }
            mark = ',';
        }
        // Some topics are read, and the model has others.
        length = 0;
        return -1;
    }

    private void splice(int value, byte[] text, int start, int end) {
        int more = end - start - (ends[value] - starts[value]);
        if (more != 0) {
            if (length + more > model.length) {
                model = Arrays.copyOf(model, 2 * (length + more));
            }
            System.arraycopy(model, ends[value], model, ends[value] + more, length - ends[value]);
            length += more;
            ends[value] += more;
            for (int i = value + 1; i < values; i++) {
                starts[i] += more;
                ends[i] += more;
            }
        }
        System.arraycopy(text, start, model, starts[value], end - start);
    }
}
