package io.weir.metrics;

import java.util.List;

/** The catalogue of the proxy's own meters: name, kind, labels and help text of each. */
public enum Meter {
    CALLS(Kind.COUNTER, "calls", "Calls answered", "network", "method", "outcome"),
    CALL_SECONDS(
            Kind.TIMER,
            "call_seconds",
            "Time from a call's arrival to its answer, or to the beginning of a streamed one",
            "network",
            "method"),
    REQUESTS_REFUSED(Kind.COUNTER, "requests_refused", "Requests rejected before they became calls", "reason"),
    KEY_CALLS(
            Kind.COUNTER,
            "key_calls",
            "Calls of an API key that were answered, and notifications sent to it",
            "network",
            "key",
            "method"),
    KEY_UNITS(Kind.COUNTER, "key_units", "Units of cost of an API key's calls", "network", "key", "method"),
    KEY_BYTES(
            Kind.COUNTER,
            "key_bytes",
            "Bytes of the results and notifications that an API key got",
            "network",
            "key",
            "method"),
    KEY_REFUSALS(Kind.COUNTER, "key_refusals", "Requests and calls refused to a known API key", "key", "reason"),
    CALLS_OVER_LIMIT(
            Kind.COUNTER,
            "calls_over_limit",
            "Calls rejected because their parameters exceed a limit",
            "network",
            "limit"),
    READY(Kind.GAUGE, "ready", "1 if health checks succeed, else 0"),
    RELOADS(Kind.COUNTER, "reloads", "Reloads of the configuration", "outcome"),
    FINISHING_NETWORKS(
            Kind.GAUGE, "finishing_networks", "Networks that a reload replaced or removed and that still finish calls"),
    CONNECTIONS(Kind.GAUGE, "connections", "Connections open at the JSON-RPC listener"),
    CONNECTIONS_REFUSED(
            Kind.COUNTER, "connections_refused", "Connections closed on arrival because too many were open"),
    CONNECTIONS_REFUSED_BY_ADDRESS(
            Kind.COUNTER,
            "connections_refused_by_address",
            "Connections closed on arrival because too many were open from their address"),
    HTTP2_CONNECTIONS(Kind.GAUGE, "http2_connections", "HTTP/2 connections open at the JSON-RPC listener"),
    HTTP2_ERRORS(
            Kind.COUNTER,
            "http2_errors",
            "HTTP/2 connections that the proxy ended because of an error or a flood of frames",
            "code"),
    TLS_HANDSHAKES(Kind.COUNTER, "tls_handshakes", "TLS handshakes of clients", "listener", "outcome"),
    TLS_CERTIFICATE_DAYS(
            Kind.GAUGE, "tls_certificate_days", "Whole days until a certificate in use expires", "certificate"),
    TLS_REREADS(Kind.COUNTER, "tls_rereads", "Changed files of certificates and keys", "outcome"),
    BYTES_IN_FLIGHT(Kind.GAUGE, "bytes_in_flight", "Bytes of requests, of arriving answers and of unsent answers"),
    BYTES_IN_FLIGHT_MAX(Kind.GAUGE, "bytes_in_flight_max", "Bound on the bytes in flight"),
    BYTES_DIRECT(Kind.GAUGE, "bytes_direct", "Bytes outside of the heap that are held for buffers, idle ones included"),
    BYTES_DIRECT_MAX(Kind.GAUGE, "bytes_direct_max", "Bound on the bytes outside of the heap for buffers"),
    CALLS_IN_FLIGHT(Kind.GAUGE, "calls_in_flight", "Calls in flight over all connections"),
    STREAMS_IN_FLIGHT(Kind.GAUGE, "streams_in_flight", "Large results that go on to their clients while they arrive"),
    STREAMS_REFUSED(Kind.COUNTER, "streams_refused", "Large results collected whole because too many went on at once"),
    STREAMED_BYTES(Kind.COUNTER, "streamed_bytes", "Bytes of results that went on while they arrived", "network"),
    SLOW_READERS(
            Kind.COUNTER,
            "slow_readers",
            "Connections and HTTP/2 streams closed because the client read none of its answers"),
    ACCESS_LOG_DROPPED(Kind.COUNTER, "access_log_dropped", "Lines of the access log that were dropped"),
    TRACE_SPANS(Kind.COUNTER, "trace_spans", "Spans of sampled traces", "outcome"),
    WEBSOCKETS(Kind.GAUGE, "websockets", "WebSockets open"),
    ADMIN_CONNECTIONS_REFUSED(
            Kind.COUNTER,
            "admin_connections_refused",
            "Admin connections closed for new ones because too many were open"),
    UPSTREAM_CALLS(Kind.COUNTER, "upstream_calls", "Attempts at an upstream", "network", "upstream", "outcome"),
    UPSTREAM_SENT(
            Kind.COUNTER,
            "upstream_sent",
            "Calls sent to an upstream, including probes",
            "network",
            "upstream",
            "method",
            "cause"),
    UPSTREAM_CANCELLED(
            Kind.COUNTER,
            "upstream_cancelled",
            "Attempts given up because another upstream answered first, or the client of a streamed result left",
            "network",
            "upstream"),
    UPSTREAM_STREAMED(
            Kind.COUNTER,
            "upstream_streamed",
            "Large results that went on to their clients while they arrived",
            "network",
            "upstream"),
    UPSTREAM_BROKEN_OFF(
            Kind.COUNTER,
            "upstream_broken_off",
            "Such results that the upstream broke off or that turned out to be invalid",
            "network",
            "upstream"),
    UPSTREAM_ERRORS(
            Kind.COUNTER,
            "upstream_errors",
            "Errors of an upstream and failed attempts",
            "network",
            "upstream",
            "class"),
    UPSTREAM_BAD_ANSWERS(
            Kind.COUNTER,
            "upstream_bad_answers",
            "Wrong answers of an upstream, including probes",
            "network",
            "upstream",
            "reason"),
    UPSTREAM_UNSOLICITED_MESSAGES(
            Kind.COUNTER,
            "upstream_unsolicited_messages",
            "Messages on an upstream's WebSocket that answer no call in flight",
            "network",
            "upstream",
            "kind"),
    UPSTREAM_BATCHES(Kind.COUNTER, "upstream_batches", "JSON-RPC batches sent to an upstream", "network", "upstream"),
    UPSTREAM_BATCHED_CALLS(Kind.COUNTER, "upstream_batched_calls", "Calls sent in batches", "network", "upstream"),
    UPSTREAM_BATCHES_SPLIT(
            Kind.COUNTER,
            "upstream_batches_split",
            "Batches split up because their calls had to be sent again one by one",
            "network",
            "upstream"),
    UPSTREAM_SECONDS(Kind.TIMER, "upstream_seconds", "Time of an attempt at an upstream", "network", "upstream"),
    UPSTREAM_IN_FLIGHT(Kind.GAUGE, "upstream_in_flight", "Attempts in flight at an upstream", "network", "upstream"),
    UPSTREAM_PROBES(Kind.COUNTER, "upstream_probes", "Health probe calls", "network", "upstream", "outcome"),
    UPSTREAM_HEALTHY(
            Kind.GAUGE,
            "upstream_healthy",
            "1 if the upstream is healthy and not drained, else 0",
            "network",
            "upstream"),
    UPSTREAM_EJECTED(
            Kind.GAUGE,
            "upstream_ejected",
            "1 while the upstream is ejected for faulty or slow answers, else 0",
            "network",
            "upstream"),
    EJECTIONS(Kind.COUNTER, "ejections", "Ejections of an upstream", "network", "upstream", "reason"),
    EJECTIONS_REFUSED(
            Kind.COUNTER,
            "ejections_refused",
            "Ejections that did not happen because too few upstreams would have been left",
            "network",
            "upstream"),
    UPSTREAM_HEAD(Kind.GAUGE, "upstream_head", "Highest block that the upstream reported", "network", "upstream"),
    UPSTREAM_UNITS(
            Kind.COUNTER,
            "upstream_units",
            "Units of its provider that an upstream with a budget has cost",
            "network",
            "upstream"),
    UPSTREAM_UNITS_LEFT(
            Kind.GAUGE,
            "upstream_units_left",
            "Units left of the upstream's budget for the present UTC day",
            "network",
            "upstream"),
    UPSTREAM_OVER_BUDGET(
            Kind.COUNTER,
            "upstream_over_budget",
            "Calls that went to another upstream because the budget of this one was spent",
            "network",
            "upstream"),
    LACKED_DATA(
            Kind.COUNTER,
            "lacked_data",
            "Times that an upstream was found to lack state or history that it was taken to have",
            "network",
            "upstream"),
    MISSED_TRANSACTIONS(
            Kind.COUNTER,
            "missed_transactions",
            "Null answers for transactions that another upstream found in a block that this upstream should have",
            "network",
            "upstream"),
    NULL_CHECKS(
            Kind.COUNTER,
            "null_checks",
            "Null answers for transactions that were checked with another upstream",
            "network",
            "upstream"),
    HEAD(Kind.GAUGE, "head", "Number of the block that calls use as the head; -1 if unknown", "network"),
    HEAD_ANNOUNCED(
            Kind.GAUGE, "head_announced", "1 while a node announces new blocks over its WebSocket, else 0", "network"),
    HEAD_REFRESHES(
            Kind.COUNTER,
            "head_refreshes",
            "Requests of nodes for the head, as its schedule says or because a call needs it",
            "network",
            "outcome"),
    FAILOVERS(Kind.COUNTER, "failovers", "Calls moved to another upstream after a failed attempt", "network"),
    RETRIES_REFUSED(
            Kind.COUNTER,
            "retries_refused",
            "Times that a failed call could not move to another upstream at once because the budget of retries was spent",
            "network"),
    NODE_WAITS(
            Kind.COUNTER,
            "node_waits",
            "Waits of calls for an upstream or for the budget of retries, before another attempt",
            "network"),
    NODE_WAITS_REFUSED(
            Kind.COUNTER,
            "node_waits_refused",
            "Calls that failed at once because too many waited for an upstream",
            "network"),
    HEDGES(Kind.COUNTER, "hedges", "Second attempts begun beside slow ones", "network"),
    HEDGES_WON(Kind.COUNTER, "hedges_won", "Second attempts that answered before the slow ones", "network"),
    DEGRADED(Kind.COUNTER, "degraded", "Calls answered by an upstream that was not healthy", "network"),
    PANIC_CHOICES(
            Kind.COUNTER,
            "panic_choices",
            "Choices of an upstream that was not healthy because too few were",
            "network"),
    GAS_CAPPED(Kind.COUNTER, "gas_capped", "Calls whose gas was reduced to the cap", "network"),
    LOG_LISTS(Kind.COUNTER, "log_lists", "Lists of logs that clients got", "network", "grade"),
    LOG_RANGES(
            Kind.COUNTER,
            "log_ranges",
            "Lists of logs that were cut or proven, and calls for their pieces",
            "network",
            "outcome"),
    LOG_RANGE_LIMIT(
            Kind.GAUGE,
            "log_range_limit",
            "Blocks that the upstream takes in one eth_getLogs, as its refusals showed; 0 if unknown",
            "network",
            "upstream"),
    FILTERS(Kind.GAUGE, "filters", "Filters held for clients", "network"),
    FILTERS_REFUSED(Kind.COUNTER, "filters_refused", "Filters not created because too many were open", "network"),
    FILTERS_ENDED(Kind.COUNTER, "filters_ended", "Filters that ended", "network", "reason"),
    FILTER_JOURNAL_BYTES(
            Kind.GAUGE, "bytes_in_filter_journal", "Bytes of changes that filters were not polled for yet", "network"),
    SUBSCRIPTIONS(Kind.GAUGE, "subscriptions", "Subscriptions open", "network", "kind"),
    SUBSCRIPTIONS_REFUSED(
            Kind.COUNTER, "subscriptions_refused", "Subscriptions not created because too many were open", "network"),
    CRITERIA_REFUSED(
            Kind.COUNTER,
            "criteria_refused",
            "Subscriptions and filters not created because of their addresses and topics",
            "network",
            "reason"),
    SUBSCRIPTIONS_FAILED(
            Kind.COUNTER, "subscriptions_failed", "Subscriptions that ended with an error", "network", "kind"),
    NOTIFICATIONS(Kind.COUNTER, "notifications", "Notifications sent to subscriptions", "network", "kind"),
    SUBSCRIBERS_CLOSED(
            Kind.COUNTER, "subscribers_closed", "Connections with subscriptions that were closed", "network", "reason"),
    SUBSCRIPTION_FETCHES(
            Kind.COUNTER,
            "subscription_fetches",
            "Requests for subscriptions, by what is requested",
            "network",
            "kind"),
    TRANSACTIONS(Kind.COUNTER, "transactions", "Signed transactions sent", "network", "outcome"),
    CACHE_LOOKUPS(
            Kind.COUNTER,
            "cache_lookups",
            "Calls with cacheable answers, by kind of result and source of the answer",
            "network",
            "kind",
            "outcome"),
    CACHE_ANSWERS(
            Kind.COUNTER, "cache_answers", "Cacheable answers, by what the cache did with them", "network", "outcome"),
    CACHE_REVOCATIONS(
            Kind.COUNTER,
            "cache_revocations",
            "Times that all unproven results of an upstream were dropped because it gave a false answer",
            "network"),
    CACHE_EVICTIONS(Kind.GAUGE, "cache_evictions", "Results evicted since the start"),
    CACHE_ENTRIES(Kind.GAUGE, "cache_entries", "Results in memory"),
    CACHE_BYTES(Kind.GAUGE, "bytes_cached", "Bytes of the results in memory"),
    SHARING_UP(Kind.GAUGE, "sharing_up", "1 if the Redis of shared limits is available, else 0"),
    SHARING_REPORTS(Kind.COUNTER, "sharing_reports", "Reports of what this proxy used of a shared limit", "outcome"),
    CACHE_TIER_LOOKUPS(Kind.COUNTER, "cache_tier_lookups", "Lookups in a cache tier behind memory", "tier", "outcome"),
    CACHE_TIER_STORES(
            Kind.COUNTER, "cache_tier_stores", "Results offered to a cache tier behind memory", "tier", "outcome"),
    CACHE_TIER_UP(Kind.GAUGE, "cache_tier_up", "1 if the cache tier behind memory is available, else 0", "tier"),
    CACHE_TIER_BYTES(Kind.GAUGE, "bytes_cached_in_tier", "Bytes of the files of a cache tier behind memory", "tier"),
    VERIFICATIONS(Kind.COUNTER, "verifications", "Answers checked against their hashes", "network", "outcome"),
    AGREEMENTS(Kind.COUNTER, "agreements", "Calls that several upstreams had to answer alike", "network", "outcome"),
    SAMPLES(
            Kind.COUNTER,
            "samples",
            "Unproven results compared with another upstream's before they were cached",
            "network",
            "outcome"),
    PREFETCHES(
            Kind.COUNTER,
            "prefetches",
            "Whole blocks and receipts fetched in place of a lookup, fetched additionally, or not fetched over the budget",
            "network",
            "outcome"),
    PREFETCH_WAITS(
            Kind.COUNTER,
            "prefetch_waits",
            "Calls that waited for a block, or its receipts, that was being fetched",
            "network"),
    CALLS_COALESCED(
            Kind.COUNTER,
            "calls_coalesced",
            "Calls answered with the answer to an identical call in flight",
            "network"),
    STREAMS_CUT(
            Kind.COUNTER,
            "streams_cut",
            "Clients of a shared stream that were cut off because the others had waited long enough for them",
            "network"),
    REORGS(Kind.COUNTER, "reorgs", "Chain reorganisations seen", "network"),
    PLUGIN_CALLS(Kind.COUNTER, "plugin_calls", "Calls of a plugin's handler", "plugin", "outcome"),
    PLUGIN_PAGES(Kind.COUNTER, "plugin_pages", "Requests for a plugin's pages", "plugin", "outcome");

    /** The kind of a meter. */
    public enum Kind {
        /** A number that only grows, exported with the suffix {@code _total}. */
        COUNTER,
        /** A value that is read at each export. */
        GAUGE,
        /** Durations, exported as a histogram: {@code _bucket}, {@code _sum} and {@code _count}. */
        TIMER
    }

    private final Kind kind;
    private final String id;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // Created by List.of.
    private final List<String> labels;

    Meter(Kind kind, String id, String help, String... labels) {
        this.kind = kind;
        this.id = id;
        this.help = help;
        this.labels = List.of(labels);
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the name without prefix and suffix. */
    public String id() {
        return id;
    }

    public String exportedName() {
        return "weir_" + id + (kind == Kind.COUNTER ? "_total" : "");
    }

    /** Returns the unit: seconds or bytes if the name says so; else a count. */
    public String unit() {
        boolean bytes = id.startsWith("bytes") || id.endsWith("bytes");
        return id.endsWith("seconds") ? "seconds" : bytes ? "bytes" : "count";
    }

    /** Returns the help text, one line. */
    public String help() {
        return help;
    }

    /** Returns the names of the labels, in order. */
    public List<String> labels() {
        return labels;
    }
}
