package io.weir.bench.subscription.client;

import io.weir.bench.subscription.chain.KnownChain;
import io.weir.bench.subscription.chain.LogFilter;
import io.weir.bench.subscription.check.Check;
import io.weir.bench.subscription.check.HeadCheck;
import io.weir.bench.subscription.check.LogCheck;

/** Form in which a client hears of blocks and logs. */
public enum Kind {
    /** {@code eth_subscribe} with {@code newHeads}. */
    HEADS("eth_subscribe", "eth_unsubscribe"),
    /** {@code eth_subscribe} with {@code logs}. */
    LOGS("eth_subscribe", "eth_unsubscribe"),
    /** {@code eth_newBlockFilter}, polled. */
    BLOCK_FILTER("eth_newBlockFilter", "eth_uninstallFilter"),
    /** {@code eth_newFilter}, polled. */
    LOG_FILTER("eth_newFilter", "eth_uninstallFilter");

    private final String opens;
    private final String closes;

    Kind(String opens, String closes) {
        this.opens = opens;
        this.closes = closes;
    }

    boolean isPolled() {
        return this == BLOCK_FILTER || this == LOG_FILTER;
    }

    String opens() {
        return opens;
    }

    String closes() {
        return closes;
    }

    String params(LogFilter filter) {
        return switch (this) {
            case HEADS -> "[\"newHeads\"]";
            case LOGS -> "[\"logs\"," + filter.json() + "]";
            case BLOCK_FILTER -> "[]";
            case LOG_FILTER -> "[" + filter.json() + "]";
        };
    }

    Check check(KnownChain chain, LogFilter filter) {
        int startEvent = chain.head().event();
        return this == HEADS || this == BLOCK_FILTER
                ? new HeadCheck(chain, startEvent)
                : new LogCheck(chain, filter, startEvent);
    }
}
