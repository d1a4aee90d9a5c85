package io.weir.devnet;

import io.weir.api.LocalNode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.JsonNode;

/** A node that stands on a {@link Devnet}, whose calls wait until it is made; several may stand on one. Thread-safe. */
final class DevnetNode implements LocalNode {
    private final CompletableFuture<Devnet> devnet;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    DevnetNode(CompletableFuture<Devnet> devnet, Runnable onClose) {
        this.devnet = devnet;
        this.onClose = onClose;
    }

    @Override
    public CompletionStage<JsonNode> call(String method, JsonNode params) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(new IllegalStateException("devnet node: closed (expected: open)"));
        }
        return devnet.thenApply(made -> made.call(method, params));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }
}
