package io.weir.bench.subscription.client;

import io.weir.bench.subscription.chain.LogFilter;
import io.weir.bench.subscription.check.Check;
import org.jspecify.annotations.Nullable;

/** A subscription or a filter of a client. Confined to the client's event loop. */
final class Stream {

    private final Kind kind;
    private final LogFilter filter;
    private @Nullable String id;
    private @Nullable Check check;
    private boolean ending;

    Stream(Kind kind, LogFilter filter) {
        this.kind = kind;
        this.filter = filter;
    }

    Kind kind() {
        return kind;
    }

    LogFilter filter() {
        return filter;
    }

    /** Returns the id; null until the answer to the call that opens the stream. */
    @Nullable
    String id() {
        return id;
    }

    @Nullable
    Check check() {
        return check;
    }

    /** Returns whether the client has asked for the end of the stream. */
    boolean isEnding() {
        return ending;
    }

    void opened(String name, Check rules) {
        id = name;
        check = rules;
    }

    void ending() {
        ending = true;
    }

    @Override
    public String toString() {
        return kind + " " + id;
    }
}
