package io.weir.subscription;

import io.weir.api.SubscriptionForm;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.EthereumParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import io.weir.method.params.kind.ParamCounts;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.LogCriteria;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls of one network about subscriptions, by its form. Immutable and thread-safe. */
final class SubscriptionDialect {

    private static final RawJson NO_OPTIONS = RawJson.of("{}");
    private static final RawJson TRUE = RawJson.of("true");
    private static final RawJson FALSE = RawJson.of("false");
    private static final int MAX_SHOWN = 80;

    private final SubscriptionForm form;
    private final BlockIds ids;
    private final NameTable idName;
    private final SubscriptionRequest.Form heads;

    SubscriptionDialect(SubscriptionForm form, BlockIds ids) {
        this.form = form;
        this.ids = ids;
        this.idName = NameTable.of(Set.of(form.idMember()));
        this.heads = SubscriptionRequest.Form.of(form, form.heads().topic());
    }

    /** Returns the reply with an error of the network's own. */
    static RpcReply.Failure failure(SubscriptionForm.Refusal refusal) {
        return RpcReply.failure(new RpcError(refusal.code(), refusal.message(), null));
    }

    SubscriptionRequest read(RpcCall call) {
        String kind = null;
        if (form.topics().stream()
                .anyMatch(one -> one.kind() != null && one.method().equals(call.method()))) {
            FirstParam first = FirstParam.of(call.params());
            kind = first == null ? null : first.string();
            if (kind == null) {
                return refused(FirstParam.refusal(first, "the kind of the subscription"));
            }
        }
        RawJson params = call.params() == null ? RawJson.EMPTY_ARRAY : call.params();
        SubscriptionForm.Topic heard =
                new SubscriptionForm.Topic(call.method(), form.heads().topic().notification(), kind);
        for (SubscriptionForm.Passed passed : form.passed()) {
            if (isSame(passed.topic(), heard)) {
                return passed(passed, params);
            }
        }
        try {
            return known(heard, params);
        } catch (InvalidParamsException e) {
            return refused(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(e.getMessage())));
        }
    }

    private static boolean isSame(SubscriptionForm.@Nullable Topic topic, SubscriptionForm.Topic heard) {
        return topic != null
                && topic.method().equals(heard.method())
                && (topic.kind() == null || topic.kind().equals(heard.kind()));
    }

    private SubscriptionRequest known(SubscriptionForm.Topic heard, RawJson params) throws InvalidParamsException {
        SubscriptionForm.Status status = form.status();
        SubscriptionForm.Events events = form.events();
        if (isSame(form.heads().topic(), heard)) {
            SubscriptionForm.Start start = form.heads().start();
            return start == null ? heads(params) : heads(start, params);
        }
        if (events != null && isSame(events.topic(), heard)) {
            return events(events, params);
        }
        if (status != null && isSame(status.topic(), heard)) {
            return status(status, params);
        }
        if (isSame(form.logs(), heard)) {
            return logs(JsonArray.elements(params, 3));
        }
        return isSame(form.pending(), heard)
                ? pending(JsonArray.elements(params, 3))
                : passed(new SubscriptionForm.Passed(heard, null), params);
    }

    private SubscriptionRequest refused(RpcReply.Failure refusal) {
        return SubscriptionRequest.refused(heads, refusal);
    }

    private SubscriptionRequest passed(SubscriptionForm.Passed passed, RawJson params) {
        String method = passed.topic().method();
        String kind = passed.topic().kind();
        String message = kind == null
                ? method + ": no upstream with a WebSocket serves it (served by all upstreams: "
                        + String.join(", ", form.methods()) + ")"
                : "no \"" + (kind.length() <= MAX_SHOWN ? kind : kind.substring(0, MAX_SHOWN) + "...")
                        + "\" subscription in eth namespace";
        RpcReply.Failure unknown = RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error(message));
        RpcCall call = new RpcCall(RawJson.NULL, method, params.compact());
        return SubscriptionRequest.of(
                SubscriptionRequest.Form.of(form, passed.topic()), Topic.passed(call, unknown, passed.hash()));
    }

    /** Reads a call without parameters, or with the options {@code null} or {@code {}}, as Infura takes them. */
    private SubscriptionRequest heads(RawJson params) throws InvalidParamsException {
        List<RawJson> given = JsonArray.elements(params, 3);
        boolean hasNoOptions = given.size() == 2
                && (given.get(1).equals(RawJson.NULL) || given.get(1).equals(NO_OPTIONS));
        return request(SubscriptionKind.NEW_HEADS, null, hasNoOptions ? null : tooMany(given, 1));
    }

    private SubscriptionRequest request(
            SubscriptionKind kind, @Nullable LogCriteria criteria, RpcReply.@Nullable Failure refusal) {
        return refusal == null ? SubscriptionRequest.of(kind, heads, criteria) : refused(refusal);
    }

    private static RpcReply.@Nullable Failure tooMany(List<RawJson> params, int max) {
        return params.size() <= max
                ? null
                : RpcReply.failure(ErrorCode.INVALID_PARAMS.error("params[" + max + "]: "
                        + FirstParam.excerpt(params.get(max)) + " (expected: at most " + max + " parameters)"));
    }

    private SubscriptionRequest pending(List<RawJson> params) {
        RawJson whole = params.size() < 2 || params.get(1).first() == 'n' ? FALSE : params.get(1);
        if (!whole.equals(TRUE) && !whole.equals(FALSE)) {
            return refused(RpcReply.failure(ErrorCode.INVALID_PARAMS.error(
                    "params[1]: " + FirstParam.excerpt(whole) + " (expected: true for whole transactions, or false)")));
        }
        SubscriptionKind kind = whole.equals(TRUE) ? SubscriptionKind.WHOLE_PENDING : SubscriptionKind.PENDING;
        return request(kind, null, tooMany(params, 2));
    }

    private SubscriptionRequest logs(List<RawJson> params) throws InvalidParamsException {
        RawJson given = params.size() < 2 || params.get(1).first() == 'n' ? NO_OPTIONS : params.get(1);
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

    private SubscriptionRequest heads(SubscriptionForm.Start start, RawJson params) throws InvalidParamsException {
        RawJson named = param(params, 0, start.parameter(), 1);
        BlockSelector from = named == null ? BlockSelector.NONE : start(named, start.parameter());
        return SubscriptionRequest.of(SubscriptionKind.NEW_HEADS, heads, null).from(from);
    }

    private SubscriptionRequest status(SubscriptionForm.Status status, RawJson params) throws InvalidParamsException {
        RawJson named = param(params, 0, status.parameter(), 1);
        String hash = named == null ? "" : BlockIds.hash(named);
        if (hash.isEmpty()) {
            throw InvalidParamsException.of(
                            named == null ? "missing" : FirstParam.excerpt(named), "the hash of a transaction")
                    .inMember(status.parameter());
        }
        return SubscriptionRequest.of(
                        SubscriptionKind.TRANSACTION_STATUS, SubscriptionRequest.Form.of(form, status.topic()), null)
                .about(RawJson.of('"' + hash + '"'));
    }

    private SubscriptionRequest events(SubscriptionForm.Events events, RawJson params) throws InvalidParamsException {
        LogCriteria criteria =
                criteria(events, param(params, 0, events.address(), 4), param(params, 1, events.keys(), 4));
        SubscriptionForm.Start start = form.heads().start();
        RawJson named = start == null ? null : param(params, 2, start.parameter(), 4);
        BlockSelector from = start == null || named == null ? BlockSelector.NONE : start(named, start.parameter());
        RawJson finality = param(params, 3, events.finality(), 4);
        if (finality != null && !finality.equals(RawJson.of('"' + events.finalityValue() + '"'))) {
            throw InvalidParamsException.of(FirstParam.excerpt(finality), events.finalityValue())
                    .inMember(events.finality());
        }
        return SubscriptionRequest.of(
                        SubscriptionKind.LOGS, SubscriptionRequest.Form.of(form, events.topic()), criteria)
                .from(from);
    }

    /** Returns the earlier block that a parameter names; none for the newest one. */
    private BlockSelector start(RawJson named, String parameter) throws InvalidParamsException {
        BlockSelector block = ids.read(named);
        if (block instanceof BlockSelector.Height) {
            return block;
        }
        if (block instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.LATEST) {
            return BlockSelector.NONE;
        }
        if (!(block instanceof BlockSelector.Hash)) {
            throw InvalidParamsException.of(
                            FirstParam.excerpt(named),
                            "a block by its number or hash, or " + ids.form().latestTag())
                    .inMember(parameter);
        }
        return block;
    }

    /** Returns a parameter by its position or name; null if it is absent or null. */
    private static @Nullable RawJson param(RawJson params, int index, String name, int max)
            throws InvalidParamsException {
        RawJson value;
        if (params.first() == '{') {
            value = JsonObject.member(params, NameTable.of(Set.of(name)));
        } else {
            List<RawJson> given = JsonArray.elements(params, max + 1);
            if (given.size() > max) {
                throw InvalidParamsException.of(FirstParam.excerpt(given.get(max)), "at most " + max + " parameters")
                        .inElement(max);
            }
            value = given.size() > index ? given.get(index) : null;
        }
        return value == null || value.first() == 'n' ? null : value;
    }

    /** Returns the id in a call that unsubscribes, by position or by name; null if it has none. */
    @Nullable
    String id(RpcCall call) {
        RawJson params = call.params();
        RawJson id = params == null || params.first() != '{' ? null : JsonObject.member(params, idName);
        FirstParam first = id == null ? FirstParam.of(params) : new FirstParam(id, id);
        return first == null ? null : first.string();
    }

    /** Returns the reply to a call that unsubscribes without an id. */
    RpcReply.Failure missingId(RpcCall call) {
        return FirstParam.refusal(FirstParam.of(call.params()), "the id of a subscription");
    }

    /** Returns the reply to a call whose id the connection does not have. */
    RpcReply.Failure unknownId() {
        return failure(form.unknownId());
    }

    /**
     * Returns the criteria that two parameters name.
     *
     * @param address one or several addresses; null for all
     * @param keys the alternatives at each position; null for all
     */
    private static LogCriteria criteria(SubscriptionForm.Events form, @Nullable RawJson address, @Nullable RawJson keys)
            throws InvalidParamsException {
        Set<RawJson> addresses = Set.of();
        if (address != null) {
            addresses =
                    address.first() == '[' ? values(address, form.address()) : Set.of(value(address, form.address()));
        }
        List<Set<RawJson>> positions = new ArrayList<>();
        for (RawJson position : keys == null ? List.<RawJson>of() : elements(keys, form.keys())) {
            positions.add(values(position, form.keys()));
        }
        if (positions.size() > form.maxPositions()) {
            throw InvalidParamsException.of(positions.size() + " positions of keys", "at most " + form.maxPositions())
                    .inMember(form.keys());
        }
        return LogCriteria.of(addresses, positions);
    }

    private static List<RawJson> elements(RawJson list, String member) throws InvalidParamsException {
        if (list.first() != '[') {
            throw InvalidParamsException.of(FirstParam.excerpt(list), "a list").inMember(member);
        }
        return JsonArray.elements(list, Integer.MAX_VALUE);
    }

    private static Set<RawJson> values(RawJson list, String member) throws InvalidParamsException {
        Set<RawJson> values = new LinkedHashSet<>();
        for (RawJson element : elements(list, member)) {
            values.add(value(element, member));
        }
        return values;
    }

    private static RawJson value(RawJson value, String member) throws InvalidParamsException {
        RawJson normal = NodeLogs.normal(value);
        if (normal == null) {
            throw InvalidParamsException.of(FirstParam.excerpt(value), "0x and up to 64 hex digits")
                    .inMember(member);
        }
        return normal;
    }
}
