package io.weir.devnet.parameter;

import io.weir.devnet.parameter.BlockParameter.Tag;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.Log;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Which logs are asked for. Immutable.
 *
 * @param block the one block to look at; null for a range
 * @param addresses any of these; empty for all
 * @param topics for each position any of these; empty for all
 */
public record LogFilter(
        @Nullable Hash32 block,
        BlockParameter from,
        BlockParameter to,
        Set<Address> addresses,
        List<Set<Hash32>> topics) {
    private static final int MAX_TOPICS = 4;
    private static final int MAX_ALTERNATIVES = 1000;

    public LogFilter {
        addresses = Set.copyOf(addresses);
        topics = List.copyOf(topics);
    }

    static LogFilter read(Argument argument) {
        JsonNode json = argument.json();
        if (!json.isObject()) {
            throw argument.mismatch(argument.kind(), "filters.input");
        }
        Argument hash = member(argument, "blockHash");
        Argument from = member(argument, "fromBlock");
        Argument to = member(argument, "toBlock");
        if (hash != null && (from != null || to != null)) {
            throw argument.invalid("cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other");
        }
        Argument addresses = member(argument, "address");
        return new LogFilter(
                hash == null ? null : hash.hash(),
                end(from),
                end(to),
                addresses == null ? Set.of() : alternatives(addresses, Argument::address),
                topics(member(argument, "topics")));
    }

    /** Whether a block or receipt with this bloom may have such logs. */
    public boolean mayMatch(Bloom bloom) {
        return (addresses.isEmpty() || addresses.stream().anyMatch(bloom::contains))
                && topics.stream().allMatch(any -> any.isEmpty() || any.stream().anyMatch(bloom::contains));
    }

    /** Whether a log is asked for. */
    public boolean matches(Log log) {
        if (topics.size() > log.topics().size() || !(addresses.isEmpty() || addresses.contains(log.address()))) {
            return false;
        }
        for (int i = 0; i < topics.size(); i++) {
            if (!topics.get(i).isEmpty() && !topics.get(i).contains(log.topics().get(i))) {
                return false;
            }
        }
        return true;
    }

    private static BlockParameter end(@Nullable Argument argument) {
        BlockParameter block = argument == null ? BlockParameter.LATEST : BlockParameter.numberOrTag(argument);
        if (block.tag() == Tag.PENDING) {
            throw Failures.invalidParams("pending logs are not supported");
        }
        return block;
    }

    private static List<Set<Hash32>> topics(@Nullable Argument argument) {
        List<Set<Hash32>> topics = new ArrayList<>();
        if (argument == null) {
            return topics;
        }
        if (!argument.json().isArray()) {
            throw argument.mismatch(argument.kind(), "[]interface {}");
        }
        if (argument.json().size() > MAX_TOPICS) {
            throw Failures.invalidParams("exceed max topics");
        }
        for (JsonNode each : argument.json()) {
            topics.add(each.isNull() ? Set.of() : alternatives(new Argument(each, 0, ".topics"), Argument::hash));
        }
        return topics;
    }

    /** One value, or a list of them, in which a null stands for all. */
    private static <T> Set<T> alternatives(Argument argument, Function<Argument, T> reader) {
        if (!argument.json().isArray()) {
            return Set.of(reader.apply(argument));
        }
        if (argument.json().size() > MAX_ALTERNATIVES) {
            throw Failures.invalidParams("exceed max addresses or topics per search position");
        }
        List<T> values = new ArrayList<>();
        for (JsonNode each : argument.json()) {
            if (each.isNull()) {
                return Set.of();
            }
            values.add(reader.apply(new Argument(each, argument.position(), argument.field())));
        }
        return Set.copyOf(values);
    }

    private static @Nullable Argument member(Argument object, String name) {
        JsonNode json = object.json().get(name);
        return json == null || json.isNull() ? null : new Argument(json, object.position(), "." + name);
    }
}
