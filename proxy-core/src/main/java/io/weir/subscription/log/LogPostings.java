package io.weir.subscription.log;

import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Index over the logs of one block by their addresses, and by their topics once criteria without an address need it. Thread-safe. */
public final class LogPostings {

    private final BlockLogs logs;
    private final Map<RawJson, int[]> byAddress;
    /** By the topic at each position, as far as they were needed. Two threads may make the same index. */
    private volatile List<Map<RawJson, int[]>> byTopic = List.of();

    private LogPostings(BlockLogs logs) {
        this.logs = logs;
        this.byAddress = postings(BlockLog::address);
    }

    /** Returns the index over logs. */
    public static LogPostings of(BlockLogs logs) {
        return new LogPostings(logs);
    }

    private Map<RawJson, int[]> postings(Function<BlockLog, @Nullable RawJson> value) {
        Map<RawJson, IntStream.Builder> lists = new HashMap<>();
        for (int i = 0; i < logs.size(); i++) {
            RawJson key = value.apply(logs.at(i));
            if (key != null) {
                lists.computeIfAbsent(key, same -> IntStream.builder()).add(i);
            }
        }
        Map<RawJson, int[]> postings = new HashMap<>();
        lists.forEach((key, list) -> postings.put(key, list.build().toArray()));
        return postings;
    }

    private Map<RawJson, int[]> byTopic(int position) {
        List<Map<RawJson, int[]>> known = byTopic;
        if (position < known.size()) {
            return known.get(position);
        }
        List<Map<RawJson, int[]>> more = new ArrayList<>(known);
        while (more.size() <= position) {
            int next = more.size();
            more.add(postings(log -> next < log.topics().size() ? log.topics().get(next) : null));
        }
        byTopic = more;
        return more.get(position);
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
        return Arrays.stream(candidates)
                .filter(index -> criteria.matches(logs.at(index), number, 0))
                .toArray();
    }

    private int[] candidates(LogCriteria criteria, IntConsumer work) {
        if (!criteria.addresses().isEmpty()) {
            return candidates(criteria.addresses(), byAddress, work);
        }
        for (int i = 0; i < criteria.topics().size(); i++) {
            if (!criteria.topics().get(i).isEmpty()) {
                return candidates(criteria.topics().get(i), byTopic(i), work);
            }
        }
        return IntStream.range(0, logs.size()).toArray();
    }

    private static int[] candidates(Set<RawJson> values, Map<RawJson, int[]> postings, IntConsumer work) {
        Set<RawJson> fewer = values.size() <= postings.size() ? values : postings.keySet();
        Set<RawJson> more = values.size() <= postings.size() ? postings.keySet() : values;
        work.accept(fewer.size());
        return fewer.stream()
                .filter(more::contains)
                .flatMapToInt(value -> Arrays.stream(postings.getOrDefault(value, new int[0])))
                .sorted()
                .toArray();
    }
}
