package io.weir.subscription;

import io.weir.api.SubscriptionForm;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.log.LogCriteria;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parameters of subscriptions to events on a plugin's kind of network. Pure. */
final class EventParams {

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
        RawJson normal = KindLogs.normal(value);
        if (normal == null) {
            throw InvalidParamsException.of(FirstParam.excerpt(value), "0x and up to 64 hex digits")
                    .inMember(member);
        }
        return normal;
    }
}
