package io.weir.verify;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Signals why an answer is not proven. Either a member differs from the value that a hash or a comparison needs. Or a part is unknown, or
 * no rule covers it, so that a failing hash proves nothing. Immutable. It has no stack trace: nodes can cause any number of them.
 */
final class UnprovenException extends Exception {

    private static final long serialVersionUID = 1;
    private static final int MAX_VALUE_CHARS = 80;

    private static final Pattern PLAIN =
            Pattern.compile("\"?(0x[0-9a-fA-F]*|-?[0-9]{1,20})\"?|true|false|null|none|another|\\[]");

    private final transient Verification<?> result;
    private final boolean difference;

    private UnprovenException(Verification<?> result, boolean difference) {
        super(null, null, false, false);
        this.result = result;
        this.difference = difference;
    }

    /** Creates an exception about a difference between a member and its expected value. */
    UnprovenException(String path, Object value, String expected) {
        this(new Verification.Wrong<>(difference(path, value, expected)), true);
    }

    UnprovenException(String reason) {
        this(new Verification.Unverifiable<>(reason), false);
    }

    /** Returns an exception about a proof that contradicts its hashes, in words that are safe to repeat. */
    static UnprovenException refuted(String detail) {
        return new UnprovenException(new Verification.Wrong<>(detail), true);
    }

    /** Returns an exception about the form alone: all nodes of a chain may write the member so, and then nothing can be said. */
    static UnprovenException ofForm(String path, Object value, String expected) {
        return new UnprovenException(new Verification.Unverifiable<>(difference(path, value, expected)), true);
    }

    /** Returns an exception about data that no rule of the family covers. */
    static UnprovenException withoutRule(String reason) {
        return new UnprovenException(new Verification.Unprovable<>(reason), false);
    }

    /**
     * Returns the exception in place of this one, if this is a difference that an unknown member or an untested rule may cause.
     *
     * @param unknown a member that is not known; null if there is none
     * @param untested whether the rule was only read
     */
    UnprovenException orUnknown(@Nullable String unknown, boolean untested) {
        if (!difference || (unknown == null && !untested)) {
            return this;
        }
        String cause = unknown == null ? "by a rule that is not tested" : "with a member that is not known: " + unknown;
        return new UnprovenException(getMessage() + ", " + cause);
    }

    /** Returns the result for the answer. */
    <T> Verification<T> verification() {
        return result.failure();
    }

    @Override
    public String getMessage() {
        return result.detail();
    }

    private static String difference(String path, Object value, String expected) {
        String text = String.valueOf(value);
        boolean plain = PLAIN.matcher(text).matches();
        // Any other text may be secret, such as an address with a key in it, and logs repeat the difference.
        return path + ": " + (plain ? cut(text) : "something else") + " (expected: "
                + (plain ? cut(expected) : "what it should be") + ")";
    }

    private static String cut(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() <= MAX_VALUE_CHARS ? plain : plain.substring(0, MAX_VALUE_CHARS) + "…";
    }
}
