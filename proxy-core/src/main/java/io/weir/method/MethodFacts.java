package io.weir.method;

import io.weir.method.params.MethodParams;
import org.jspecify.annotations.Nullable;

/**
 * What the proxy knows of a method. Immutable.
 *
 * @param name as it stands in calls
 * @param repeatable whether a call that may have been carried out may be sent again
 * @param notifiable whether the call makes sense without an answer
 * @param cost in units of a simple lookup
 * @param params what it takes, and where among it the block stands that a call is about; null where that is left to nodes
 */
public record MethodFacts(
        String name,
        boolean repeatable,
        boolean notifiable,
        int cost,
        @Nullable MethodParams params) {

    /** What is assumed of a method that nobody knows. */
    public static MethodFacts unknown(String name) {
        return new MethodFacts(name, false, false, 1, null);
    }
}
