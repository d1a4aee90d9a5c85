package io.weir.method;

import java.util.Collection;

/** Method names in settings: a name, a prefix such as {@code debug_*}, or {@code *}. Pure. */
public final class MethodPattern {

    private MethodPattern() {}

    /** Whether the pattern means the method. */
    public static boolean matches(String pattern, String method) {
        return pattern.endsWith("*")
                ? method.regionMatches(0, pattern, 0, pattern.length() - 1)
                : pattern.equals(method);
    }

    /** Whether one of the patterns means the method. */
    public static boolean anyMatches(Collection<String> patterns, String method) {
        for (String pattern : patterns) {
            if (matches(pattern, method)) {
                return true;
            }
        }
        return false;
    }
}
