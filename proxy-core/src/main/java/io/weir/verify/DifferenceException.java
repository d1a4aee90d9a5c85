package io.weir.verify;

/** A member is not what a hash or a comparison needs. Immutable. */
final class DifferenceException extends Exception {

    private static final long serialVersionUID = 1;
    private static final int MAX_VALUE_CHARS = 80;

    private final String difference;

    /** Without a stack trace: a node can cause as many as it likes. */
    DifferenceException(String path, Object value, String expected) {
        super(null, null, false, false);
        difference = path + ": " + cut(String.valueOf(value)) + " (expected: " + cut(expected) + ")";
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
