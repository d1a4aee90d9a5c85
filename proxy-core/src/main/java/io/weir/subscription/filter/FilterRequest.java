package io.weir.subscription.filter;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
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

    private static final RawJson TRUE = RawJson.of("true");

    /**
     * Reads a call with parameters in normal form; null if the stream cannot serve it, as with a block hash, {@code finalized} or
     * {@code pending}.
     */
    static @Nullable FilterRequest of(RpcCall call) {
        FirstParam first = FirstParam.of(call.params());
        return switch (call.method()) {
            case "eth_newBlockFilter" -> new FilterRequest(SubscriptionKind.NEW_HEADS, null, null);
            case "eth_newPendingTransactionFilter" -> {
                boolean whole = first != null && first.value().equals(TRUE);
                yield new FilterRequest(whole ? SubscriptionKind.WHOLE_PENDING : SubscriptionKind.PENDING, null, null);
            }
            case "eth_newFilter" -> first == null ? null : logs(first);
            default -> null;
        };
    }

    private static @Nullable FilterRequest logs(FirstParam filter) {
        try {
            LogCriteria criteria = LogCriteria.read(filter.value());
            return new FilterRequest(
                    SubscriptionKind.LOGS, criteria, filter.params().compact());
        } catch (InvalidParamsException e) {
            return null;
        }
    }
}
