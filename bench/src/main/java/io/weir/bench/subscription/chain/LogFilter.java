package io.weir.bench.subscription.chain;

import io.weir.ethereum.Hash32;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A filter of logs. Immutable.
 *
 * @param addresses in hex; every address if empty
 * @param topics for each position the topics in hex; every topic if empty
 */
public record LogFilter(Set<String> addresses, List<Set<String>> topics) {

    /** Filter that every log passes. */
    public static final LogFilter ALL = new LogFilter(Set.of(), List.of());

    /** Reads the members {@code address} and {@code topics} of a filter object. */
    public static LogFilter read(JsonNode filter) {
        List<Set<String>> topics = new ArrayList<>();
        filter.path("topics").forEach(position -> topics.add(texts(position)));
        return new LogFilter(texts(filter.path("address")), topics);
    }

    private static Set<String> texts(JsonNode value) {
        Set<String> texts = new HashSet<>();
        if (value.isArray()) {
            value.forEach(one -> texts.add(one.asString()));
        } else if (value.isString()) {
            texts.add(value.asString());
        }
        return texts;
    }

    /** Makes a filter of one of the usual forms, from one that every log passes to one that few logs pass. */
    public static LogFilter any(RandomGenerator random) {
        Set<String> addresses = random.nextInt(3) == 0
                ? Set.of()
                : some(random, Values.TOKENS.stream().map(token -> token.hex()).toList());
        Set<String> first = random.nextInt(2) == 0 ? Set.of() : some(random, hex(Values.EVENTS));
        return switch (random.nextInt(4)) {
            case 0 -> new LogFilter(addresses, List.of());
            case 1, 2 -> new LogFilter(addresses, List.of(first));
            default -> new LogFilter(addresses, List.of(first, some(random, hex(Values.PARTIES))));
        };
    }

    private static Set<String> some(RandomGenerator random, List<String> values) {
        Set<String> chosen = new HashSet<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            chosen.add(values.get(random.nextInt(values.size())));
        }
        return Set.copyOf(chosen);
    }

    private static List<String> hex(List<Hash32> hashes) {
        return hashes.stream().map(Hash32::hex).toList();
    }

    /** Returns whether a log passes. */
    public boolean passes(ChainLog log) {
        List<Hash32> actual = log.log().topics();
        boolean here =
                addresses.isEmpty() || addresses.contains(log.log().address().hex());
        if (!here || actual.size() < topics.size()) {
            return false;
        }
        for (int i = 0; i < topics.size(); i++) {
            if (!topics.get(i).isEmpty()
                    && !topics.get(i).contains(actual.get(i).hex())) {
                return false;
            }
        }
        return true;
    }

    /** Returns the logs of a block that pass. */
    public List<ChainLog> of(Block block) {
        return block.logs().stream().filter(this::passes).toList();
    }

    /** Returns the filter as a parameter. */
    public String json() {
        String positions = topics.stream()
                .map(position -> position.isEmpty() ? "null" : list(position))
                .collect(Collectors.joining(","));
        String address = addresses.isEmpty() ? "" : "\"address\":" + list(addresses) + ",";
        return "{" + address + "\"topics\":[" + positions + "]}";
    }

    private static String list(Set<String> values) {
        return values.stream().sorted().map(value -> '"' + value + '"').collect(Collectors.joining(",", "[", "]"));
    }
}
