package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Objects whose names are values of a kind, such as addresses. Immutable and thread-safe.
 *
 * @param expected its name in messages
 * @param limit to which the entries count
 */
public record MapKind(Kind key, Kind value, String expected, ParamLimit limit) implements Kind {

    @Override
    public RawJson normalise(RawJson written, ParamCounts counts) throws InvalidParamsException {
        if (written.first() != '{') {
            throw InvalidParamsException.wrong(written, expected);
        }
        Entries entries = new Entries(counts);
        JsonScanner scanner = JsonScanner.strict(written.array(), written.offset(), written.length());
        try {
            boolean more = scanner.enter();
            while (more) {
                if (counts.remaining(limit) == 0) {
                    throw counts.over(limit, count(written) - entries.size());
                }
                counts.add(limit, 1);
                entries.read(scanner, written.array());
                more = scanner.nextEntry();
            }
        } catch (JsonSyntaxException e) {
            throw JsonArray.notJson(e);
        }
        return entries.json(written);
    }

    /** Counts the entries of an object. */
    static int count(RawJson written) throws JsonSyntaxException {
        return JsonScanner.strict(written.array(), written.offset(), written.length())
                .count();
    }

    /** Entries of one map, in normal form. Confined to one thread. */
    private final class Entries {

        private final ParamCounts counts;
        private final Set<RawJson> keys = new HashSet<>();

        /** Keys and values in turn. */
        private final List<RawJson> parts = new ArrayList<>();

        private boolean changed;

        Entries(ParamCounts counts) {
            this.counts = counts;
        }

        int size() {
            return keys.size();
        }

        void read(JsonScanner scanner, byte[] text) throws JsonSyntaxException, InvalidParamsException {
            scanner.peek();
            int nameStart = scanner.position();
            scanner.knownMember(NameTable.EMPTY);
            int start = scanner.position();
            scanner.skip();
            RawJson given = RawJson.slice(text, start, scanner.position() - start);
            RawJson name = ObjectKind.nameWritten(text, nameStart, start);
            RawJson normalKey = key.normalise(name, counts);
            RawJson normal;
            try {
                normal = value.normalise(given, counts);
            } catch (InvalidParamsException e) {
                throw e.inMember(InvalidParamsException.shownName(name));
            }
            if (!keys.add(normalKey)) {
                throw InvalidParamsException.of("two of it", "one").inMember(InvalidParamsException.shownName(name));
            }
            parts.add(normalKey);
            parts.add(normal);
            changed |= !normalKey.isSame(name) || !normal.isSame(given);
        }

        RawJson json(RawJson written) {
            return JsonObject.of(parts, written, changed);
        }
    }
}
