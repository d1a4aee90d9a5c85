package io.weir.method;

/**
 * What the proxy knows of a method. Immutable.
 *
 * @param name as it stands in calls
 * @param repeatable whether a call that may have been carried out may be sent again
 * @param notifiable whether the call makes sense without an answer
 * @param cost in units of a simple lookup
 */
public record MethodFacts(String name, boolean repeatable, boolean notifiable, int cost) {

    /** What is assumed of a method that nobody knows. */
    public static MethodFacts unknown(String name) {
        return new MethodFacts(name, false, false, 1);
    }
}
