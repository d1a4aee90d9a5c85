package io.weir.subscription.log;

import io.weir.jsonrpc.RawJson;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Index over the logs of one block by their addresses. Immutable. */
public final class LogPostings {

    private final BlockLogs logs;
    private final Map<RawJson, int[]> byAddress;

    private LogPostings(BlockLogs logs, Map<RawJson, int[]> byAddress) {
        this.logs = logs;
        this.byAddress = byAddress;
    }

    /** Returns the index over logs. */
    public static LogPostings of(BlockLogs logs) {
        Map<RawJson, IntStream.Builder> lists = new HashMap<>();
        for (int i = 0; i < logs.size(); i++) {
            lists.computeIfAbsent(logs.at(i).address(), address -> IntStream.builder())
                    .add(i);
        }
        Map<RawJson, int[]> byAddress = new HashMap<>();
        lists.forEach((address, list) -> byAddress.put(address, list.build().toArray()));
        return new LogPostings(logs, byAddress);
    }

    /** Returns the positions of the logs that match criteria, in order. */
    public int[] matching(LogCriteria criteria) {
        long number = logs.block().number();
        return candidates(criteria.addresses())
                .filter(index -> criteria.matches(logs.at(index), number, 0))
                .toArray();
    }

    private IntStream candidates(Set<RawJson> addresses) {
        if (addresses.isEmpty()) {
            return IntStream.range(0, logs.size());
        }
        Set<RawJson> fewer = addresses.size() <= byAddress.size() ? addresses : byAddress.keySet();
        Set<RawJson> more = addresses.size() <= byAddress.size() ? byAddress.keySet() : addresses;
        return fewer.stream()
                .filter(more::contains)
                .flatMapToInt(address -> Arrays.stream(byAddress.getOrDefault(address, new int[0])))
                .sorted();
    }
}
