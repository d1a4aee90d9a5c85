package io.weir.method;

import java.util.Locale;

/** The kind of a result, as meters and the status page group results. */
public enum ResultKind {
    /** Blocks and headers. */
    BLOCK,
    /** Uncles. */
    UNCLE,
    /** Transactions. */
    TRANSACTION,
    /** Receipts. */
    RECEIPT,
    /** Logs of blocks. */
    LOGS,
    /** Counts, raw bytes, state, executed calls, fees and traces. */
    VALUE;

    /** Returns the name that meters and the status page use. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
