package io.weir.verify;

import java.util.regex.Pattern;

/** Difference between a member and the value that a hash or a comparison needs. Immutable. */
final class DifferenceException extends Exception {

    private static final long serialVersionUID = 1;
    private static final int MAX_VALUE_CHARS = 80;
    private static final Pattern PLAIN =
            Pattern.compile("\"?(0x[0-9a-fA-F]*|-?[0-9]{1,20})\"?|true|false|null|none|another|\\[]");

    private final String difference;
    private final boolean ofForm;

    DifferenceException(String path, Object value, String expected) {
        this(path, value, expected, false);
    }

    private DifferenceException(String path, Object value, String expected, boolean ofForm) {
        super(null, null, false, false);
        this.ofForm = ofForm;
        String text = String.valueOf(value);
        boolean plain = PLAIN.matcher(text).matches();
        // Any other text may be secret, such as an address with a key in it, and logs repeat the difference.
        difference = path + ": " + (plain ? cut(text) : "something else") + " (expected: "
                + (plain ? cut(expected) : "what it should be") + ")";
    }

    /** Returns an exception about the form alone: all nodes of a chain may write the member so, and then nothing can be said. */
    static DifferenceException ofForm(String path, Object value, String expected) {
        return new DifferenceException(path, value, expected, true);
    }

    /** Returns the result for the answer. */
    <T> Verification<T> verification() {
        return ofForm ? new Verification.Unverifiable<>(difference) : new Verification.Wrong<>(difference);
    }

    @Override
    public String getMessage() {
        return difference;
    }

    private static String cut(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() <= MAX_VALUE_CHARS ? plain : plain.substring(0, MAX_VALUE_CHARS) + "…";
    }
}
