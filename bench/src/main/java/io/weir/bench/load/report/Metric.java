package io.weir.bench.load.report;

import java.util.Locale;

/** The measured quantities. */
public enum Metric {
    REQUESTS("requests/s", 0),
    CALLS("calls/s", 0),
    H2LOAD_REQUESTS("requests/s by h2load", 0),
    SERVER_PROCESSOR("server's processor, %", 0),
    PROCESSOR_PER_REQUEST("processor, µs per request", 1),
    HEALTHY_NODE_CALLS_PER_CALL("node calls per call, healthy nodes", 3),
    NODE_CALLS_PER_CALL("node calls per call", 3),
    RATE("constant rate, requests/s", 0),
    HEALTHY_P99("99th, healthy nodes, µs", 0),
    P50("50th percentile, µs", 0),
    P99("99th, µs", 0),
    P999("99.9th, µs", 0),
    SERVICE_P50("50th from leaving, µs", 0),
    SERVICE_P99("99th from leaving, µs", 0),
    RESIDENT("resident, MB", 0),
    PEAK("most resident, MB", 0),
    HEAP("most heap, MB", 0),
    IN_FLIGHT("most bytes in flight, MB", 1),
    NODE_CALLS("node calls", 0),
    NODE_CALLS_A_MINUTE("node calls a minute", 1),
    MILLIS("milliseconds", 0),
    ANSWER_MILLIS("milliseconds to the first answer", 0),
    START_PROCESSOR("processor, ms", 0),
    MEGABYTES_A_SECOND("MB/s", 0),
    PROBLEMS("problems", 0);

    private final String unit;
    private final int decimals;

    Metric(String unit, int decimals) {
        this.unit = unit;
        this.decimals = decimals;
    }

    /** Returns the name in columns. */
    public String unit() {
        return unit;
    }

    /** A value with as many digits as mean something. */
    public String text(double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
