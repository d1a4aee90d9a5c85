package io.weir.subscription.delivery;

/** The kinds of subscriptions. */
public enum SubscriptionKind {
    /** New heads. */
    NEW_HEADS("newHeads"),
    /** Logs. */
    LOGS("logs"),
    /** Hashes of pending transactions. */
    PENDING("newPendingTransactions"),
    /** Whole pending transactions. */
    WHOLE_PENDING("newPendingTransactions(true)"),
    /** The status of a transaction. */
    TRANSACTION_STATUS("transactionStatus"),
    /** A kind that a node serves. */
    PASSED("other");

    private final String text;

    SubscriptionKind(String text) {
        this.text = text;
    }

    /** Returns the name in calls and meters. */
    public String text() {
        return text;
    }
}
