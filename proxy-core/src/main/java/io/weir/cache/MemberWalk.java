package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Walk over the members of objects in an answer. Positions count from the answer's first byte. Confined to one thread. */
final class MemberWalk {

    /** Length of a hash in quotes. */
    static final int HASH_LENGTH = 68;

    private static final int BLOOM_LENGTH = 516;

    private final RawJson text;
    private final JsonScanner scanner;

    MemberWalk(RawJson text) {
        this.text = text;
        this.scanner = JsonScanner.delimiters(text.array(), text.offset(), text.length());
    }

    /** Reader of a member's value. It advances the walk past the value, and returns whether the value is as required. */
    @FunctionalInterface
    interface Reader {
        boolean read(String name) throws JsonSyntaxException;
    }

    /** Reader of an entry. It advances the walk past the entry, and returns whether the entry is as required. */
    @FunctionalInterface
    interface EntryReader {
        boolean read() throws JsonSyntaxException;
    }

    /**
     * Reads an object. A repeated name is an error, because readers differ in which one counts.
     *
     * @param wanted the names to read; the others are skipped
     * @return whether it is an object as required; if not, the walk is over
     */
    boolean object(Wanted wanted, Reader reader) throws JsonSyntaxException {
        if (scanner.peek() != '{') {
            return false;
        }
        scanner.open();
        int seen = 0;
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(wanted.table());
            int bit = name == null ? 0 : wanted.bit(name);
            if ((seen & bit) != 0 || (name != null && bit != 0 && !reader.read(name))) {
                return false;
            }
            if (bit == 0) {
                scanner.skip();
            }
            seen |= bit;
            more = scanner.nextEntry();
        }
        return true;
    }

    /** Skips an object and returns the number of its members. */
    int count() throws JsonSyntaxException {
        return scanner.count();
    }

    /** Reads a list and returns whether it is one as required. */
    boolean list(EntryReader reader) throws JsonSyntaxException {
        if (scanner.peek() != '[') {
            return false;
        }
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            if (!reader.read()) {
                return false;
            }
            more = scanner.nextEntry();
        }
        return true;
    }

    int start() {
        scanner.peek();
        return position();
    }

    int position() {
        return scanner.position() - text.offset();
    }

    RawJson value() throws JsonSyntaxException {
        scanner.peek();
        int start = scanner.position();
        scanner.skip();
        return RawJson.slice(text.array(), start, scanner.position() - start);
    }

    /** Skips a value and returns its start if it is a hash in the usual form, otherwise -1. */
    int hash() throws JsonSyntaxException {
        return hex(HASH_LENGTH);
    }

    /** Skips a value and returns its start if it is a bloom, otherwise -1. */
    int bloom() throws JsonSyntaxException {
        return hex(BLOOM_LENGTH);
    }

    private int hex(int length) throws JsonSyntaxException {
        int start = start();
        RawJson value = value();
        HexText hex = value.length() == length ? HexText.read(value) : null;
        return hex != null && hex.digits() == length - 4 ? start : -1;
    }

    /** Names to read, few enough for one bit each. Immutable. */
    record Wanted(Set<String> names, NameTable table, List<String> order) {

        static Wanted of(String... names) {
            return new Wanted(Set.of(names), NameTable.of(Set.of(names)), List.of(names));
        }

        int bit(@Nullable String name) {
            int index = order.indexOf(name);
            return index < 0 ? 0 : 1 << index;
        }
    }

    /** Growing list of numbers. Confined to one thread. */
    static final class IntList {

        private int[] numbers = new int[16];
        private int size;

        void add(int number) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, size * 2);
            }
            numbers[size++] = number;
        }

        int size() {
            return size;
        }

        int[] toArray() {
            return Arrays.copyOf(numbers, size);
        }
    }
}
