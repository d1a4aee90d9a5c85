package io.weir.testing.chain;

/**
 * What a node answers to one call. Immutable.
 *
 * @param code of an error; 0 in a result
 * @param text the result as JSON, or the error's message
 */
public record ChainAnswer(int code, String text) {

    /** The answer without a result. */
    public static final ChainAnswer NULL = result("null");

    /** A result. */
    public static ChainAnswer result(String text) {
        return new ChainAnswer(0, text);
    }

    /** An error. */
    public static ChainAnswer error(int code, String message) {
        return new ChainAnswer(code, message);
    }

    /** Whether it is an error. */
    public boolean failed() {
        return code != 0;
    }

    /** As a member of the answer. */
    public String member() {
        return failed() ? "\"error\":{\"code\":" + code + ",\"message\":\"" + text + "\"}" : "\"result\":" + text;
    }
}
