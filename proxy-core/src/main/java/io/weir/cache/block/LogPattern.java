package io.weir.cache.block;

import io.weir.cache.block.MemberWalk.Wanted;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which logs of one block are asked for: by address, one of several, and by topic at each place, one of several. No list, or an
 * empty one, is any. Immutable.
 */
final class LogPattern {

    private static final Wanted OF_FILTER = Wanted.of("fromBlock", "toBlock", "blockHash", "address", "topics");
    private static final Wanted OF_LOG = Wanted.of("address", "topics");

    private final HexAlternatives addresses;
    private final List<HexAlternatives> topics;

    private LogPattern(HexAlternatives addresses, List<HexAlternatives> topics) {
        this.addresses = addresses;
        this.topics = topics;
    }

    /** A pattern and the block that it is for: by its hash, or else its number. */
    record OfBlock(LogPattern pattern, @Nullable String hash, long number) {}

    /** Reads a filter in normal form; null where it is not about one block by number or hash, or not plain in what it asks. */
    static @Nullable OfBlock read(RawJson filter) {
        try {
            return new Reading(filter).result();
        } catch (JsonSyntaxException | InvalidParamsException e) {
            return null;
        }
    }

    /** Whether a log can be in a block, or of a receipt, that has this bloom; false is certain. */
    boolean mayBeIn(RawJson json, int bloomStart) {
        if (!addresses.mayBeIn(json, bloomStart)) {
            return false;
        }
        for (HexAlternatives place : topics) {
            if (!place.mayBeIn(json, bloomStart)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a log is asked for. */
    boolean matches(RawJson log) throws JsonSyntaxException {
        MemberWalk walk = new MemberWalk(log);
        boolean[] right = {false, false};
        boolean object = walk.object(OF_LOG, name -> {
            if (name.equals("address")) {
                // One reason not to ask for a log is enough: the walk ends there.
                right[0] = addresses.allow(walk.value());
                return right[0];
            }
            int[] place = {0};
            boolean[] all = {true};
            boolean list = walk.list(() -> {
                RawJson topic = walk.value();
                all[0] &= place[0] >= topics.size() || topics.get(place[0]).allow(topic);
                place[0]++;
                return all[0];
            });
            right[1] = all[0] && place[0] >= topics.size();
            return list;
        });
        return object && right[0] && right[1];
    }

    /** What a filter says. Confined to one thread. */
    private static final class Reading {

        private final boolean plain;
        private @Nullable RawJson from;
        private @Nullable RawJson to;
        private @Nullable RawJson hash;
        private RawJson addresses = RawJson.NULL;
        private RawJson topics = RawJson.NULL;
        private int known;

        Reading(RawJson filter) throws JsonSyntaxException {
            MemberWalk walk = new MemberWalk(filter);
            boolean object = walk.object(OF_FILTER, name -> {
                take(name, walk.value());
                return true;
            });
            // What nobody here knows might mean something to a node.
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
            if (!plain) {
                return null;
            }
            List<HexAlternatives> places = new ArrayList<>();
            for (RawJson place : elements(topics)) {
                HexAlternatives items = alternatives(place);
                if (items == null) {
                    return null;
                }
                places.add(items);
            }
            HexAlternatives any = alternatives(addresses);
            if (any == null) {
                return null;
            }
            if (!places.isEmpty() && places.get(places.size() - 1).isEmpty()) {
                // Nodes differ in whether a log without a topic at that place is meant.
                return null;
            }
            LogPattern pattern = new LogPattern(any, List.copyOf(places));
            if (hash != null) {
                return new OfBlock(pattern, BlockQuestion.unquoted(hash), -1);
            }
            HexText first = from == null ? null : HexText.read(from);
            HexText last = to == null ? null : HexText.read(to);
            return first == null || last == null || first.toLong() != last.toLong()
                    ? null
                    : new OfBlock(pattern, null, first.toLong());
        }

        private static List<RawJson> elements(RawJson list) throws InvalidParamsException {
            return list.first() == 'n' ? List.of() : JsonArray.elements(list, Integer.MAX_VALUE);
        }

        /** One, or one of several; null where there is a {@code null} among several, which nodes read in their own ways. */
        private static @Nullable HexAlternatives alternatives(RawJson value) throws InvalidParamsException {
            if (value.first() == '"') {
                return HexAlternatives.of(List.of(value));
            }
            List<RawJson> elements = elements(value);
            for (RawJson element : elements) {
                if (element.first() != '"') {
                    return null;
                }
            }
            return HexAlternatives.of(elements);
        }
    }
}
