package io.weir.subscription;

import io.weir.api.SubscriptionForm;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.delivery.NotificationForm;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.LogCriteria;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls about subscriptions of a plugin's kind of network, by its form. Immutable and thread-safe. */
final class KindDialect implements SubscriptionDialect {

    private final SubscriptionForm form;
    private final BlockIds ids;
    private final NotificationForm heads;

    KindDialect(SubscriptionForm form, BlockIds ids) {
        this.form = form;
        this.ids = ids;
        this.heads = notifications(form.heads().topic());
    }

    private NotificationForm notifications(SubscriptionForm.Topic topic) {
        return new NotificationForm(
                topic.method(),
                topic.notification(),
                form.idMember(),
                form.reorganisation().notification());
    }

    /** Returns the reply with an error of the network's own. */
    static RpcReply.Failure failure(SubscriptionForm.Refusal refusal) {
        return RpcReply.failure(new RpcError(refusal.code(), refusal.message(), null));
    }

    @Override
    public SubscriptionRequest read(RpcCall call) {
        RawJson params = call.params() == null ? RawJson.EMPTY_ARRAY : call.params();
        SubscriptionForm.Status status = form.status();
        SubscriptionForm.Events events = form.events();
        for (SubscriptionForm.Passed passed : form.passed()) {
            if (call.method().equals(passed.topic().method())) {
                return passed(passed, params);
            }
        }
        try {
            if (events != null && call.method().equals(events.topic().method())) {
                return events(events, params);
            }
            return status != null && call.method().equals(status.topic().method())
                    ? status(status, params)
                    : heads(params);
        } catch (InvalidParamsException e) {
            return SubscriptionRequest.refused(heads, RpcReply.failure(ErrorCode.INVALID_PARAMS.error(e.getMessage())));
        }
    }

    private SubscriptionRequest passed(SubscriptionForm.Passed passed, RawJson params) {
        String method = passed.topic().method();
        RpcReply.Failure unknown = RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error(method
                + ": no upstream with a WebSocket serves it (served by all upstreams: "
                + String.join(", ", form.methods()) + ")"));
        RpcCall call = new RpcCall(RawJson.NULL, method, params.compact());
        return SubscriptionRequest.of(notifications(passed.topic()), Topic.passed(call, unknown, passed.hash()));
    }

    private SubscriptionRequest heads(RawJson params) throws InvalidParamsException {
        String parameter = form.heads().start().parameter();
        RawJson named = param(params, 0, parameter, 1);
        BlockSelector from = named == null ? BlockSelector.NONE : start(named, parameter);
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
        return SubscriptionRequest.of(SubscriptionKind.TRANSACTION_STATUS, notifications(status.topic()), null)
                .about(RawJson.of('"' + hash + '"'));
    }

    private SubscriptionRequest events(SubscriptionForm.Events events, RawJson params) throws InvalidParamsException {
        LogCriteria criteria =
                EventParams.criteria(events, param(params, 0, events.address(), 4), param(params, 1, events.keys(), 4));
        String parameter = form.heads().start().parameter();
        RawJson named = param(params, 2, parameter, 4);
        BlockSelector from = named == null ? BlockSelector.NONE : start(named, parameter);
        RawJson finality = param(params, 3, events.finality(), 4);
        if (finality != null && !finality.equals(RawJson.of('"' + events.finalityValue() + '"'))) {
            throw InvalidParamsException.of(FirstParam.excerpt(finality), events.finalityValue())
                    .inMember(events.finality());
        }
        return SubscriptionRequest.of(SubscriptionKind.LOGS, notifications(events.topic()), criteria)
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
        String hash = block instanceof BlockSelector.Hash exact ? BlockIds.hash(exact.hash()) : "";
        if (hash.isEmpty()) {
            throw InvalidParamsException.of(
                            FirstParam.excerpt(named),
                            "a block by its number or hash, or " + ids.form().latestTag())
                    .inMember(parameter);
        }
        return new BlockSelector.Hash(hash, false);
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

    @Override
    public @Nullable String id(RpcCall call) {
        RawJson params = call.params();
        try {
            RawJson id = params == null ? null : param(params, 0, form.idMember(), 1);
            return id == null || id.first() != '"'
                    ? null
                    : JsonString.unescape(id.array(), id.offset() + 1, id.offset() + id.length() - 1);
        } catch (InvalidParamsException e) {
            return null;
        }
    }

    @Override
    public RpcReply.Failure missingId(RpcCall call) {
        return RpcReply.failure(ErrorCode.INVALID_PARAMS.error(
                form.idMember() + ": missing (expected: the id of a subscription, alone, in a string)"));
    }

    @Override
    public RpcReply.Failure unknownId() {
        return failure(form.unknownId());
    }

    /** Parameters of subscriptions to events on a plugin's kind of network. Pure. */
    private static final class EventParams {

        private EventParams() {}

        /**
         * Returns the criteria that two parameters name.
         *
         * @param address one or several addresses; null for all
         * @param keys the alternatives at each position; null for all
         */
        static LogCriteria criteria(SubscriptionForm.Events form, @Nullable RawJson address, @Nullable RawJson keys)
                throws InvalidParamsException {
            Set<RawJson> addresses = Set.of();
            if (address != null) {
                addresses = address.first() == '['
                        ? values(address, form.address())
                        : Set.of(value(address, form.address()));
            }
            List<Set<RawJson>> positions = new ArrayList<>();
            for (RawJson position : keys == null ? List.<RawJson>of() : elements(keys, form.keys())) {
                positions.add(values(position, form.keys()));
            }
            if (positions.size() > form.maxPositions()) {
                throw InvalidParamsException.of(
                                positions.size() + " positions of keys", "at most " + form.maxPositions())
                        .inMember(form.keys());
            }
            return LogCriteria.of(addresses, positions);
        }

        private static List<RawJson> elements(RawJson list, String member) throws InvalidParamsException {
            if (list.first() != '[') {
                throw InvalidParamsException.of(FirstParam.excerpt(list), "a list")
                        .inMember(member);
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
}
