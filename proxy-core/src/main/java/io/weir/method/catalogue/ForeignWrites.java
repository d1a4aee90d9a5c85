package io.weir.method.catalogue;

/** The names of methods outside the catalogue that send transactions, such as {@code eth_sendBundle}. Pure. */
public final class ForeignWrites {

    private static final String VERB = "_send";

    private ForeignWrites() {}

    /** Returns whether the method sends a transaction, by its name. */
    public static boolean isWrite(String method) {
        return method.contains(VERB);
    }
}
