package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Objects with known members; unknown ones pass as they were written. A known member that is {@code null} counts as absent.
 * Immutable and thread-safe.
 */
public final class ObjectKind implements Kind {

    private static final RawJson EMPTY = RawJson.of("{}");

    private final String expected;
    private final List<String> names;
    private final List<RawJson> quoted;
    private final List<Kind> kinds;
    private final boolean[] required;
    private final Rule rule;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final NameTable table;

    /** The known names by their case-folded form. */
    private final Map<String, String> folded = new HashMap<>();

    private final int longestName;
    private final boolean acceptsEmpty;

    private ObjectKind(Builder builder) {
        expected = builder.expected;
        names = List.copyOf(builder.names);
        quoted = names.stream().map(name -> RawJson.of('"' + name + '"')).toList();
        kinds = List.copyOf(builder.kinds);
        required = new boolean[names.size()];
        rule = builder.rule;
        int longest = 0;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            required[i] = builder.required.contains(name);
            indexes.put(name, i);
            folded.put(JsonString.folded(name), name);
            longest = Math.max(longest, name.length());
        }
        longestName = longest;
        table = NameTable.of(names);
        acceptsEmpty = builder.required.isEmpty() && isNormalIfEmpty();
    }

    private boolean isNormalIfEmpty() {
        Members none = new Members(EMPTY, names, quoted, indexes);
        try {
            rule.apply(none);
        } catch (InvalidParamsException e) {
            return false;
        }
        return none.json().equals(EMPTY);
    }

    /** Starts the description of a kind of object; {@code expected} is its name in messages. */
    public static Builder of(String expected) {
        return new Builder(expected);
    }

    @Override
    public RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (acceptsEmpty && value.equals(EMPTY)) {
            // Millions fit into one body: each must cost about as much as its two bytes.
            return value;
        }
        return read(value, counts).json();
    }

    /** Returns the members of an object of this kind, in normal form. */
    public Members read(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (value.first() != '{') {
            throw InvalidParamsException.wrong(value, expected);
        }
        Members members = new Members(value, names, quoted, indexes);
        JsonScanner scanner = JsonScanner.strict(value.array(), value.offset(), value.length());
        try {
            int remaining = ParamLimit.MEMBERS.max();
            boolean more = scanner.enter();
            while (more) {
                if (remaining-- == 0) {
                    throw counts.over(ParamLimit.MEMBERS, MapKind.count(value));
                }
                member(scanner, value.array(), members, counts);
                more = scanner.nextEntry();
            }
        } catch (JsonSyntaxException e) {
            throw JsonArray.notJson(e);
        }
        requireMembers(members, counts);
        rule.apply(members);
        return members;
    }

    private void member(JsonScanner scanner, byte[] text, Members members, ParamCounts counts)
            throws JsonSyntaxException, InvalidParamsException {
        scanner.peek();
        int nameStart = scanner.position();
        String name = scanner.member(table);
        int start = scanner.position();
        scanner.skip();
        RawJson value = RawJson.slice(text, start, scanner.position() - start);
        Integer index = indexes.get(name);
        if (index != null) {
            known(index, value, members, counts);
        } else {
            checkOther(name);
            members.takeOther(nameWritten(text, nameStart, start), value);
        }
    }

    private void known(int index, RawJson value, Members members, ParamCounts counts) throws InvalidParamsException {
        String name = names.get(index);
        if (!members.markSeen(index)) {
            throw InvalidParamsException.of("two of it", "one").inMember(name);
        }
        if (value.first() == 'n') {
            members.drop();
            return;
        }
        try {
            members.take(index, value, kinds.get(index).normalise(value, counts));
        } catch (InvalidParamsException e) {
            throw e.inMember(name);
        }
    }

    /** Checks required members. An absent one is {@code null} to its kind, which names the expected form. */
    private void requireMembers(Members members, ParamCounts counts) throws InvalidParamsException {
        for (int i = 0; i < names.size(); i++) {
            if (required[i] && members.get(names.get(i)) == null) {
                try {
                    kinds.get(i).normalise(RawJson.NULL, counts);
                } catch (InvalidParamsException e) {
                    throw e.asMissing().inMember(names.get(i));
                }
            }
        }
    }

    /**
     * Rejects a name that differs from a known one in case only. Some nodes ignore case and would read it as that member,
     * unchecked.
     */
    private void checkOther(String name) throws InvalidParamsException {
        if (!JsonString.isUnicode(name)) {
            throw InvalidParamsException.of("half a surrogate pair in a member's name", "Unicode text");
        }
        String known = name.length() > longestName ? null : folded.get(JsonString.folded(name));
        if (known != null) {
            throw InvalidParamsException.of("member " + InvalidParamsException.shown(name), known);
        }
    }

    /** Returns the name as written, with its quotes, before the colon and the value. */
    static RawJson nameWritten(byte[] text, int nameStart, int valueStart) {
        int end = valueStart;
        while (text[end - 1] != ':') {
            end--;
        }
        end--;
        while (text[end - 1] != '"') {
            end--;
        }
        return RawJson.slice(text, nameStart, end - nameStart);
    }

    /** Condition on the members of one object. */
    @FunctionalInterface
    public interface Rule {
        /** Rejects the members, or changes them to their normal form. */
        void apply(Members members) throws InvalidParamsException;
    }

    /** Builder of a kind, with members in the order of the normal form. Confined to one thread. */
    public static final class Builder {
        private final String expected;
        private final List<String> names = new ArrayList<>();
        private final List<Kind> kinds = new ArrayList<>();
        private final Set<String> required = new HashSet<>();
        private Rule rule = members -> {};

        private Builder(String expected) {
            this.expected = expected;
        }

        /** Adds optional members. */
        public Builder optional(Kind kind, String... more) {
            for (String name : more) {
                names.add(name);
                kinds.add(kind);
            }
            return this;
        }

        /** Adds a required member. */
        public Builder required(Kind kind, String name) {
            required.add(name);
            return optional(kind, name);
        }

        /** Adds a condition on the members. */
        public Builder rule(Rule among) {
            rule = among;
            return this;
        }

        /** Returns the kind. */
        public ObjectKind build() {
            return new ObjectKind(this);
        }
    }
}
