package io.weir.plugin.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.EventLoop;
import io.weir.api.AdminPage;
import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A plugin's page on the admin listener. Thread-safe. */
public record PluginPage(PluginRuntime runtime, AdminPage page) {

    /** Returns the text of a link to it; null if it wants none, or fails. */
    public @Nullable String link() {
        try {
            return page.link();
        } catch (Throwable e) {
            runtime.log().failed("the link to a page", e);
            return null;
        }
    }

    /**
     * Answers a request.
     *
     * @param loop the event loop of the request's connection, on which this method is called
     * @param deadlineNanos the deadline, on the clock of {@link System#nanoTime}
     * @param sink gets the response once, on the loop; if the plugin fails, an error without details
     */
    public void handle(EventLoop loop, Request request, long deadlineNanos, Consumer<Response> sink) {
        new GuardedCall<>(runtime, loop, new PageCall(page, request), () -> deadlineNanos, ending -> {
                    runtime.count(ending);
                    sink.accept(response(ending));
                })
                .begin();
    }

    private Response response(Ending<Response> ending) {
        if (ending instanceof Ending.Value<Response> value) {
            return value.value();
        }
        if (ending instanceof Ending.ErrorReply<Response> error) {
            return plain(500, error.error().message());
        }
        if (ending instanceof Ending.Broken) {
            return plain(500, "internal error");
        }
        boolean begun = ending instanceof Ending.Late<Response> late && late.begun();
        return begun ? plain(504, "no answer in time") : plain(503, "too many calls under way");
    }

    private Response plain(int status, String text) {
        byte[] body = ("plugin " + runtime.pluginId() + ": " + text + "\n").getBytes(UTF_8);
        return new Response(status, "text/plain; charset=utf-8", Map.of(), body);
    }

    private record PageCall(AdminPage page, Request request) implements GuardedCall.Work<Response, Response> {
        @Override
        public String name() {
            // Without its path, which may hold a secret.
            return "a page";
        }

        @Override
        public @Nullable CompletionStage<Response> enter() {
            return page.handle(request);
        }

        @Override
        public Response convert(@Nullable Response value) {
            if (value == null || value.status() < 200 || value.status() > 599) {
                throw new IllegalStateException("response: " + value + " (expected: a status from 200 to 599)");
            }
            return new Response(
                    value.status(),
                    value.contentType().strip(),
                    Map.copyOf(value.headers()),
                    value.body().clone());
        }
    }
}
