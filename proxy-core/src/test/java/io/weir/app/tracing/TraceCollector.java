package io.weir.app.tracing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A collector of traces: it takes OTLP over HTTP and keeps what comes. Thread-safe. */
final class TraceCollector implements AutoCloseable {

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    TraceCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
        bodies.add(new String(body, ISO_8859_1));
        ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .forEach(scope -> spans.addAll(scope.getSpansList()));
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    /** Waits for this number of spans of a trace, and returns them in the order of their beginnings. */
    List<Span> awaited(String traceId, int count) {
        return await().until(() -> ofTrace(traceId), found -> found.size() >= count);
    }

    List<Span> ofTrace(String traceId) {
        return spans.stream()
                .filter(span -> hex(span.getTraceId().toByteArray()).equals(traceId))
                .sorted((one, other) -> Long.compareUnsigned(one.getStartTimeUnixNano(), other.getStartTimeUnixNano()))
                .toList();
    }

    /** What was sent, as Latin-1. */
    List<String> bodies() {
        return bodies;
    }

    List<String> authorizations() {
        return authorizations;
    }

    static String hex(byte[] id) {
        return HexFormat.of().formatHex(id);
    }

    static Map<String, String> attributes(Span span) {
        return span.getAttributesList().stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey, attribute -> attribute.getValue().getStringValue()));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
