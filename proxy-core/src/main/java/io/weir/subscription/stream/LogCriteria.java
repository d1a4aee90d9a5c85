package io.weir.subscription.stream;

import io.weir.cache.HexAlternatives;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Criteria of the logs that a subscription wants. Immutable.
 *
 * @param addresses in normal form; none for all
 * @param topics the alternatives at each position, in normal form; none for all. A log needs at least this many topics.
 * @param from number of the first block; 0 for no bound
 * @param to number of the last block; {@link Long#MAX_VALUE} for no bound
 * @param bloomOf the addresses and topics for comparing with blooms, of the positions at which a bloom can rule something out
 */
public record LogCriteria(
        Set<RawJson> addresses, List<Set<RawJson>> topics, long from, long to, List<HexAlternatives> bloomOf) {

    /** Heap of criteria without any values, of one of their positions, of a value beside its text, and of the count of an address. */
    private static final int CRITERIA_BYTES = 100;

    private static final int POSITION_BYTES = 100;
    private static final int VALUE_BYTES = 56;
    private static final int COUNT_BYTES = 48;

    private static final NameTable FROM = NameTable.of(Set.of("fromBlock"));
    private static final NameTable TO = NameTable.of(Set.of("toBlock"));
    private static final NameTable ADDRESS = NameTable.of(Set.of("address"));
    private static final NameTable TOPICS = NameTable.of(Set.of("topics"));
    private static final String BOUND = "a number, \"earliest\" or \"latest\"";
    private static final RawJson EARLIEST = RawJson.of("\"earliest\"");
    private static final RawJson LATEST = RawJson.of("\"latest\"");
    private static final Set<RawJson> FINAL = Set.of(RawJson.of("\"safe\""), RawJson.of("\"finalized\""));
    private static final RawJson PENDING = RawJson.of("\"pending\"");

    /**
     * Returns criteria for all blocks, which no bloom rules out.
     *
     * @param addresses in normal form; none for all
     * @param topics the alternatives at each position, in normal form; none for all
     */
    public static LogCriteria of(Set<RawJson> addresses, List<Set<RawJson>> topics) {
        return new LogCriteria(addresses, List.copyOf(topics), 0, Long.MAX_VALUE, List.of());
    }

    /**
     * Reads a filter in normal form, as geth does for logs of later blocks. A block hash says nothing about them, and bounds are
     * numbers, the first block or the head. The range may also begin at a tag of finality.
     *
     * @throws InvalidParamsException if no later block can be within the bounds
     */
    public static LogCriteria read(RawJson filter) throws InvalidParamsException {
        RawJson first = JsonObject.member(filter, FROM);
        // Every later block is above the final ones, whichever they are.
        long from = first != null && FINAL.contains(first) ? 0 : bound(first);
        long to = bound(JsonObject.member(filter, TO));
        if ((from < 0 && to >= 0) || (to >= 0 && to < from)) {
            throw InvalidParamsException.of("fromBlock and toBlock: an invalid block range", "fromBlock up to toBlock");
        }
        Set<RawJson> addresses = alternatives(JsonObject.member(filter, ADDRESS));
        List<Set<RawJson>> topics = new ArrayList<>();
        for (RawJson position : elements(JsonObject.member(filter, TOPICS))) {
            topics.add(alternatives(position));
        }
        List<HexAlternatives> bloomOf = new ArrayList<>();
        Stream.concat(Stream.of(addresses), topics.stream())
                .filter(position -> !position.isEmpty() && position.size() <= HexAlternatives.MAX_IN_BLOOM)
                .forEach(position -> bloomOf.add(HexAlternatives.of(List.copyOf(position))));
        return new LogCriteria(
                addresses, List.copyOf(topics), Math.max(0, from), to < 0 ? Long.MAX_VALUE : to, List.copyOf(bloomOf));
    }

    /** Returns a block's number; -1 for the head. */
    private static long bound(@Nullable RawJson block) throws InvalidParamsException {
        if (block == null || block.first() == 'n' || block.equals(LATEST)) {
            return -1;
        }
        if (block.equals(EARLIEST)) {
            return 0;
        }
        if (block.equals(PENDING)) {
            throw InvalidParamsException.of("block \"pending\"", BOUND + ": pending logs are not supported");
        }
        HexText number = HexText.read(block);
        if (number == null) {
            throw InvalidParamsException.of("block " + block, BOUND + ": an invalid block range");
        }
        return number.toLong();
    }

    private static List<RawJson> elements(@Nullable RawJson list) throws InvalidParamsException {
        return list == null || list.first() != '[' ? List.of() : JsonArray.elements(list, Integer.MAX_VALUE);
    }

    /** Returns one value, or several; none if one of them is {@code null}, which allows all. */
    private static Set<RawJson> alternatives(@Nullable RawJson value) throws InvalidParamsException {
        if (value != null && value.first() == '"') {
            return Set.of(value.compact());
        }
        Set<RawJson> alternatives = new HashSet<>();
        for (RawJson element : elements(value)) {
            if (element.first() != '"') {
                return Set.of();
            }
            alternatives.add(element.compact());
        }
        return Set.copyOf(alternatives);
    }

    /** Returns the number of addresses and topics; 0 without criteria. */
    public static int count(@Nullable LogCriteria criteria) {
        return criteria == null
                ? 0
                : criteria.addresses.size()
                        + criteria.topics.stream().mapToInt(Set::size).sum();
    }

    /** Returns the heap that the criteria and their counts in {@link LogStream} take, about. */
    long bytes() {
        long bytes = CRITERIA_BYTES + (long) POSITION_BYTES * (1 + topics.size());
        for (RawJson address : addresses) {
            bytes += VALUE_BYTES + COUNT_BYTES + address.length();
        }
        for (Set<RawJson> position : topics) {
            for (RawJson topic : position) {
                bytes += VALUE_BYTES + topic.length();
            }
        }
        return bytes;
    }

    /** Returns whether a block can have a matching log; false is certain. */
    public boolean mayBeIn(StreamBlock block) {
        if (block.link().number() < from || block.link().number() > to) {
            return false;
        }
        if (block.bloomStart() < 0) {
            return true;
        }
        for (HexAlternatives one : bloomOf) {
            if (!one.mayBeIn(block.header(), block.bloomStart())) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a log's topics match from a position on, and its block is within the bounds. */
    boolean matches(BlockLogs.BlockLog log, long number, int position) {
        if (number < from || number > to || log.topics().size() < topics.size()) {
            return false;
        }
        for (int i = position; i < topics.size(); i++) {
            Set<RawJson> allowed = topics.get(i);
            if (!allowed.isEmpty() && !allowed.contains(log.topics().get(i))) {
                return false;
            }
        }
        return true;
    }
}
