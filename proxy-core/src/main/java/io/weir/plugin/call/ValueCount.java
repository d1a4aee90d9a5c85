package io.weir.plugin.call;

import io.weir.jsonrpc.RawJson;

/** The number of values in a JSON text: lists, objects, texts, numbers and literals. Stateless. */
final class ValueCount {

    private ValueCount() {}

    /**
     * Returns the number of values in valid JSON. A member's name counts as a text first, and its colon subtracts it.
     */
    static int of(RawJson json) {
        byte[] text = json.array();
        int end = json.offset() + json.length();
        int count = 0;
        int i = json.offset();
        while (i < end) {
            byte b = text[i];
            if (b == '"') {
                count++;
                i = stringEnd(text, i);
            } else if (b == '[' || b == '{') {
                count++;
                i++;
            } else if (isPlain(b)) {
                count++;
                i = plainEnd(text, i, end);
            } else {
                count -= b == ':' ? 1 : 0;
                i++;
            }
        }
        return count;
    }

    private static int stringEnd(byte[] text, int quote) {
        int i = quote + 1;
        while (text[i] != '"') {
            i += text[i] == '\\' ? 2 : 1;
        }
        return i + 1;
    }

    private static int plainEnd(byte[] text, int start, int end) {
        int i = start;
        while (i < end && isPlain(text[i])) {
            i++;
        }
        return i;
    }

    /** Returns whether a byte belongs to a number or a literal. */
    private static boolean isPlain(byte b) {
        return b > ' ' && b != ',' && b != ':' && b != ']' && b != '}' && b != '[' && b != '{' && b != '"';
    }
}
