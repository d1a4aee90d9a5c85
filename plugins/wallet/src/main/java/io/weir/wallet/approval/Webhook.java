package io.weir.wallet.approval;

import io.weir.api.setting.TextForm;
import io.weir.api.setting.TextRule;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tells an address of the operator's that a request waits: its id and kind, and nothing of its content. Thread-safe; never blocks. */
final class Webhook {

    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long PAUSE_SECONDS = 10;
    private static final int TRIES = 3;
    /** One for each request that may wait. */
    private static final int MAX_UNDER_WAY = WaitingRequests.MAX;

    private final URI address;
    private final ScheduledExecutorService scheduler;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final Semaphore underWay = new Semaphore(MAX_UNDER_WAY);

    Webhook(URI address, ScheduledExecutorService scheduler) {
        this.address = address;
        this.scheduler = scheduler;
    }

    /**
     * Tells of a request; tries again while it waits.
     *
     * @param kind one word
     * @param waiting number of requests that wait
     */
    void tell(String id, String kind, int waiting, BooleanSupplier isWaiting) {
        String body = JsonNodeFactory.instance
                .objectNode()
                .put("text", "A request of the kind \"" + kind + "\" waits for approval (" + waiting + " in all).")
                .put("id", id)
                .put("kind", kind)
                .put("waiting", waiting)
                .toString();
        HttpRequest post = HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        post(post, isWaiting, TRIES);
    }

    private void post(HttpRequest post, BooleanSupplier isWaiting, int tries) {
        if (!isWaiting.getAsBoolean()) {
            return;
        }
        if (!underWay.tryAcquire()) {
            LOG.warn("approval.webhook: not called, {} calls are under way", MAX_UNDER_WAY);
            return;
        }
        client.sendAsync(post, HttpResponse.BodyHandlers.discarding()).whenComplete((response, failure) -> {
            underWay.release();
            if (failure == null && response.statusCode() < 300) {
                return;
            }
            // The text of a failure may hold the address, which may be a secret.
            LOG.warn(
                    "approval.webhook: {}",
                    failure == null
                            ? "status " + response.statusCode() + " (expected: 2xx)"
                            : "failed, " + failure.getClass().getSimpleName());
            if (tries > 1) {
                again(() -> post(post, isWaiting, tries - 1));
            }
        });
    }

    private void again(Runnable post) {
        try {
            scheduler.schedule(post, PAUSE_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("approval.webhook: not tried again, the proxy stops");
        }
    }

    /** The form of the address. It is never shown: whoever has it can write to the operator. */
    static final class Address extends TextForm<URI> {

        Address() {
            super(
                    TextRule.matching(
                            "https?://[A-Za-z0-9\\[][!#-;=?-\\[\\]_a-z~%]*", "an address with http:// or https://"),
                    false,
                    true);
        }

        @Override
        protected @Nullable URI of(@Nullable String text) {
            return text == null ? null : URI.create(text);
        }
    }
}
