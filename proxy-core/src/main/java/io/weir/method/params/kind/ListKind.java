package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.List;

/** Lists whose elements are all of one kind. Immutable and thread-safe. */
public final class ListKind implements Kind {

    private final Kind element;
    private final String expected;
    private final int most;
    private final boolean orOne;
    private final boolean nulls;

    private ListKind(Kind element, String expected, int most, boolean orOne, boolean nulls) {
        this.element = element;
        this.expected = expected;
        this.most = most;
        this.orOne = orOne;
        this.nulls = nulls;
    }

    /** Lists of any length. */
    public static ListKind of(Kind element, String expected) {
        return new ListKind(element, expected, Integer.MAX_VALUE - 1, false, false);
    }

    /** Lists of so many elements at most. */
    public ListKind upTo(int count) {
        return new ListKind(element, expected, count, orOne, nulls);
    }

    /** A single element may stand for a list. */
    public ListKind orOne() {
        return new ListKind(element, expected, most, true, nulls);
    }

    /** Elements may be {@code null}. */
    public ListKind withNulls() {
        return new ListKind(element, expected, most, orOne, true);
    }

    @Override
    public RawJson normalise(RawJson value) throws InvalidParamsException {
        if (value.first() != '[') {
            if (orOne && value.first() == '"') {
                return element.normalise(value);
            }
            throw InvalidParamsException.wrong(value, expected);
        }
        List<RawJson> written = JsonArray.elements(value, most + 1);
        if (written.size() > most) {
            throw InvalidParamsException.wrong(written.get(most), "at most " + most)
                    .inElement(most);
        }
        List<RawJson> normal = new ArrayList<>(written.size());
        boolean changed = false;
        for (int i = 0; i < written.size(); i++) {
            RawJson one = element(i, written.get(i));
            changed |= !one.isSame(written.get(i));
            normal.add(one);
        }
        return JsonArray.of(normal, value, changed);
    }

    private RawJson element(int index, RawJson value) throws InvalidParamsException {
        if (nulls && value.first() == 'n') {
            return value;
        }
        try {
            return element.normalise(value);
        } catch (InvalidParamsException e) {
            throw e.inElement(index);
        }
    }
}
