package io.weir.app;

import io.weir.api.EthereumKind;
import io.weir.app.ProbeClient.Reply;
import io.weir.app.ProbeReport.Fact;
import io.weir.config.BudgetConfig;
import io.weir.config.MethodCosts;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.method.ChainCalls;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.range.BlockRange;
import io.weir.pipeline.range.RangeRefusal;
import io.weir.tls.TlsFileException;
import io.weir.upstream.verdict.ErrorClass;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** The questions to one Ethereum node about its chain, data and bounds. Confined to one thread. */
final class NodeProbe {

    private static final List<Integer> BATCHES = List.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000);
    private static final List<Long> RANGES = List.of(1L, 5L, 10L, 50L, 100L, 500L, 1000L, 2000L, 5000L, 10_000L);
    private static final int BISECTIONS = 30;
    private static final int LATENCIES = 5;
    /** Transactions of a block that is traced. */
    private static final int SMALL_BLOCK = 20;

    private static final EthereumKind KIND = new EthereumKind();
    private static final String CHAIN = KIND.chainIdCall().method();
    private static final String BALANCE = "eth_getBalance";
    /** An address and a topic that nobody uses. */
    private static final String ADDRESS = "\"0x00000000000000000000000000000000d15ab1ed\"";

    private static final String TOPIC = "\"0x" + "d15ab1ed".repeat(8) + "\"";

    private final ProbeClient node;
    private final ProbeReport.Node report;
    private final NetworkConfig network;
    private final UpstreamConfig config;
    private final Clock clock;

    private NodeProbe(NetworkConfig network, UpstreamConfig config, ProbeClient node, Clock clock) {
        this.network = network;
        this.config = config;
        this.node = node;
        this.report = new ProbeReport.Node(config.id());
        this.clock = clock;
    }

    /**
     * Asks a node.
     *
     * @throws TlsFileException if a file of its TLS cannot be used
     */
    static ProbeReport.Node of(NetworkConfig network, UpstreamConfig config, Clock clock) throws TlsFileException {
        String scheme = config.address().getScheme().toLowerCase(Locale.ROOT);
        if (!Set.of("http", "https", "ws", "wss").contains(scheme)) {
            ProbeReport.Node skipped = new ProbeReport.Node(config.id());
            skipped.note(Fact.CHAIN, "not probed: a plugin opens addresses of the scheme " + scheme);
            return skipped;
        }
        try (ProbeClient node = new ProbeClient(network.name(), config)) {
            return new NodeProbe(network, config, node, clock).run();
        }
    }

    private ProbeReport.Node run() {
        if (isOfChain()) {
            JsonNode head = head();
            if (head.isObject()) {
                data(head, Long.decode(head.path("number").asString()));
            }
            batches();
            latency();
            webSocket();
        }
        prices();
        report.set(Fact.REQUESTS, (long) node.requests());
        report.set(Fact.CALLS, (long) node.calls());
        report.set(Fact.LIMITED, (long) node.limited());
        return report;
    }

    private boolean isOfChain() {
        Reply reply = node.call(CHAIN, "");
        if (!reply.isOk()) {
            report.note(Fact.CHAIN, reply.words());
            report.problem("no chain id: " + reply.words());
            return false;
        }
        String chain;
        try {
            chain = KIND.readChainId(reply.result());
        } catch (IllegalArgumentException e) {
            report.problem("no chain id: an answer of another form");
            return false;
        }
        report.set(Fact.CHAIN, node.shown(chain));
        if (!chain.equals(KIND.normaliseChainId(network.chainId()))) {
            report.problem("chain id " + node.shown(chain) + " (expected: " + network.chainId() + ")");
        }
        text(Fact.CLIENT, node.call("web3_clientVersion", ""));
        return true;
    }

    private void text(Fact fact, Reply reply) {
        if (reply.isOk() && reply.result().isString()) {
            report.set(fact, node.shown(reply.result().asString()));
        } else {
            report.note(fact, reply.isOk() ? "an answer of another form" : reply.words());
        }
    }

    private JsonNode head() {
        Reply reply = node.call(ChainCalls.BLOCK_BY_NUMBER, "\"latest\",false");
        JsonNode head = reply.result();
        boolean read = isNumber(head.path("number")) && isNumber(head.path("timestamp"));
        if (!read) {
            String words = reply.isOk() ? "an answer of another form" : reply.words();
            report.note(Fact.HEAD, words);
            report.problem("no head: " + words);
            return reply.body().path("none");
        }
        report.set(Fact.HEAD, Long.decode(head.path("number").asString()));
        long seconds = TimeUnit.MILLISECONDS.toSeconds(clock.millis());
        report.set(Fact.AGE, seconds - Long.decode(head.path("timestamp").asString()));
        return head;
    }

    private static boolean isNumber(JsonNode value) {
        return value.isString() && value.asString().matches("0x[0-9a-fA-F]{1,15}");
    }

    private void data(JsonNode head, long number) {
        oldest(number);
        state(Fact.STATE_NEAR, number - 128);
        state(Fact.STATE_FAR, number - 10_000);
        state(Fact.STATE_OLD, Math.min(1, number));
        there(Fact.RECEIPTS, ChainCalls.BLOCK_RECEIPTS, hex(number), JsonNode::isArray);
        there(Fact.PROOF, "eth_getProof", ADDRESS + ",[]," + hex(number), JsonNode::isObject);
        // Traces of large blocks are large.
        long traced = head.path("transactions").size() <= SMALL_BLOCK ? number : 1;
        String tracer = hex(traced) + ",{\"tracer\":\"callTracer\"}";
        there(Fact.DEBUG_TRACE, "debug_traceBlockByNumber", tracer, JsonNode::isArray);
        there(Fact.TRACE_BLOCK, "trace_block", hex(traced), JsonNode::isArray);
        capabilities();
        ranges(number);
        gzip(number);
    }

    private static String hex(long number) {
        return "\"0x" + Long.toHexString(number) + '"';
    }

    private void oldest(long head) {
        // The newest block that is not there, and the oldest one that is.
        long absent = -1;
        long there = head;
        long asked = Math.min(1, head);
        for (int i = 0; i <= BISECTIONS && there - absent > 1; i++) {
            Reply reply = node.call(ChainCalls.BLOCK_BY_NUMBER, hex(asked) + ",false");
            if (reply.isOk() && reply.result().isObject()) {
                there = asked;
            } else if (reply.isOk() || reply.is(ErrorClass.LACKS_DATA)) {
                absent = asked;
            } else {
                report.note(Fact.OLDEST, reply.words());
                return;
            }
            if (there == Math.min(1, head)) {
                break;
            }
            asked = absent + (there - absent) / 2;
        }
        report.set(Fact.OLDEST, there);
        if (there > 1 && there - absent > 1) {
            report.note(Fact.OLDEST, "or an earlier one after " + absent);
        }
    }

    private void state(Fact fact, long block) {
        if (block < 0) {
            return;
        }
        Reply reply = node.call(BALANCE, ADDRESS + ',' + hex(block));
        if (reply.isOk() || reply.is(ErrorClass.LACKS_DATA)) {
            report.set(fact, reply.isOk() && reply.result().isString());
        } else {
            report.note(fact, reply.words());
        }
    }

    private void there(Fact fact, String method, String params, Predicate<JsonNode> form) {
        Reply reply = node.call(method, params);
        if (reply.isOk() && form.test(reply.result())) {
            report.set(fact, true);
        } else if (reply.is(ErrorClass.UNSUPPORTED)) {
            report.set(fact, false);
        } else {
            report.note(fact, reply.isOk() ? "an answer of another form" : reply.words());
        }
    }

    private void capabilities() {
        there(Fact.CAPABILITIES, "eth_capabilities", "", JsonNode::isObject);
    }

    private void ranges(long head) {
        for (long length : RANGES) {
            if (length > head + 1) {
                return;
            }
            BlockRange range = new BlockRange(head - length + 1, head);
            String filter = "{\"fromBlock\":" + hex(range.from()) + ",\"toBlock\":" + hex(range.to()) + ",\"address\":"
                    + ADDRESS + ",\"topics\":[" + TOPIC + "]}";
            Reply reply = node.call(ChainCalls.LOGS, filter);
            if (!reply.isOk()) {
                RangeRefusal refusal = reply.refusal() == null ? null : RangeRefusal.of(reply.refusal(), range);
                String next = refusal == null ? "" : "; the proxy would then ask for " + refusal.length();
                report.note(Fact.RANGE, length + ": " + reply.words() + next);
                return;
            }
            report.set(Fact.RANGE, length);
        }
    }

    private void gzip(long head) {
        if (!node.isOverWebSocket()) {
            Reply reply = node.callInGzip(ChainCalls.BLOCK_BY_NUMBER, hex(head) + ",false");
            if (reply.isOk()) {
                report.set(Fact.GZIP, reply.coding().equalsIgnoreCase("gzip"));
            } else {
                report.note(Fact.GZIP, reply.words());
            }
        }
    }

    private void batches() {
        for (int size : BATCHES) {
            Reply reply = node.batch(CHAIN, size);
            if (!reply.isOk()) {
                report.note(Fact.BATCH, size + ": " + reply.words());
                return;
            }
            report.set(Fact.BATCH, (long) size);
        }
    }

    private void latency() {
        long[] micros = new long[LATENCIES];
        for (int i = 0; i < LATENCIES; i++) {
            Reply reply = node.call(ChainCalls.HEAD_NUMBER, "");
            if (!reply.isOk()) {
                report.note(Fact.MEDIAN, reply.words());
                return;
            }
            micros[i] = TimeUnit.NANOSECONDS.toMicros(reply.nanos());
        }
        java.util.Arrays.sort(micros);
        report.set(Fact.MEDIAN, micros[LATENCIES / 2] / 1000.0);
        report.set(Fact.WORST, micros[LATENCIES - 1] / 1000.0);
    }

    private void webSocket() {
        URI configured = config.wsUrl();
        URI url = configured == null
                ? URI.create(config.address().toString().replaceFirst("(?i)^http", "ws"))
                : configured;
        String words = node.webSocket(url, CHAIN);
        report.set(Fact.WEB_SOCKET, words.isEmpty());
        if (!words.isEmpty()) {
            report.note(Fact.WEB_SOCKET, (configured == null ? "at the address of calls: " : "at ws-url: ") + words);
        }
    }

    private void prices() {
        BudgetConfig budget = config.budget();
        if (!budget.isBounded() && budget.costs().equals(MethodCosts.CALLS)) {
            return;
        }
        if (budget.perSecond() > 0) {
            report.set(Fact.UNITS_SECOND, budget.perSecond());
        }
        if (budget.perDay() > 0) {
            report.set(Fact.UNITS_DAY, budget.perDay());
        }
        report.set(Fact.UNITS_CALL, units(budget, "eth_call"));
        report.set(Fact.UNITS_LOGS, units(budget, ChainCalls.LOGS));
        report.set(Fact.UNITS, node.units());
    }

    private static long units(BudgetConfig budget, String method) {
        return budget.costs().of(method, MethodCatalogue.ofName(method).cost());
    }
}
