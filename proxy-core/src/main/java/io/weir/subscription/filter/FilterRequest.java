package io.weir.subscription.filter;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.log.LogCriteria;
import org.jspecify.annotations.Nullable;

/**
 * Request for a filter that the stream can serve. Immutable.
 *
 * @param criteria of the logs; null for other kinds
 * @param params of a filter of logs, in normal form; null for other kinds
 */
record FilterRequest(
        SubscriptionKind kind,
        @Nullable LogCriteria criteria,
        @Nullable RawJson params) {

    /** Request for the hashes of new blocks. */
    static final FilterRequest BLOCKS = new FilterRequest(SubscriptionKind.NEW_HEADS, null, null);

    private static final RawJson TRUE = RawJson.of("true");

    /** Reader of the requests of one method. Thread-safe. */
    @FunctionalInterface
    interface Reader {

        /**
         * Reads the parameters of a call.
         *
         * @param first in normal form; null if there is none
         * @return null if the stream cannot serve it
         */
        @Nullable
        FilterRequest read(@Nullable FirstParam first);
    }

    /** Reads a request for pending transactions. */
    static FilterRequest pending(@Nullable FirstParam first) {
        boolean whole = first != null && first.value().equals(TRUE);
        return new FilterRequest(whole ? SubscriptionKind.WHOLE_PENDING : SubscriptionKind.PENDING, null, null);
    }

    /** Reads a request for logs; null if the stream cannot serve it, as with a block hash, {@code finalized} or {@code pending}. */
    static @Nullable FilterRequest logs(@Nullable FirstParam filter) {
        if (filter == null || LogCriteria.namesHash(filter.value())) {
            return null;
        }
        try {
            LogCriteria criteria = LogCriteria.read(filter.value());
            return new FilterRequest(
                    SubscriptionKind.LOGS, criteria, filter.params().compact());
        } catch (InvalidParamsException e) {
            return null;
        }
    }
}
