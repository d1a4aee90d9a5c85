package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader and writer of JSON objects in normal form, whose known names have no escapes. Pure. */
public final class JsonObject {

    private JsonObject() {}

    /**
     * Returns the value of a member, or null if the object does not have it.
     *
     * @param name a table of the one name
     * @throws IllegalArgumentException if the object is not JSON
     */
    public static @Nullable RawJson member(RawJson object, NameTable name) {
        JsonScanner scanner = JsonScanner.delimiters(object.array(), object.offset(), object.length());
        try {
            boolean more = scanner.enter();
            while (more) {
                // A name with escapes is compared as it reads.
                String read = scanner.knownMember(name);
                boolean wanted = read != null && name.has(read);
                scanner.peek();
                int start = scanner.position();
                scanner.skip();
                if (wanted) {
                    return RawJson.slice(object.array(), start, scanner.position() - start);
                }
                more = scanner.nextEntry();
            }
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("object: " + e.getMessage(), e);
        }
        return null;
    }

    /**
     * Returns the object of these members.
     *
     * @param parts names, in quotes, and values in turn
     * @param written the object as it was written
     * @param changed whether a part differs from the written one, or has another place
     * @return {@code written} itself if the text is the same
     */
    static RawJson of(List<RawJson> parts, RawJson written, boolean changed) {
        int length = 1 + Math.max(1, parts.size());
        for (RawJson part : parts) {
            length += part.length();
        }
        // White space and escapes only add length, so a text as long as the shortest form is that form.
        if (!changed && length == written.length()) {
            return written;
        }
        byte[] text = new byte[length];
        int position = 0;
        for (int i = 0; i < parts.size(); i++) {
            RawJson part = parts.get(i);
            text[position] = (byte) (i % 2 == 0 ? ',' : ':');
            System.arraycopy(part.array(), part.offset(), text, position + 1, part.length());
            position += 1 + part.length();
        }
        text[0] = '{';
        text[length - 1] = '}';
        return RawJson.of(text);
    }
}
