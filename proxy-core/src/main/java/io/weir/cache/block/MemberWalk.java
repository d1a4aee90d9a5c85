package io.weir.cache.block;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A walk over the members of objects in an answer, whose positions count from the answer's first byte. Confined to one thread. */
final class MemberWalk {

    /** The length of a hash in quotes. */
    static final int HASH_LENGTH = 68;

    private static final int BLOOM_LENGTH = 516;

    private final RawJson text;
    private final JsonScanner scanner;

    MemberWalk(RawJson text) {
        this.text = text;
        this.scanner = JsonScanner.delimiters(text.array(), text.offset(), text.length());
    }

    /** Takes the member whose value the walk stands before, and passes it; whether it is as it should be. */
    @FunctionalInterface
    interface Reader {
        boolean read(String name) throws JsonSyntaxException;
    }

    /** Takes the entry that the walk stands before, and passes it; whether it is as it should be. */
    @FunctionalInterface
    interface EntryReader {
        boolean read() throws JsonSyntaxException;
    }

    /**
     * Passes an object. A name that stands twice is no answer: readers differ in which one counts.
     *
     * @param wanted the names to read; the others are passed
     * @return whether it is an object and as it should be; where not, the walk is over
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

    /** Passes an object; how many members it has. */
    int count() throws JsonSyntaxException {
        int count = 0;
        scanner.peek();
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            scanner.knownMember(NameTable.EMPTY);
            scanner.skip();
            count++;
            more = scanner.nextEntry();
        }
        return count;
    }

    /** Passes a list; whether it is one and as it should be. */
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

    /** Where the next value begins. */
    int start() {
        scanner.peek();
        return position();
    }

    /** Where the walk stands. */
    int position() {
        return scanner.position() - text.offset();
    }

    /** Passes a value and gives it. */
    RawJson value() throws JsonSyntaxException {
        scanner.peek();
        int start = scanner.position();
        scanner.skip();
        return RawJson.slice(text.array(), start, scanner.position() - start);
    }

    /** Passes a value; where it begins, if it is a hash in the usual form, else -1. */
    int hash() throws JsonSyntaxException {
        return hex(HASH_LENGTH);
    }

    /** Passes a value; where it begins, if it is a bloom, else -1. */
    int bloom() throws JsonSyntaxException {
        return hex(BLOOM_LENGTH);
    }

    private int hex(int length) throws JsonSyntaxException {
        int start = start();
        RawJson value = value();
        HexText hex = value.length() == length ? HexText.read(value) : null;
        return hex != null && hex.digits() == length - 4 ? start : -1;
    }

    /** Names that are read, few enough for a bit each. Immutable. */
    record Wanted(Set<String> names, NameTable table, List<String> order) {

        static Wanted of(String... names) {
            return new Wanted(Set.of(names), NameTable.of(Set.of(names)), List.of(names));
        }

        int bit(@Nullable String name) {
            int index = order.indexOf(name);
            return index < 0 ? 0 : 1 << index;
        }
    }
}
