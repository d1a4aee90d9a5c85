package io.weir.cache.block;

import io.weir.cache.block.MemberWalk.Wanted;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
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

    private final List<Item> addresses;
    private final List<List<Item>> topics;

    private LogPattern(List<Item> addresses, List<List<Item>> topics) {
        this.addresses = addresses;
        this.topics = topics;
    }

    /** A pattern and the block that it is for: by its hash, or else its number. */
    record OfBlock(LogPattern pattern, @Nullable String hash, long number) {}

    /** An address or a topic: its text in quotes, and its bits in a bloom. */
    private record Item(RawJson text, int[] bits) {

        private static final int BLOOM_BITS = 2048;

        static Item of(RawJson value) {
            String text = value.toString();
            Hash32 hash = Bytes.fromHex(text.substring(1, text.length() - 1)).keccak();
            int[] bits = new int[3];
            for (int i = 0; i < bits.length; i++) {
                bits[i] = (hash.bytes().at(i * 2) << 8 | hash.bytes().at(i * 2 + 1)) % BLOOM_BITS;
            }
            return new Item(value, bits);
        }

        boolean mayBeIn(RawJson json, int bloomStart) {
            int digits = json.offset() + bloomStart + 3;
            for (int bit : bits) {
                int digit = Character.digit(json.array()[digits + (BLOOM_BITS - 1 - bit) / 4], 16);
                if ((digit & 1 << bit % 4) == 0) {
                    return false;
                }
            }
            return true;
        }

        boolean equalsIgnoringCase(RawJson other) {
            if (other.length() != text.length()) {
                return false;
            }
            for (int i = 0; i < other.length(); i++) {
                if (lower(other.array()[other.offset() + i]) != text.array()[text.offset() + i]) {
                    return false;
                }
            }
            return true;
        }

        private static int lower(byte b) {
            return b >= 'A' && b <= 'F' ? b | 0x20 : b;
        }
    }

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
        return anyMayBeIn(addresses, json, bloomStart)
                && topics.stream().allMatch(place -> anyMayBeIn(place, json, bloomStart));
    }

    private static boolean anyMayBeIn(List<Item> items, RawJson json, int bloomStart) {
        return items.isEmpty() || items.stream().anyMatch(item -> item.mayBeIn(json, bloomStart));
    }

    /** Whether a log is asked for. */
    boolean matches(RawJson log) throws JsonSyntaxException {
        MemberWalk walk = new MemberWalk(log);
        boolean[] right = {false, false};
        boolean object = walk.object(OF_LOG, name -> {
            if (name.equals("address")) {
                right[0] = isOne(addresses, walk.value());
                return true;
            }
            int[] place = {0};
            boolean[] all = {true};
            boolean list = walk.list(() -> {
                RawJson topic = walk.value();
                all[0] &= place[0] >= topics.size() || isOne(topics.get(place[0]), topic);
                place[0]++;
                return true;
            });
            right[1] = all[0] && place[0] >= topics.size();
            return list;
        });
        return object && right[0] && right[1];
    }

    private static boolean isOne(List<Item> items, RawJson value) {
        return items.isEmpty() || items.stream().anyMatch(item -> item.equalsIgnoringCase(value));
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
            List<List<Item>> places = new ArrayList<>();
            for (RawJson place : elements(topics)) {
                List<Item> items = items(place);
                if (items == null) {
                    return null;
                }
                places.add(items);
            }
            List<Item> any = items(addresses);
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
        private static @Nullable List<Item> items(RawJson value) throws InvalidParamsException {
            if (value.first() == '"') {
                return List.of(Item.of(value));
            }
            List<Item> items = new ArrayList<>();
            for (RawJson element : elements(value)) {
                if (element.first() != '"') {
                    return null;
                }
                items.add(Item.of(element));
            }
            return List.copyOf(items);
        }
    }
}
