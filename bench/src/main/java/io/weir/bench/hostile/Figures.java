package io.weir.bench.hostile;

import io.weir.bench.subscription.ProxyRun;
import java.io.IOException;
import java.util.List;

/**
 * Bytes of the proxy at one moment. Immutable.
 *
 * @param counted by its budgets and its cache
 * @param arrays of bytes in the heap, without garbage
 * @param direct in buffers outside of the heap
 */
record Figures(long counted, long arrays, long direct) {

    private static final String[] COUNTED = {
        "weir_bytes_in_flight ", "weir_bytes_cached ", "weir_bytes_in_filter_journal"
    };

    /** The gauges of budgets that are 0 without clients. */
    private static final String[] BUDGETS = {
        "weir_bytes_in_flight ",
        "weir_calls_in_flight ",
        "weir_streams_in_flight ",
        "weir_upstream_in_flight",
        "weir_subscriptions{",
        "weir_websockets "
    };

    /** Collects all garbage and reads. Work goes on meanwhile, so the larger count of before and after it is taken. */
    static Figures read(ProxyRun proxy) throws IOException, InterruptedException {
        long before = sum(proxy.metric(COUNTED));
        long direct = sum(proxy.metric("weir_bytes_direct "));
        long arrays = proxy.liveByteArrays();
        direct = Math.min(direct, sum(proxy.metric("weir_bytes_direct ")));
        return new Figures(Math.max(before, sum(proxy.metric(COUNTED))), arrays, direct);
    }

    /** Returns what is more than at another moment. */
    Figures since(Figures rest) {
        return new Figures(counted - rest.counted, arrays - rest.arrays, direct - rest.direct);
    }

    long held() {
        return arrays + direct;
    }

    /** Returns the lines of budgets that are not 0. */
    static List<String> taken(ProxyRun proxy) {
        return proxy.metric(BUDGETS).stream()
                .filter(line -> !line.endsWith(" 0") && !line.endsWith(" 0.0"))
                .toList();
    }

    private static long sum(List<String> lines) {
        return lines.stream()
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Override
    public String toString() {
        return "%.1f MB counted, %.1f + %.1f MB held in arrays and buffers"
                .formatted(counted / 1e6, arrays / 1e6, direct / 1e6);
    }
}
