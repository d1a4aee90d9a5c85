package io.weir.subscription;

import io.weir.config.LimitsConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.EthereumParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.ParamCounts;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.log.LogCriteria;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request for a subscription, read from the parameters of a call. Immutable.
 *
 * @param criteria of the logs; null for other kinds
 * @param params of the call
 * @param refusal the reply if the parameters are wrong; else null
 */
record SubscriptionRequest(
        SubscriptionKind kind, @Nullable LogCriteria criteria, RawJson params, RpcReply.@Nullable Failure refusal) {

    private static final RawJson NO_FILTER = RawJson.of("{}");
    private static final RawJson TRUE = RawJson.of("true");
    private static final RawJson FALSE = RawJson.of("false");
    private static final int MAX_SHOWN = 80;

    /** Reads the parameters of a call. */
    static SubscriptionRequest of(RpcCall call, LimitsConfig limits) {
        FirstParam first = FirstParam.of(call.params());
        String name = first == null ? null : first.string();
        if (first == null || name == null) {
            return refused(FirstParam.refusal(first, "the kind of the subscription"));
        }
        RawJson all = first.params();
        try {
            List<RawJson> params = JsonArray.elements(all, 3);
            if (name.equals(SubscriptionKind.NEW_HEADS.text())) {
                return new SubscriptionRequest(SubscriptionKind.NEW_HEADS, null, all, tooMany(params, 1));
            }
            if (name.equals(SubscriptionKind.LOGS.text())) {
                return logs(params, all, limits);
            }
            if (name.equals(SubscriptionKind.PENDING.text())) {
                return pending(params, all);
            }
        } catch (InvalidParamsException e) {
            return refused(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(e.getMessage())));
        }
        return new SubscriptionRequest(SubscriptionKind.PASSED, null, all, null);
    }

    /** Returns geth's reply to a request for a kind that it does not know. */
    static RpcReply.Failure unknown(RawJson params) {
        FirstParam first = FirstParam.of(params);
        String name = first == null ? null : first.string();
        String text = name == null ? "" : name;
        String shown = text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
        return RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("no \"" + shown + "\" subscription in eth namespace"));
    }

    private static SubscriptionRequest refused(RpcReply.Failure refusal) {
        return new SubscriptionRequest(SubscriptionKind.NEW_HEADS, null, RawJson.EMPTY_ARRAY, refusal);
    }

    private static RpcReply.@Nullable Failure tooMany(List<RawJson> params, int max) {
        return params.size() <= max
                ? null
                : RpcReply.failure(ErrorCode.INVALID_PARAMS.error("params[" + max + "]: "
                        + FirstParam.excerpt(params.get(max)) + " (expected: at most " + max + " parameters)"));
    }

    private static SubscriptionRequest pending(List<RawJson> params, RawJson all) {
        RawJson whole = params.size() < 2 || params.get(1).first() == 'n' ? FALSE : params.get(1);
        if (!whole.equals(TRUE) && !whole.equals(FALSE)) {
            return refused(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(
                    "params[1]: " + FirstParam.excerpt(whole) + " (expected: true for whole transactions, or false)")));
        }
        SubscriptionKind kind = whole.equals(TRUE) ? SubscriptionKind.WHOLE_PENDING : SubscriptionKind.PENDING;
        return new SubscriptionRequest(kind, null, all, tooMany(params, 2));
    }

    private static SubscriptionRequest logs(List<RawJson> params, RawJson all, LimitsConfig limits)
            throws InvalidParamsException {
        RawJson given = params.size() < 2 || params.get(1).first() == 'n' ? NO_FILTER : params.get(1);
        try {
            RawJson filter = EthereumParams.LOG_FILTER.kind().normalise(given, new ParamCounts(limits));
            return new SubscriptionRequest(SubscriptionKind.LOGS, LogCriteria.read(filter), all, tooMany(params, 2));
        } catch (InvalidParamsException e) {
            throw e.inElement(1);
        }
    }
}
