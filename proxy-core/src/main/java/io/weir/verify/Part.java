package io.weir.verify;

/** What of an answer was proven, as clients are told. */
public enum Part {
    /** A block's header: its hash follows from its fields. */
    HEADER("header"),
    /** A block's transactions, each with its sender, and their place. */
    TRANSACTIONS("transactions"),
    /** A block's receipts with their logs. */
    RECEIPTS("receipts"),
    /** One transaction's signed fields, not its place. */
    TRANSACTION("transaction");

    private final String word;

    Part(String word) {
        this.word = word;
    }

    /** The word of the response header. */
    public String word() {
        return word;
    }
}
