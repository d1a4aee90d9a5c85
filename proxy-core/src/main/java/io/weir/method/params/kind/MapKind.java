package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects whose names are values of a kind themselves, such as addresses. Immutable and thread-safe. */
public final class MapKind implements Kind {

    private final Kind key;
    private final Kind value;
    private final String expected;

    /** @param expected how messages call it */
    public MapKind(Kind key, Kind value, String expected) {
        this.key = key;
        this.value = value;
        this.expected = expected;
    }

    @Override
    public RawJson normalise(RawJson written) throws InvalidParamsException {
        if (written.first() != '{') {
            throw InvalidParamsException.wrong(written, expected);
        }
        Map<RawJson, RawJson> entries = new LinkedHashMap<>();
        JsonScanner scanner = JsonScanner.strict(written.array(), written.offset(), written.length());
        boolean changed = false;
        try {
            scanner.peek();
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                changed |= entry(scanner, written.array(), entries);
                more = scanner.nextEntry();
            }
        } catch (JsonSyntaxException e) {
            throw JsonArray.notJson(e);
        }
        int length = 1 + Math.max(1, entries.size());
        for (Map.Entry<RawJson, RawJson> entry : entries.entrySet()) {
            length += entry.getKey().length() + 1 + entry.getValue().length();
        }
        return !changed && length == written.length() ? written : json(entries, length);
    }

    /** Reads an entry; whether it is not as it was written. */
    private boolean entry(JsonScanner scanner, byte[] text, Map<RawJson, RawJson> entries)
            throws JsonSyntaxException, InvalidParamsException {
        String name = scanner.member(NameTable.EMPTY);
        int start = scanner.position();
        scanner.skip();
        RawJson given = RawJson.slice(text, start, scanner.position() - start);
        RawJson quoted = RawJson.of(JsonString.quote(name));
        RawJson normalKey = key.normalise(quoted);
        String shown = ShownValue.of(name);
        RawJson normal;
        try {
            normal = value.normalise(given);
        } catch (InvalidParamsException e) {
            throw e.inMember(shown);
        }
        if (entries.put(normalKey, normal) != null) {
            throw InvalidParamsException.of("two of it", "one").inMember(shown);
        }
        return !normalKey.isSame(quoted) || !normal.isSame(given);
    }

    private static RawJson json(Map<RawJson, RawJson> entries, int length) {
        byte[] text = new byte[length];
        int position = 0;
        for (Map.Entry<RawJson, RawJson> entry : entries.entrySet()) {
            text[position] = (byte) (position == 0 ? '{' : ',');
            RawJson name = entry.getKey();
            System.arraycopy(name.array(), name.offset(), text, position + 1, name.length());
            position += 1 + name.length();
            text[position] = ':';
            RawJson normal = entry.getValue();
            System.arraycopy(normal.array(), normal.offset(), text, position + 1, normal.length());
            position += 1 + normal.length();
        }
        text[0] = '{';
        text[length - 1] = '}';
        return RawJson.of(text);
    }
}
