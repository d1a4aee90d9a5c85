package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists whose elements are of one kind. Immutable and thread-safe.
 *
 * @param limit to which elements count; null if the method bounds the list itself
 * @param max the maximum number of elements without a limit
 * @param single whether a single element is accepted in place of a list
 * @param nulls whether an element may be JSON's null
 */
public record ListKind(
        Kind element, String expected, @Nullable ParamLimit limit, int max, boolean single, boolean nulls)
        implements Kind {

    /** Returns the kind of lists whose elements count towards a limit. */
    public static ListKind of(Kind element, String expected, ParamLimit limit) {
        return new ListKind(element, expected, limit, 0, false, false);
    }

    /** Returns the kind of lists with at most this number of elements, by the method's rules. */
    public static ListKind upTo(int max, Kind element, String expected) {
        return new ListKind(element, expected, null, max, false, false);
    }

    /** Returns the same kind, which also accepts a single element instead of a list. */
    public ListKind orOne() {
        return new ListKind(element, expected, limit, max, true, nulls);
    }

    /** Returns the same kind, which also accepts {@code null} as an element. */
    public ListKind withNulls() {
        return new ListKind(element, expected, limit, max, single, true);
    }

    @Override
    public RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (value.first() != '[') {
            if (single && value.first() == '"') {
                return element.normalise(value, counts);
            }
            throw InvalidParamsException.wrong(value, expected);
        }
        List<RawJson> written = elements(value, counts);
        List<RawJson> normal = new ArrayList<>(written.size());
        boolean changed = false;
        for (int i = 0; i < written.size(); i++) {
            RawJson one = element(i, written.get(i), counts);
            changed |= !one.isSame(written.get(i));
            normal.add(one);
        }
        return JsonArray.of(normal, value, changed);
    }

    /** Reads one element more than allowed at most, so a list that is too long costs a scan of its bytes. */
    private List<RawJson> elements(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (limit == null) {
            List<RawJson> written = JsonArray.elements(value, max + 1);
            if (written.size() > max) {
                throw InvalidParamsException.wrong(written.get(max), "at most " + max)
                        .inElement(max);
            }
            return written;
        }
        int remaining = counts.remaining(limit);
        List<RawJson> written = JsonArray.elements(value, remaining + 1);
        if (written.size() > remaining) {
            throw counts.over(limit, JsonArray.count(value));
        }
        counts.add(limit, written.size());
        return written;
    }

    private RawJson element(int index, RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (nulls && value.first() == 'n') {
            return value;
        }
        try {
            return element.normalise(value, counts);
        } catch (InvalidParamsException e) {
            throw e.inElement(index);
        }
    }
}
