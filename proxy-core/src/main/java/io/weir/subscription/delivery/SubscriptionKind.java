package io.weir.subscription.delivery;

/** The kinds of subscriptions that the proxy serves from its own stream. */
public enum SubscriptionKind {
    /** New heads. */
    NEW_HEADS("newHeads"),
    /** Logs. */
    LOGS("logs");

    private final String text;

    SubscriptionKind(String text) {
        this.text = text;
    }

    /** Returns the name in calls and meters. */
    public String text() {
        return text;
    }
}
