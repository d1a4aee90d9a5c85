package io.weir.app;

import io.weir.api.EthereumKind;
import io.weir.app.ProbeClient.Reply;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.method.ChainCalls;
import io.weir.pipeline.range.BlockRange;
import io.weir.pipeline.range.RangeRefusal;
import io.weir.tls.TlsFileException;
import io.weir.upstream.verdict.ErrorClass;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The questions to one Ethereum node about its chain, data and bounds. Confined to one thread. */
record NodeProbe(NetworkConfig network, UpstreamConfig config, ProbeClient node, ProbeReport.Node report) {

    private static final List<Integer> BATCHES = List.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000);
    private static final List<Integer> RANGES = List.of(1, 5, 10, 50, 100, 500, 1000, 2000, 5000, 10_000);
    private static final int MAX_BISECTIONS = 30;
    private static final int LATENCIES = 5;
    /** Transactions of a block that is traced. */
    private static final int SMALL_BLOCK = 20;

    private static final EthereumKind KIND = new EthereumKind();
    private static final String CHAIN = KIND.chainIdCall().method();
    /** An address that nobody uses. */
    private static final String ADDRESS = "\"0x00000000000000000000000000000000d15ab1ed\"";
    /** The end of a filter that matches no log. */
    private static final String NOTHING =
            ",\"address\":" + ADDRESS + ",\"topics\":[\"0x" + "d15ab1ed".repeat(8) + "\"]}";

    static ProbeReport.Node of(NetworkConfig network, UpstreamConfig config) {
        ProbeReport.Node report = new ProbeReport.Node(config.id());
        String scheme = config.address().getScheme();
        if (!scheme.matches("(?i)https?|wss?")) {
            report.note("chainId", "not probed: a plugin opens addresses of the scheme " + scheme);
            return report;
        }
        try {
            new NodeProbe(network, config, new ProbeClient(config), report).run();
        } catch (TlsFileException e) {
            report.problems().add("tls: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            // The words of the JDK repeat an address.
            report.problems().add("not asked: the address or a header is none for the JDK's client");
        }
        return report;
    }

    private void run() {
        if (isReached()) {
            long head = head();
            if (head >= 0) {
                askForRanges(head);
            }
            askForBatches();
            askForConnections();
        }
        node.addCounts(report.facts());
    }

    /** Adds a fact; null if the node did not tell it. */
    private void add(String fact, Reply reply, @Nullable Object value) {
        if (value == null) {
            report.note(fact, reply.isOk() ? "an answer of another form" : reply.words());
        } else {
            report.facts().put(fact, value);
        }
    }

    private boolean isReached() {
        Reply reply = node.call(CHAIN, "");
        String hex = reply.result().asString("");
        String chain = hex.matches("0x[0-9a-fA-F]{1,64}") ? KIND.normaliseChainId(hex) : null;
        add("chainId", reply, chain);
        if (chain == null) {
            report.problems().add("no chain id: " + report.notes().get("chainId"));
            return false;
        }
        if (!chain.equals(KIND.normaliseChainId(network.chainId()))) {
            report.problems().add("chain id " + chain + " (expected: " + network.chainId() + ")");
        }
        Reply client = node.call(ChainCalls.CLIENT, "");
        boolean isNamed = client.result().isString();
        add("client", client, isNamed ? node.shown(client.result().asString()) : null);
        return true;
    }

    /** Asks for the head and the data up to it. Returns its number; -1 if the node does not tell it. */
    private long head() {
        Reply reply = node.call(ChainCalls.BLOCK_BY_NUMBER, "\"latest\",false");
        long head = number(reply.result().path("number"));
        long time = number(reply.result().path("timestamp"));
        boolean isRead = head >= 0 && time >= 0;
        add("head", reply, isRead ? head : null);
        if (!isRead) {
            report.problems().add("no head: " + report.notes().get("head"));
            return -1;
        }
        report.facts().put("headAgeSeconds", Instant.now().getEpochSecond() - time);
        // Known once the others have answered.
        report.facts().put("blocksBehind", null);
        askForOldest(head);
        for (long depth : new long[] {128, 10_000}) {
            if (head >= depth) {
                there("stateAtHeadMinus" + depth, ChainCalls.BALANCE, ADDRESS + ',' + hex(head - depth));
            }
        }
        there("stateAtBlock1", ChainCalls.BALANCE, ADDRESS + ',' + hex(Math.min(1, head)));
        there("blockReceipts", ChainCalls.BLOCK_RECEIPTS, hex(head));
        there("proof", ChainCalls.PROOF, ADDRESS + ",[]," + hex(head));
        // Traces of large blocks are large.
        long traced = reply.result().path("transactions").size() <= SMALL_BLOCK ? head : Math.min(1, head);
        there("debugTrace", ChainCalls.DEBUG_TRACE, hex(traced) + ",{\"tracer\":\"callTracer\"}");
        there("traceBlock", ChainCalls.TRACE_BLOCK, hex(traced));
        there("capabilities", ChainCalls.CAPABILITIES, "");
        return head;
    }

    private static long number(JsonNode value) {
        String text = value.asString("");
        return text.matches("0x[0-9a-fA-F]{1,15}") ? Long.decode(text) : -1;
    }

    private static String hex(long number) {
        return "\"0x" + Long.toHexString(number) + '"';
    }

    /** Asks whether there is a result. Methods and state that the node lacks are not there; other errors leave it open. */
    private void there(String fact, String method, String params) {
        Reply reply = node.call(method, params);
        boolean isLacking =
                reply.is(ErrorClass.UNSUPPORTED) || (fact.startsWith("state") && reply.is(ErrorClass.LACKS_DATA));
        boolean isThere = reply.isOk() && !reply.result().isNull();
        add(fact, reply, isThere ? Boolean.TRUE : isLacking ? Boolean.FALSE : null);
    }

    private void askForOldest(long head) {
        long absent = 0;
        long there = head;
        long asked = Math.min(1, head);
        for (int i = 0; i < MAX_BISECTIONS && (i == 0 || there - absent > 1); i++) {
            Reply reply = node.call(ChainCalls.BLOCK_BY_NUMBER, hex(asked) + ",false");
            if (reply.result().isObject()) {
                there = asked;
            } else if (reply.isOk() || reply.is(ErrorClass.LACKS_DATA)) {
                absent = asked;
            } else {
                add("oldestBlock", reply, null);
                return;
            }
            asked = absent + (there - absent) / 2;
        }
        report.facts().put("oldestBlock", there);
    }

    private void askForRanges(long head) {
        for (int length : RANGES) {
            BlockRange range = new BlockRange(head - length + 1, head);
            if (range.from() < 0) {
                return;
            }
            String blocks = "{\"fromBlock\":" + hex(range.from()) + ",\"toBlock\":" + hex(head);
            Reply reply = node.call(ChainCalls.LOGS, blocks + NOTHING);
            RangeRefusal refusal = reply.refusal() == null ? null : RangeRefusal.of(reply.refusal(), range);
            String next = refusal == null ? "" : "; the proxy would then ask for " + refusal.length();
            if (!isWithin("logRange", length, reply, next)) {
                return;
            }
        }
    }

    private void askForBatches() {
        for (int size : BATCHES) {
            if (!isWithin("batch", size, node.batch(CHAIN, size), "")) {
                return;
            }
        }
    }

    /** Adds the size of a question that the node answers, or why it does not. */
    private boolean isWithin(String fact, int size, Reply reply, String more) {
        if (reply.isOk()) {
            report.facts().put(fact, size);
        } else {
            report.note(fact, size + " refused: " + reply.words() + more);
        }
        return reply.isOk();
    }

    private void askForConnections() {
        double[] millis =
                DoubleStream.generate(this::latency).limit(LATENCIES).sorted().toArray();
        report.facts().put("medianMillis", millis[LATENCIES / 2]);
        report.facts().put("worstMillis", millis[LATENCIES - 1]);
        URI url = config.wsUrl() == null
                ? URI.create(config.address().toString().replaceFirst("(?i)^http", "ws"))
                : config.wsUrl();
        Reply socket = node.call(url, CHAIN, "", "");
        report.facts().put("webSocket", socket.isOk());
        if (!socket.isOk()) {
            report.note("webSocket", (config.wsUrl() == null ? "at url: " : "at ws-url: ") + socket.words());
        }
        if (!ProbeClient.isWebSocket(config.address())) {
            Reply gzip = node.call(config.address(), ChainCalls.BLOCK_BY_NUMBER, "\"latest\",false", "gzip");
            add("gzip", gzip, gzip.isOk() ? gzip.result().isMissingNode() : null);
        }
    }

    private double latency() {
        node.call(ChainCalls.HEAD_NUMBER, "");
        return Math.round(node.lastNanos() / 1e5) / 10.0;
    }
}
