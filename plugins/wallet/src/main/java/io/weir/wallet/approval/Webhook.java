package io.weir.wallet.approval;

import io.weir.api.setting.TextForm;
import io.weir.api.setting.TextRule;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tells an address of the operator's that a request waits: its id and kind, and nothing of its content. Thread-safe; never blocks or throws. */
final class Webhook {

    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** By then a call that joins an equal one, or is given up at once, is gone. */
    private static final long DELAY_SECONDS = 1;

    private static final long PAUSE_SECONDS = 10;
    private static final int TRIES = 3;
    private static final int MAX_PORT = 65_535;

    private final URI address;
    private final WaitingRequests waiting;
    private final ScheduledExecutorService scheduler;
    /** One for each request that may wait. */
    private final Semaphore underWay = new Semaphore(WaitingRequests.MAX);

    private @Nullable HttpClient client;

    /** @param address of the form {@link Address} */
    Webhook(URI address, WaitingRequests waiting, ScheduledExecutorService scheduler) {
        this.address = address;
        this.waiting = waiting;
        this.scheduler = scheduler;
    }

    /** Tells of a request in a moment, and again if that fails, as long as it waits. */
    void tell(Request one) {
        tellLater(one, TRIES, DELAY_SECONDS);
    }

    private void tellLater(Request one, int tries, long seconds) {
        try {
            scheduler.schedule(() -> post(one, tries), seconds, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("approval.webhook: not called, the proxy stops");
        }
    }

    private void post(Request one, int tries) {
        if (waiting.find(one.id()) == null) {
            return;
        }
        if (!underWay.tryAcquire()) {
            LOG.warn("approval.webhook: not called, {} calls are under way", WaitingRequests.MAX);
            return;
        }
        client().sendAsync(request(one), BodyHandlers.ofInputStream()).whenComplete((response, failure) -> {
            underWay.release();
            String problem = failure == null ? problem(response) : failure(failure);
            if (problem != null) {
                LOG.warn("approval.webhook: request {}: {}", one.id(), problem);
                if (tries > 1) {
                    tellLater(one, tries - 1, PAUSE_SECONDS);
                }
            }
        });
    }

    private HttpRequest request(Request one) {
        String kind = one.content().kind();
        int size = waiting.size();
        String body = JsonNodeFactory.instance
                .objectNode()
                .put("text", "A request of the kind \"" + kind + "\" waits for approval (" + size + " in all).")
                .put("id", one.id())
                .put("kind", kind)
                .put("waiting", size)
                .toString();
        return HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private synchronized HttpClient client() {
        HttpClient known = client;
        if (known == null) {
            known = HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
            client = known;
        }
        return known;
    }

    /** Returns what is wrong with an answer, or null. Its body is not read: it may never end. */
    private static @Nullable String problem(HttpResponse<InputStream> response) {
        try {
            response.body().close();
        } catch (IOException e) {
            LOG.debug("approval.webhook: {}", e.getClass().getSimpleName());
        }
        int status = response.statusCode();
        return status >= 200 && status < 300 ? null : "status " + status + " (expected: 2xx)";
    }

    /** The text of a failure may hold the address, which may be a secret. */
    private static String failure(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return "failed, " + cause.getClass().getSimpleName();
    }

    /** The form of the address. It is never shown: whoever has it can write to the operator. */
    static final class Address extends TextForm<URI> {

        Address() {
            super(
                    new TextRule(
                            text -> text.isEmpty() || parsed(text) != null,
                            "http:// or https:// with a host, and no user"),
                    false,
                    true);
        }

        private static @Nullable URI parsed(String text) {
            try {
                URI address = new URI(text);
                boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
                boolean isWhole = address.getHost() != null && address.getPort() <= MAX_PORT;
                return isHttp && isWhole && address.getUserInfo() == null ? address : null;
            } catch (URISyntaxException e) {
                return null;
            }
        }

        @Override
        protected @Nullable URI of(@Nullable String text) {
            return text == null ? null : parsed(text);
        }
    }
}
