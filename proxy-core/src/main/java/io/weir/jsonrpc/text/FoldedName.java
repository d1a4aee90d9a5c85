package io.weir.jsonrpc.text;

/** Member names as seen by readers that ignore case. */
public final class FoldedName {

    private FoldedName() {}

    /**
     * Returns a text that is equal for names that differ only in case, as {@link String#equalsIgnoreCase} does. Go's
     * encoding/json reads U+017F as s and U+212A as k, and other readers take U+0130 and U+0131 for i. The folding
     * covers all of these.
     */
    public static String of(String name) {
        char[] chars = name.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            chars[i] = Character.toLowerCase(Character.toUpperCase(chars[i]));
        }
        return new String(chars);
    }
}
