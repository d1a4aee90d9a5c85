package io.weir.wallet.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.api.AdminPage;
import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Serves a page as an admin listener would, but for what a test changes in it. Thread-safe. */
final class PageServer implements AutoCloseable {

    private static final String PATH = "/plugins/wallet/approvals";

    private final HttpServer server;
    private final AdminPage page;
    private volatile UnaryOperator<String> spoiling = UnaryOperator.identity();

    PageServer(AdminPage page) throws IOException {
        this.page = page;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String origin() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String url() {
        return origin() + PATH;
    }

    /** From now on pages are changed on their way, as if the page had a hole. */
    void spoil(UnaryOperator<String> by) {
        spoiling = by;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (!path.startsWith(PATH)) {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
            return;
        }
        Response response =
                page.handle(request(exchange, path)).toCompletableFuture().join();
        response.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        byte[] body = spoiling.apply(new String(response.body(), StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Request request(HttpExchange exchange, String path) throws IOException {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        if (raw != null) {
            String[] pair = raw.split("=", 2);
            query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        String below = path.substring(PATH.length());
        return new Request(
                exchange.getRequestMethod(),
                below.startsWith("/") ? below.substring(1) : below,
                query,
                headers,
                exchange.getRequestBody().readAllBytes(),
                exchange.getRemoteAddress().getAddress());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
