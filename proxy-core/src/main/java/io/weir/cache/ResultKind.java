package io.weir.cache;

import java.util.Locale;

/** What results are about, as meters and the status page group them. */
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
    /** Counts, raw bytes, state and executed calls. */
    VALUE;

    /** As meters and the status page name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
