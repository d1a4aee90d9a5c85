package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import java.util.ArrayList;
import java.util.List;

/** Reader and writer of JSON arrays. Pure. */
public final class JsonArray {

    private static final byte[] NO_TEXT = {};

    /** One scanner for each thread, because an array is read without interruption. It holds no text between two arrays. */
    private static final ThreadLocal<JsonScanner> SCANNERS =
            ThreadLocal.withInitial(() -> JsonScanner.strict(NO_TEXT, 0, 0));

    private JsonArray() {}

    /**
     * Returns the elements of an array as they were written.
     *
     * @param max the number of elements to read; the rest is ignored
     */
    public static List<RawJson> elements(RawJson array, int max) throws InvalidParamsException {
        List<RawJson> elements = new ArrayList<>(4);
        JsonScanner scanner = SCANNERS.get();
        scanner.begin(array.array(), array.offset(), array.length());
        try {
            boolean more = scanner.enter();
            while (more && elements.size() < max) {
                scanner.peek();
                int start = scanner.position();
                scanner.skip();
                elements.add(RawJson.slice(array.array(), start, scanner.position() - start));
                more = scanner.nextEntry();
            }
        } catch (JsonSyntaxException e) {
            throw notJson(e);
        } finally {
            scanner.begin(NO_TEXT, 0, 0);
        }
        return elements;
    }

    /** Counts the elements of an array. */
    static int count(RawJson array) throws InvalidParamsException {
        try {
            return JsonScanner.strict(array.array(), array.offset(), array.length())
                    .count();
        } catch (JsonSyntaxException e) {
            throw notJson(e);
        }
    }

    /**
     * Returns the array of these elements.
     *
     * @param written the array as it was written
     * @param changed whether an element differs from the written one
     * @return {@code written} itself if the text is the same
     */
    public static RawJson of(List<RawJson> elements, RawJson written, boolean changed) {
        int length = 1 + Math.max(1, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            length += elements.get(i).length();
        }
        // White space only adds length, so a text as long as the shortest form is that form.
        if (!changed && length == written.length()) {
            return written;
        }
        byte[] text = new byte[length];
        int position = 0;
        text[position++] = '[';
        for (RawJson element : elements) {
            if (position > 1) {
                text[position++] = ',';
            }
            System.arraycopy(element.array(), element.offset(), text, position, element.length());
            position += element.length();
        }
        text[position] = ']';
        return RawJson.of(text);
    }

    /**
     * Returns the exception for malformed JSON. Parameters were parsed before, so this concerns only calls of the proxy
     * itself, which may be nested more deeply than clients' calls.
     */
    static InvalidParamsException notJson(JsonSyntaxException e) {
        return InvalidParamsException.of(e.getMessage(), "JSON as clients may send it");
    }
}
