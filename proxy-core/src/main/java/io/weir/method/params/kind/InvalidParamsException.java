package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/**
 * Signals which parameter is wrong, its value and the expected form. Immutable. It has no stack trace, because it becomes an
 * answer.
 */
public final class InvalidParamsException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String path;
    private final String found;
    private final String expected;

    private final @Nullable ParamLimit limit;

    private InvalidParamsException(String path, String found, String expected, @Nullable ParamLimit limit) {
        super(null, null, false, false);
        this.path = path;
        this.found = found;
        this.expected = expected;
        this.limit = limit;
    }

    /** Returns the exception for a wrong value, of which a safe part is shown. */
    public static InvalidParamsException wrong(RawJson value, String expected) {
        return of(ShownValue.of(value), expected);
    }

    /** Returns the exception for a finding in the proxy's own words, with the expected form. */
    public static InvalidParamsException of(String found, String expected) {
        return new InvalidParamsException("", found, expected, null);
    }

    /** Returns the exception for more values than a limit allows. */
    public static InvalidParamsException over(ParamLimit limit, int found) {
        String expected = "at most " + limit.max();
        return new InvalidParamsException("", found + " " + limit.counted(), expected, limit);
    }

    /** Returns the limit that the parameters exceed, or null if they are wrong in another way. */
    public @Nullable ParamLimit limit() {
        return limit;
    }

    /** Returns the same problem for an absent value. */
    public InvalidParamsException asMissing() {
        return new InvalidParamsException(path, "missing", expected, limit);
    }

    /** Returns the same problem for the member with this name. */
    public InvalidParamsException inMember(String name) {
        return within("." + name);
    }

    /** Returns the same problem for the element at this index. */
    public InvalidParamsException inElement(int index) {
        return within("[" + index + "]");
    }

    private InvalidParamsException within(String step) {
        return new InvalidParamsException(step + path, found, expected, limit);
    }

    /** Returns a message such as {@code params[0].gas: "x" (expected: quantity in hex)}. */
    @Override
    public String getMessage() {
        return "params" + path + ": " + found + " (expected: " + expected + ")";
    }
}
