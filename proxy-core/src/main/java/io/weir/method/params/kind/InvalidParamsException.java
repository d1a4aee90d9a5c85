package io.weir.method.params.kind;

import io.weir.config.ParamLimit;
import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/** Says which parameter is wrong, what it is and what it should be. Immutable; has no stack trace: callers are answered. */
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

    /** A value that is not what it should be; so much of it is shown as is safe. */
    public static InvalidParamsException wrong(RawJson value, String expected) {
        return of(ShownValue.of(value), expected);
    }

    /** What was found in a few words of our own, and what should be there. */
    public static InvalidParamsException of(String found, String expected) {
        return new InvalidParamsException("", found, expected, null);
    }

    /** More values than a limit allows. */
    public static InvalidParamsException over(ParamLimit limit, int found, int max) {
        String expected = "at most " + max;
        return new InvalidParamsException("", found + " " + limit.counted(), expected, limit);
    }

    /** Returns the limit that the parameters exceed, or null if they are wrong in another way. */
    public @Nullable ParamLimit limit() {
        return limit;
    }

    /** The same as the problem of a value that is not there at all. */
    public InvalidParamsException asMissing() {
        return new InvalidParamsException(path, "missing", expected, limit);
    }

    /** The same problem as that of the member of this name. */
    public InvalidParamsException inMember(String name) {
        return within("." + name);
    }

    /** The same problem as that of the element at this index. */
    public InvalidParamsException inElement(int index) {
        return within("[" + index + "]");
    }

    private InvalidParamsException within(String step) {
        return new InvalidParamsException(step + path, found, expected, limit);
    }

    /** As {@code params[0].gas: "x" (expected: quantity in hex)}. */
    @Override
    public String getMessage() {
        return "params" + path + ": " + found + " (expected: " + expected + ")";
    }
}
