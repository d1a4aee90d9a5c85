package io.weir.subscription.stream;

import io.weir.jsonrpc.RawJson;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Index over the logs of one block by their addresses and topics, made as far as criteria need it. Thread-safe. */
public final class LogPostings {

    private final BlockLogs logs;
    /** The logs by their address at 0, and by each topic at its position plus one. */
    private final ConcurrentMap<Integer, Map<RawJson, List<Integer>>> byLevel = new ConcurrentHashMap<>(2);

    private LogPostings(BlockLogs logs) {
        this.logs = logs;
    }

    /** Returns the index over logs. */
    public static LogPostings of(BlockLogs logs) {
        return new LogPostings(logs);
    }

    private Map<RawJson, List<Integer>> postings(int level) {
        return IntStream.range(0, logs.size())
                .filter(index -> level <= logs.at(index).topics().size())
                .boxed()
                .collect(Collectors.groupingBy(index -> level == 0
                        ? logs.at(index).address()
                        : logs.at(index).topics().get(level - 1)));
    }

    /**
     * Returns the positions of the logs that match criteria, in order.
     *
     * @param work receives the number of values and logs that were looked at
     */
    public int[] matching(LogCriteria criteria, IntConsumer work) {
        long number = logs.block().number();
        int[] candidates = candidates(criteria, work);
        work.accept(candidates.length);
        return IntStream.of(candidates)
                .filter(index -> criteria.matches(logs.at(index), number, 0))
                .toArray();
    }

    private int[] candidates(LogCriteria criteria, IntConsumer work) {
        for (int level = 0; level <= criteria.topics().size(); level++) {
            Set<RawJson> values =
                    level == 0 ? criteria.addresses() : criteria.topics().get(level - 1);
            if (!values.isEmpty()) {
                return candidates(values, byLevel.computeIfAbsent(level, this::postings), work);
            }
        }
        return IntStream.range(0, logs.size()).toArray();
    }

    private static int[] candidates(Set<RawJson> values, Map<RawJson, List<Integer>> postings, IntConsumer work) {
        Set<RawJson> fewer = values.size() <= postings.size() ? values : postings.keySet();
        Set<RawJson> more = values.size() <= postings.size() ? postings.keySet() : values;
        work.accept(fewer.size());
        return fewer.stream()
                .filter(more::contains)
                .flatMap(value -> postings.getOrDefault(value, List.of()).stream())
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }
}
