package org.example.outside;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.AdminPage;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;

final class Pages {
    private Pages() {}

    static List<AdminPage> all() {
        return List.of(
                page("", request -> text(200, Map.of(), "first page")),
                page("notes", request -> text(
                        200,
                        Map.of("X-Verb", request.method()),
                        request.subPath() + " " + request.query() + " " + new String(request.body(), UTF_8))),
                page("broken", request -> {
                    throw new IllegalStateException("a secret of the plugin");
                }),
                page("split", request -> text(200, Map.of("X-Bad", "a\r\nX-Worse: b"), "split")),
                page("slow", Pages::slow));
    }

    private static CompletionStage<AdminPage.Response> slow(AdminPage.Request request) {
        CompletableFuture<AdminPage.Response> later = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                .execute(() -> later.complete(text(200, Map.of(), "slow").toCompletableFuture().join()));
        return later;
    }

    private static CompletionStage<AdminPage.Response> text(int status, Map<String, String> headers, String text) {
        return CompletableFuture.completedFuture(
                new AdminPage.Response(status, "text/plain", headers, text.getBytes(UTF_8)));
    }

    private static AdminPage page(
            String path, Function<AdminPage.Request, CompletionStage<AdminPage.Response>> answer) {
        return new AdminPage() {
            @Override
            public String path() {
                return path;
            }

            @Override
            public CompletionStage<AdminPage.Response> handle(AdminPage.Request request) {
                return answer.apply(request);
            }
        };
    }
}
