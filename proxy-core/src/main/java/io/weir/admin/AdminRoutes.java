package io.weir.admin;

import io.weir.api.AdminPage;
import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.metrics.PrometheusExposition;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Finds what answers a path of the admin listener. Thread-safe. */
public final class AdminRoutes {

    private static final String PLUGINS = "/plugins/";

    private final StatusReport status;
    private final PrometheusExposition metrics;
    private final Map<String, AdminPage> pages;

    /**
     * Makes the routes.
     *
     * @param pages plugins' pages by {@code <plugin id>/<path>}, or {@code <plugin id>} for a plugin's first page
     */
    public AdminRoutes(StatusReport status, PrometheusExposition metrics, Map<String, AdminPage> pages) {
        this.status = status;
        this.metrics = metrics;
        this.pages = Map.copyOf(pages);
    }

    CompletionStage<Response> handle(String path, Request request) {
        if (path.startsWith(PLUGINS)) {
            return plugin(path.substring(PLUGINS.length()), request);
        }
        Response response = own(path);
        if (response == null) {
            return done(text(404, "no such path"));
        }
        return done(request.method().equals("GET") ? response : notAllowed("GET"));
    }

    private @Nullable Response own(String path) {
        return switch (path) {
            case "/health/live" -> text(200, "live");
            case "/health/ready" -> ready();
            case "/metrics" -> new Response(200, PrometheusExposition.CONTENT_TYPE, Map.of(), metrics.text());
            case "/status" -> new Response(200, "application/json", Map.of(), status.json());
            default -> null;
        };
    }

    private Response ready() {
        var missing = status.networksWithoutUpstream();
        return missing.isEmpty() ? text(200, "ready") : text(503, "no usable upstream: " + String.join(", ", missing));
    }

    private CompletionStage<Response> plugin(String path, Request request) {
        String page = path;
        while (true) {
            AdminPage found = pages.get(page);
            if (found != null) {
                String subPath = path.length() > page.length() ? path.substring(page.length() + 1) : "";
                return serve(found, subPath, request);
            }
            int slash = page.lastIndexOf('/');
            if (slash < 0) {
                return done(text(404, "no such page"));
            }
            page = page.substring(0, slash);
        }
    }

    private static CompletionStage<Response> serve(AdminPage page, String subPath, Request request) {
        boolean post = request.method().equals("POST");
        if (!post && !request.method().equals("GET")) {
            return done(notAllowed("GET, POST"));
        }
        if (post && isForeign(request)) {
            return done(text(403, "Origin: a foreign page (expected: this listener's own address)"));
        }
        return page.handle(new Request(request.method(), subPath, request.query(), request.headers(), request.body()));
    }

    /** Browsers name the page that a POST comes from; other clients name none. */
    private static boolean isForeign(Request request) {
        String origin = request.header("origin");
        return origin != null
                && !origin.equals("http://" + request.header("host"))
                && !origin.equals("https://" + request.header("host"));
    }

    static Response text(int status, String text) {
        return new Response(
                status, "text/plain; charset=utf-8", Map.of(), (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static Response notAllowed(String allow) {
        Response response = text(405, "no such verb here (expected: " + allow + ")");
        return new Response(response.status(), response.contentType(), Map.of("Allow", allow), response.body());
    }

    private static CompletionStage<Response> done(Response response) {
        return CompletableFuture.completedFuture(response);
    }
}
