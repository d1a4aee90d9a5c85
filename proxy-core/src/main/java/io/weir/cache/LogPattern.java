package io.weir.cache;

import io.weir.cache.MemberWalk.Wanted;
import io.weir.ethereum.block.Bloom;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Pattern of requested logs: a set of addresses, and a set of topics at each position. A missing or empty list
 * allows everything. Immutable.
 */
public final class LogPattern {

    private static final Wanted OF_FILTER = Wanted.of("fromBlock", "toBlock", "blockHash", "address", "topics");
    private static final Wanted OF_LOG = Wanted.of("address", "topics");

    private final HexAlternatives addresses;
    private final List<HexAlternatives> topics;

    private LogPattern(HexAlternatives addresses, List<HexAlternatives> topics) {
        this.addresses = addresses;
        this.topics = topics;
    }

    /** Pattern with its block, given by hash or by number. Immutable. */
    record OfBlock(LogPattern pattern, @Nullable String hash, long number) {}

    /** Reads a filter in normal form; null if it is not about one block by number or hash, or if it is ambiguous. */
    static @Nullable OfBlock read(RawJson filter) {
        try {
            return new Reading(filter, false).result();
        } catch (JsonSyntaxException | InvalidParamsException e) {
            return null;
        }
    }

    /** Reads a filter in normal form, whatever blocks it is about; null if nodes differ in what it means. */
    public static @Nullable LogPattern of(RawJson filter) {
        return of(filter, false);
    }

    /** Returns the same in its widest meaning where nodes differ in what it means; null only if it has a member that is not known. */
    public static @Nullable LogPattern widest(RawJson filter) {
        return of(filter, true);
    }

    private static @Nullable LogPattern of(RawJson filter, boolean widest) {
        try {
            return new Reading(filter, widest).pattern();
        } catch (JsonSyntaxException | InvalidParamsException e) {
            return null;
        }
    }

    /** Returns whether every log matches. */
    public boolean isOfAll() {
        return addresses.isEmpty() && topics.isEmpty();
    }

    /** Returns whether a block with this bloom can have a matching log; false is certain. */
    public boolean mayBeIn(Bloom bloom) {
        return mayBeIn(bloom::has);
    }

    /** Returns whether a block or receipt with this bloom can have a matching log; false is certain. */
    boolean mayBeIn(RawJson json, int bloomStart) {
        return mayBeIn(bit -> HexAlternatives.has(json, bloomStart, bit));
    }

    private boolean mayBeIn(IntPredicate has) {
        if (!addresses.mayBeIn(has)) {
            return false;
        }
        for (HexAlternatives position : topics) {
            if (!position.mayBeIn(has)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a log with these items matches: its address and its topics.
     *
     * @param item returns one of them, in normal form
     */
    public boolean matches(int items, IntFunction<RawJson> item) {
        boolean right = items > topics.size() && (addresses.isEmpty() || addresses.allow(item.apply(0)));
        for (int i = 0; right && i < topics.size(); i++) {
            right = topics.get(i).isEmpty() || topics.get(i).allow(item.apply(i + 1));
        }
        return right;
    }

    /** Returns whether a log matches. */
    boolean matches(RawJson log) throws JsonSyntaxException {
        MemberWalk walk = new MemberWalk(log);
        boolean[] right = {false, false};
        boolean object = walk.object(OF_LOG, name -> {
            if (name.equals("address")) {
                // The first mismatch ends the walk.
                right[0] = addresses.allow(walk.value());
                return right[0];
            }
            int[] position = {0};
            boolean[] all = {true};
            boolean list = walk.list(() -> {
                RawJson topic = walk.value();
                all[0] &=
                        position[0] >= topics.size() || topics.get(position[0]).allow(topic);
                position[0]++;
                return all[0];
            });
            right[1] = all[0] && position[0] >= topics.size();
            return list;
        });
        return object && right[0] && right[1];
    }

    /** Content of a filter. Confined to one thread. */
    private static final class Reading {

        private final boolean plain;
        private final boolean widest;
        private @Nullable RawJson from;
        private @Nullable RawJson to;
        private @Nullable RawJson hash;
        private RawJson addresses = RawJson.NULL;
        private RawJson topics = RawJson.NULL;
        private int known;

        Reading(RawJson filter, boolean widest) throws JsonSyntaxException {
            this.widest = widest;
            MemberWalk walk = new MemberWalk(filter);
            boolean object = walk.object(OF_FILTER, name -> {
                take(name, walk.value());
                return true;
            });
            // A node may know the meaning of members that are unknown here.
            plain = object && known == members(filter);
        }

        private void take(String name, RawJson value) {
            known++;
            switch (name) {
                case "fromBlock" -> from = value;
                case "toBlock" -> to = value;
                case "blockHash" -> hash = value;
                case "address" -> addresses = value;
                default -> topics = value;
            }
        }

        private static int members(RawJson filter) throws JsonSyntaxException {
            return new MemberWalk(filter).count();
        }

        @Nullable
        OfBlock result() throws InvalidParamsException {
            LogPattern pattern = pattern();
            if (pattern == null) {
                return null;
            }
            if (hash != null) {
                return new OfBlock(pattern, BlockQuestion.unquoted(hash), -1);
            }
            HexText first = from == null ? null : HexText.read(from);
            HexText last = to == null ? null : HexText.read(to);
            return first == null || last == null || first.toLong() != last.toLong()
                    ? null
                    : new OfBlock(pattern, null, first.toLong());
        }

        @Nullable
        LogPattern pattern() throws InvalidParamsException {
            if (!plain) {
                return null;
            }
            List<HexAlternatives> positions = new ArrayList<>();
            for (RawJson position : elements(topics)) {
                HexAlternatives items = alternatives(position);
                if (items == null) {
                    return null;
                }
                positions.add(items);
            }
            HexAlternatives any = alternatives(addresses);
            if (any == null) {
                return null;
            }
            while (!positions.isEmpty() && positions.get(positions.size() - 1).isEmpty()) {
                // Nodes differ in whether such a filter matches a log without a topic at that position.
                if (!widest) {
                    return null;
                }
                positions.remove(positions.size() - 1);
            }
            return new LogPattern(any, List.copyOf(positions));
        }

        private static List<RawJson> elements(RawJson list) throws InvalidParamsException {
            return list.first() == 'n' ? List.of() : JsonArray.elements(list, Integer.MAX_VALUE);
        }

        /**
         * Returns a set of one or several values; null if {@code null} is among several, which nodes interpret differently.
         */
        private @Nullable HexAlternatives alternatives(RawJson value) throws InvalidParamsException {
            if (value.first() == '"') {
                return HexAlternatives.of(List.of(value));
            }
            List<RawJson> elements = elements(value);
            for (RawJson element : elements) {
                if (element.first() != '"') {
                    return widest ? HexAlternatives.of(List.of()) : null;
                }
            }
            return HexAlternatives.of(elements);
        }
    }
}
