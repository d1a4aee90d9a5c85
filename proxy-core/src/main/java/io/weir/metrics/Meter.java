package io.weir.metrics;

import java.util.List;

/** The catalogue of meters: every name, kind, labels and meaning that the proxy itself exports. */
public enum Meter {
    /** Calls answered. */
    CALLS(Kind.COUNTER, "calls", "Calls answered, by outcome", "network", "method", "outcome"),
    /** Time from a call's arrival to its answer. */
    CALL_SECONDS(Kind.TIMER, "call_seconds", "Time from a call's arrival to its answer", "network", "method"),
    /** Requests refused before they became calls. */
    REQUESTS_REFUSED(Kind.COUNTER, "requests_refused", "Requests refused before they became calls", "reason"),
    /** Calls whose parameters exceed a limit. */
    CALLS_OVER_LIMIT(
            Kind.COUNTER,
            "calls_over_limit",
            "Calls refused because their parameters exceed a limit, by the limit's setting",
            "network",
            "limit"),
    /** Connections open at the JSON-RPC listener. */
    CONNECTIONS(Kind.GAUGE, "connections", "Connections open at the JSON-RPC listener"),
    /** Connections closed on arrival because too many were open. */
    CONNECTIONS_REFUSED(Kind.COUNTER, "connections_refused", "Connections closed on arrival: too many were open"),
    /** Connections closed on arrival because one address had too many. */
    CONNECTIONS_REFUSED_BY_ADDRESS(
            Kind.COUNTER,
            "connections_refused_by_address",
            "Connections closed on arrival: too many were open from their address"),
    /** Bytes of requests and answers in flight. */
    BYTES_IN_FLIGHT(
            Kind.GAUGE, "bytes_in_flight", "Bytes of requests, of answers that arrive, and of answers not yet sent"),
    /** Calls in flight. */
    CALLS_IN_FLIGHT(Kind.GAUGE, "calls_in_flight", "Calls of all connections that are being answered"),
    /** Connections closed because the client took nothing of its answers. */
    SLOW_READERS(Kind.COUNTER, "slow_readers", "Connections closed: the client took none of its answers"),
    /** Lines of the access log that were not written. */
    ACCESS_LOG_DROPPED(Kind.COUNTER, "access_log_dropped", "Lines of the access log that were dropped"),
    /** WebSockets open. */
    WEBSOCKETS(Kind.GAUGE, "websockets", "WebSockets open"),
    /** Connections of the admin listener closed to make room for others. */
    ADMIN_CONNECTIONS_REFUSED(
            Kind.COUNTER,
            "admin_connections_refused",
            "Connections of the admin listener closed for new ones: too many were open"),
    /** Calls sent to an upstream. */
    UPSTREAM_CALLS(
            Kind.COUNTER, "upstream_calls", "Attempts at an upstream, by outcome", "network", "upstream", "outcome"),
    /** Errors of an upstream by what they mean. */
    UPSTREAM_ERRORS(
            Kind.COUNTER,
            "upstream_errors",
            "Errors of an upstream and attempts that failed, by what they mean",
            "network",
            "upstream",
            "class"),
    /** Answers of an upstream that are wrong. */
    UPSTREAM_BAD_ANSWERS(
            Kind.COUNTER,
            "upstream_bad_answers",
            "Answers of an upstream that are wrong, probes among them, by what is wrong",
            "network",
            "upstream",
            "reason"),
    /** Messages on an upstream's WebSocket that answer no call under way. */
    UPSTREAM_UNASKED_MESSAGES(
            Kind.COUNTER,
            "upstream_unasked_messages",
            "Messages on an upstream's WebSocket that answer no call under way, by kind",
            "network",
            "upstream",
            "kind"),
    /** Batches sent to an upstream. */
    UPSTREAM_BATCHES(Kind.COUNTER, "upstream_batches", "JSON-RPC batches sent to an upstream", "network", "upstream"),
    /** Calls in them. */
    UPSTREAM_BATCHED_CALLS(Kind.COUNTER, "upstream_batched_calls", "Calls that left in batches", "network", "upstream"),
    /** Batches whose calls were asked singly after all. */
    UPSTREAM_BATCHES_APART(
            Kind.COUNTER,
            "upstream_batches_apart",
            "Batches taken apart: calls in them were asked again, singly",
            "network",
            "upstream"),
    /** Time of an attempt. */
    UPSTREAM_SECONDS(Kind.TIMER, "upstream_seconds", "Time of an attempt at an upstream", "network", "upstream"),
    /** Attempts under way. */
    UPSTREAM_IN_FLIGHT(Kind.GAUGE, "upstream_in_flight", "Attempts under way at an upstream", "network", "upstream"),
    /** Probes and head polls. */
    UPSTREAM_PROBES(
            Kind.COUNTER, "upstream_probes", "Calls of health probes, by outcome", "network", "upstream", "outcome"),
    /** Whether an upstream is in the pool. */
    UPSTREAM_HEALTHY(
            Kind.GAUGE, "upstream_healthy", "1 where the upstream is in the pool, else 0", "network", "upstream"),
    /** An upstream's head. */
    UPSTREAM_HEAD(Kind.GAUGE, "upstream_head", "The highest block that the upstream named", "network", "upstream"),
    /** Transactions that an upstream did not find and another one did. */
    MISSED_TRANSACTIONS(
            Kind.COUNTER,
            "missed_transactions",
            "Null answers to lookups of transactions that another upstream found, in a block that this upstream should have",
            "network",
            "upstream"),
    /** Null answers checked at another upstream. */
    NULL_CHECKS(
            Kind.COUNTER,
            "null_checks",
            "Null answers of an upstream to lookups of transactions that were checked with another upstream",
            "network",
            "upstream"),
    /** A network's head. */
    HEAD(Kind.GAUGE, "head", "The block that calls are held to as the head; -1 where none is known", "network"),
    /** Times that nodes were asked for their heads because a call needed to know. */
    HEAD_REFRESHES(
            Kind.COUNTER,
            "head_refreshes",
            "Times that nodes were asked for their heads because a call needed to know, by what came of it",
            "network",
            "outcome"),
    /** Calls that were moved to another upstream. */
    FAILOVERS(Kind.COUNTER, "failovers", "Calls moved to another upstream after a failed attempt", "network"),
    /** Calls answered by an upstream although none was healthy. */
    DEGRADED(Kind.COUNTER, "degraded", "Calls answered although no upstream was healthy", "network"),
    /** Calls that asked for more gas than they may. */
    GAS_CUTS(Kind.COUNTER, "gas_cuts", "Calls whose gas was cut to the bound", "network"),
    /** Filters held for clients. */
    FILTERS(Kind.GAUGE, "filters", "Filters that clients hold", "network"),
    /** Filters that were not made. */
    FILTERS_REFUSED(Kind.COUNTER, "filters_refused", "Filters not made: too many were open", "network"),
    /** Filters that ended. */
    FILTERS_ENDED(Kind.COUNTER, "filters_ended", "Filters that ended, by why", "network", "reason"),
    /** Signed transactions. */
    TRANSACTIONS(Kind.COUNTER, "transactions", "Signed transactions sent, by outcome", "network", "outcome"),
    /** Calls whose answers may be kept. */
    CACHE_LOOKUPS(
            Kind.COUNTER,
            "cache_lookups",
            "Calls whose answers may be kept, by what the answer is about and where it came from",
            "network",
            "kind",
            "outcome"),
    /** Answers that may be kept. */
    CACHE_ANSWERS(
            Kind.COUNTER, "cache_answers", "Answers that might be kept, by what became of them", "network", "outcome"),
    /** Results that had to go for others. */
    CACHE_EVICTIONS(Kind.GAUGE, "cache_evictions", "Results that had to go for others since the start"),
    /** Results in memory. */
    CACHE_ENTRIES(Kind.GAUGE, "cache_entries", "Results in memory"),
    /** Bytes of results in memory. */
    CACHE_BYTES(Kind.GAUGE, "bytes_cached", "What the results in memory take"),
    /** Questions to a tier behind memory. */
    CACHE_TIER_LOOKUPS(
            Kind.COUNTER,
            "cache_tier_lookups",
            "Questions to a tier behind memory, by what came of them",
            "tier",
            "outcome"),
    /** Results for a tier behind memory. */
    CACHE_TIER_STORES(
            Kind.COUNTER,
            "cache_tier_stores",
            "Results that a tier behind memory was to keep, by what became of them",
            "tier",
            "outcome"),
    /** Whether a tier is asked. */
    CACHE_TIER_UP(Kind.GAUGE, "cache_tier_up", "1 where the tier behind memory can be asked, else 0", "tier"),
    /** What a tier takes. */
    CACHE_TIER_BYTES(Kind.GAUGE, "bytes_cached_in_tier", "What the files of a tier behind memory take", "tier"),
    /** Verifications. */
    VERIFICATIONS(
            Kind.COUNTER,
            "verifications",
            "Answers that were held against their hashes, by what came of it",
            "network",
            "outcome"),
    /** Fetches of the proxy's own. */
    GATHER_FETCHES(
            Kind.COUNTER,
            "gather_fetches",
            "Whole blocks and receipts that the proxy fetched: in place of a lookup, beyond what clients asked, or not, over the"
                    + " budget",
            "network",
            "outcome"),
    /** Calls that wait for a fetch. */
    GATHER_WAITS(
            Kind.COUNTER,
            "gather_waits",
            "Calls that waited for a block, or its receipts, on their way into memory",
            "network"),
    /** Calls that were answered with another one's answer. */
    CALLS_COLLAPSED(
            Kind.COUNTER, "calls_collapsed", "Calls answered with the answer to the same call under way", "network"),
    /** Reorganisations. */
    REORGS(Kind.COUNTER, "reorgs", "Reorganisations of the chain that were seen", "network"),
    /** Calls of plugin handlers. */
    PLUGIN_CALLS(Kind.COUNTER, "plugin_calls", "Calls of a plugin's handler, by outcome", "plugin", "outcome");

    /** What a meter measures. */
    public enum Kind {
        /** A number that only grows; exported with the suffix {@code _total}. */
        COUNTER,
        /** A number that is read. */
        GAUGE,
        /** Durations; exported as a histogram: {@code _bucket}, {@code _sum} and {@code _count}. */
        TIMER
    }

    private final Kind kind;
    private final String id;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
    private final List<String> labels;

    Meter(Kind kind, String id, String help, String... labels) {
        this.kind = kind;
        this.id = id;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** What it measures. */
    public Kind kind() {
        return kind;
    }

    /** Its name without prefix and suffix. */
    public String id() {
        return id;
    }

    /** Its name as it is exported. */
    public String exportedName() {
        return "weir_" + id + (kind == Kind.COUNTER ? "_total" : "");
    }

    /** What its value is in: seconds or bytes, as its name says then; else things are counted. */
    public String unit() {
        return id.endsWith("seconds") ? "seconds" : id.startsWith("bytes") ? "bytes" : "count";
    }

    /** What it means, in one line. */
    public String help() {
        return help;
    }

    /** The names of its labels, in order. */
    public List<String> labels() {
        return labels;
    }
}
