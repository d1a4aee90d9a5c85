package io.weir.upstream;

import io.weir.method.MethodFacts;

/** Class of methods whose calls take about as long. Times are measured for each class apart. */
public enum LatencyClass {
    /** Lookups: one object, by its hash, number or address. */
    LOOKUP(1),
    /** Calls that execute code, and others that take several times as long as a lookup. */
    EXECUTION(4),
    /** Searches and traces, whose time depends on their range most of all. */
    HEAVY(20),
    /** Transactions, and methods that the catalogue does not know. */
    OTHER(20);

    private static final int EXECUTION_COST = 2;
    private static final int HEAVY_COST = 10;

    private final int patience;

    LatencyClass(int patience) {
        this.patience = patience;
    }

    /** Returns how many times as long as a lookup such a call may take at least, because calls of the class differ much. */
    public int patience() {
        return patience;
    }

    public static LatencyClass of(MethodFacts facts) {
        if (!facts.known() || facts.writes()) {
            return OTHER;
        }
        if (facts.searches() || facts.cost() >= HEAVY_COST) {
            return HEAVY;
        }
        return facts.executes() || facts.cost() >= EXECUTION_COST ? EXECUTION : LOOKUP;
    }
}
