package io.weir.subscription;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.params.EthereumParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.ParamCounts;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.delivery.NotificationForm;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.LogCriteria;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls {@code eth_subscribe} and {@code eth_unsubscribe}, with geth's replies. Immutable and thread-safe. */
record EthereumDialect() implements SubscriptionDialect {

    private static final RpcReply.Failure NOT_FOUND =
            RpcReply.failure(ErrorCode.INVALID_INPUT.error("subscription not found"));
    private static final RawJson NO_FILTER = RawJson.of("{}");
    private static final RawJson TRUE = RawJson.of("true");
    private static final RawJson FALSE = RawJson.of("false");
    private static final int MAX_SHOWN = 80;

    @Override
    public SubscriptionRequest read(RpcCall call) {
        FirstParam first = FirstParam.of(call.params());
        String name = first == null ? null : first.string();
        if (first == null || name == null) {
            return refused(FirstParam.refusal(first, "the kind of the subscription"));
        }
        RawJson all = first.params();
        try {
            List<RawJson> params = JsonArray.elements(all, 3);
            if (name.equals(SubscriptionKind.NEW_HEADS.text())) {
                return request(SubscriptionKind.NEW_HEADS, null, hasNoOptions(params) ? null : tooMany(params, 1));
            }
            if (name.equals(SubscriptionKind.LOGS.text())) {
                return logs(params);
            }
            if (name.equals(SubscriptionKind.PENDING.text())) {
                return pending(params);
            }
        } catch (InvalidParamsException e) {
            return refused(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(e.getMessage())));
        }
        Topic passed = Topic.passed(ChainCalls.subscribe(all.compact()), unknown(name), null);
        return SubscriptionRequest.of(NotificationForm.ETHEREUM, passed);
    }

    private static RpcReply.Failure unknown(String name) {
        String shown = name.length() <= MAX_SHOWN ? name : name.substring(0, MAX_SHOWN) + "...";
        return RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("no \"" + shown + "\" subscription in eth namespace"));
    }

    private static SubscriptionRequest refused(RpcReply.Failure refusal) {
        return SubscriptionRequest.refused(NotificationForm.ETHEREUM, refusal);
    }

    private static SubscriptionRequest request(
            SubscriptionKind kind, @Nullable LogCriteria criteria, RpcReply.@Nullable Failure refusal) {
        return refusal == null ? SubscriptionRequest.of(kind, NotificationForm.ETHEREUM, criteria) : refused(refusal);
    }

    /** Returns whether the options of a subscription to heads are {@code null} or {@code {}}, as Infura takes them. */
    private static boolean hasNoOptions(List<RawJson> params) {
        return params.size() == 2
                && (params.get(1).equals(RawJson.NULL) || params.get(1).equals(NO_FILTER));
    }

    private static RpcReply.@Nullable Failure tooMany(List<RawJson> params, int max) {
        return params.size() <= max
                ? null
                : RpcReply.failure(ErrorCode.INVALID_PARAMS.error("params[" + max + "]: "
                        + FirstParam.excerpt(params.get(max)) + " (expected: at most " + max + " parameters)"));
    }

    private static SubscriptionRequest pending(List<RawJson> params) {
        RawJson whole = params.size() < 2 || params.get(1).first() == 'n' ? FALSE : params.get(1);
        if (!whole.equals(TRUE) && !whole.equals(FALSE)) {
            return refused(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(
                    "params[1]: " + FirstParam.excerpt(whole) + " (expected: true for whole transactions, or false)")));
        }
        SubscriptionKind kind = whole.equals(TRUE) ? SubscriptionKind.WHOLE_PENDING : SubscriptionKind.PENDING;
        return request(kind, null, tooMany(params, 2));
    }

    private SubscriptionRequest logs(List<RawJson> params) throws InvalidParamsException {
        RawJson given = params.size() < 2 || params.get(1).first() == 'n' ? NO_FILTER : params.get(1);
        RawJson filter;
        try {
            filter = EthereumParams.LOG_FILTER.kind().normalise(given, new ParamCounts());
        } catch (InvalidParamsException e) {
            throw e.inElement(1);
        }
        try {
            return request(SubscriptionKind.LOGS, LogCriteria.read(filter), tooMany(params, 2));
        } catch (InvalidParamsException e) {
            // Valid parameters about no later block: geth has another code for them.
            return refused(RpcReply.failure(
                    ErrorCode.INVALID_INPUT.error(e.inElement(1).getMessage())));
        }
    }

    @Override
    public @Nullable String id(RpcCall call) {
        FirstParam param = FirstParam.of(call.params());
        return param == null ? null : param.string();
    }

    @Override
    public RpcReply.Failure missingId(RpcCall call) {
        return FirstParam.refusal(FirstParam.of(call.params()), "the id of a subscription");
    }

    @Override
    public RpcReply.Failure unknownId() {
        return NOT_FOUND;
    }
}
