package io.weir.verify;

/** Part of an answer that can be proven, as the response header names it. */
public enum Part {
    /** A block's header: its hash follows from its fields. */
    HEADER("header"),
    /** A block's transactions, each with its sender, and their positions. */
    TRANSACTIONS("transactions"),
    /** A block's receipts with their logs. */
    RECEIPTS("receipts"),
    /** One transaction's signed fields, not its position. */
    TRANSACTION("transaction");

    private final String word;

    Part(String word) {
        this.word = word;
    }

    /** Returns the word of the response header. */
    public String word() {
        return word;
    }
}
