package io.weir.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.EventLoop;
import io.weir.access.HashedKeyRing;
import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.config.AdminConfig;
import io.weir.metrics.PrometheusExposition;
import io.weir.metrics.RateLimitedLogger;
import io.weir.network.Readiness;
import io.weir.plugin.PluginCatalogue;
import io.weir.tls.Fingerprint;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The routes of the admin listener. Thread-safe. */
public final class AdminRoutes {

    private static final String PLUGINS = "/plugins/";
    private static final String PURGE = "/cache/purge";
    private static final String UPSTREAM = "/upstream";
    private static final String CHANGES = "/changes";
    private static final String RELOAD = "/reload";
    private static final Set<String> OPERATIONS = Set.of(PURGE, UPSTREAM, CHANGES, RELOAD);
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final Set<String> PAGE_VERBS = Set.of("GET", "POST");
    /** The time before a wrong token is refused, so that guesses are slow. */
    private static final long REFUSAL_MILLIS = 500;

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(AdminRoutes.class));
    private static final long PAGE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final StatusReport status;
    private final StatusPage page;
    private final Readiness readiness;
    private final PrometheusExposition metrics;
    private final PluginCatalogue plugins;
    private final CachePurge purge;
    private final UpstreamOperation upstream;
    private final ReloadOperation reload;

    public AdminRoutes(
            StatusReport status,
            Readiness readiness,
            PrometheusExposition metrics,
            PluginCatalogue plugins,
            Reload reload) {
        this.status = status;
        this.page = new StatusPage(status, plugins);
        this.readiness = readiness;
        this.metrics = metrics;
        this.plugins = plugins;
        this.purge = new CachePurge(readiness.current());
        this.upstream = new UpstreamOperation(readiness.current(), status.clock());
        this.reload = new ReloadOperation(reload);
    }

    /** Takes the sample of a minute for the page. */
    void sample() {
        page.sample();
    }

    /** Returns the present settings of the listener, of which a reload changes some. */
    AdminConfig config() {
        return readiness.current().get().config().admin();
    }

    /**
     * Answers a request that has passed the header check.
     *
     * @param certificate the client's, or null
     * @param loop the connection's event loop, on which this method is called
     * @param sink gets the response once, on the loop
     */
    void handle(
            String path,
            Request request,
            @Nullable X509Certificate certificate,
            EventLoop loop,
            Consumer<Response> sink) {
        if (path.startsWith(PLUGINS)) {
            plugin(path.substring(PLUGINS.length()), request, loop, sink);
            return;
        }
        OperatorCredentials credentials = new OperatorCredentials(config());
        if (credentials.exist() && OPERATIONS.contains(path)) {
            boolean permitted = credentials.areIn(request, certificate);
            Response refusal = refusal(request, permitted, path.equals(CHANGES) ? READING : Set.of("POST"));
            if (refusal != null && refusal.status() == 401 && request.header("authorization") != null) {
                LOG.warn("admin: a wrong token from " + request.peer().getHostAddress() + " for " + path);
                loop.schedule(() -> sink.accept(refusal), REFUSAL_MILLIS, TimeUnit.MILLISECONDS);
            } else if (refusal != null) {
                sink.accept(refusal);
            } else {
                operation(path, request, loop, sink);
            }
            return;
        }
        Response response = own(path, request);
        if (response == null) {
            sink.accept(AdminResponses.text(404, "no such path"));
        } else {
            sink.accept(READING.contains(request.method()) ? response : AdminResponses.notAllowed("GET, HEAD"));
        }
    }

    private void operation(String path, Request request, EventLoop loop, Consumer<Response> sink) {
        if (path.equals(PURGE)) {
            purge.handle(request, loop, sink);
        } else if (path.equals(RELOAD)) {
            reload.handle(loop, sink);
        } else {
            sink.accept(path.equals(CHANGES) ? upstream.changes() : upstream.handle(request));
        }
    }

    /** Returns why a request is no operation; null if it is one. */
    private static @Nullable Response refusal(Request request, boolean permitted, Set<String> verbs) {
        if (!verbs.contains(request.method())) {
            return AdminResponses.notAllowed(String.join(", ", new TreeSet<>(verbs)));
        }
        if (permitted) {
            return null;
        }
        Response refusal = AdminResponses.text(
                401,
                "Authorization: missing or wrong (expected: Bearer and the operations' token, or a listed client certificate)");
        Map<String, String> challenge = Map.of("WWW-Authenticate", "Bearer realm=\"weir\"");
        return new Response(refusal.status(), refusal.contentType(), challenge, refusal.body());
    }

    private @Nullable Response own(String path, Request request) {
        return switch (path) {
            case "/health/live" -> AdminResponses.text(200, "live");
            case "/health/ready" -> ready(request.query().get("network"));
            case "/metrics" -> new Response(200, PrometheusExposition.CONTENT_TYPE, Map.of(), metrics.text());
            case "/status" -> new Response(200, "application/json", Map.of(), status.json());
            case "/" -> page.page(request.header("host"));
            default -> path.equals("/page.html") ? null : AdminResponses.file(path);
        };
    }

    private Response ready(@Nullable String network) {
        Readiness.Report report = network == null ? readiness.report() : readiness.report(network);
        return report == null
                ? AdminResponses.unknownNetwork()
                : AdminResponses.text(report.ready() ? 200 : 503, report.text());
    }

    private void plugin(String path, Request request, EventLoop loop, Consumer<Response> sink) {
        int slash = path.indexOf('/');
        String id = slash < 0 ? path : path.substring(0, slash);
        String below = slash < 0 ? "" : path.substring(slash + 1);
        PluginCatalogue.PageMatch match = plugins.page(id, trimmed(below));
        if (match == null) {
            sink.accept(AdminResponses.text(404, "no such page"));
        } else if (!PAGE_VERBS.contains(request.method())) {
            sink.accept(AdminResponses.notAllowed("GET, POST"));
        } else {
            Request forPage = new Request(
                    request.method(),
                    match.subPath(),
                    request.query(),
                    request.headers(),
                    request.body(),
                    request.peer());
            match.page().handle(loop, forPage, System.nanoTime() + PAGE_NANOS, sink);
        }
    }

    private static String trimmed(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /**
     * The credentials for operations: a token, known only by its SHA-256, or a client certificate, known by its fingerprint. A
     * fingerprint names one certificate exactly. A subject would be a name that every authority of the operator may give away.
     * Immutable and thread-safe.
     */
    private static final class OperatorCredentials {

        private static final String SCHEME = "bearer ";

        private final byte @Nullable [] tokenSha256;
        private final Set<String> certificates;

        OperatorCredentials(AdminConfig config) {
            String token = config.tokenSha256();
            this.tokenSha256 = token == null ? null : HexFormat.of().parseHex(token);
            this.certificates = config.clientCertificates();
        }

        /** Returns whether there are any; else there are no operations. */
        boolean exist() {
            return tokenSha256 != null || !certificates.isEmpty();
        }

        /**
         * Returns whether a request has one of them. The duration reveals nothing about the token.
         *
         * @param certificate the one that the client has shown, or null
         */
        boolean areIn(Request request, @Nullable X509Certificate certificate) {
            return (certificate != null && certificates.contains(Fingerprint.of(certificate))) || hasToken(request);
        }

        private boolean hasToken(Request request) {
            String header = request.header("authorization");
            if (tokenSha256 == null
                    || header == null
                    || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
                return false;
            }
            String token = header.substring(SCHEME.length()).strip();
            return MessageDigest.isEqual(HashedKeyRing.sha256(token.getBytes(UTF_8)), tokenSha256);
        }
    }
}
