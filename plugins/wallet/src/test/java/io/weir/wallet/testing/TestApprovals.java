package io.weir.wallet.testing;

import io.weir.wallet.approval.Approvals;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.approval.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Decides as it is told, and keeps what it was asked. Thread-safe. */
public final class TestApprovals implements Approvals {
    public final List<Content> asked = new CopyOnWriteArrayList<>();
    /** What was signed without asking. */
    public final List<Content> charged = new CopyOnWriteArrayList<>();

    public volatile Decision decision = Decision.APPROVED;

    public volatile boolean withoutChain;

    /** The last key that was shown. */
    public volatile byte[] shown = new byte[0];

    @Override
    public boolean signsWithoutChain(String tenant) {
        return withoutChain;
    }

    @Override
    public Duration timeout() {
        return Duration.ofMinutes(2);
    }

    @Override
    public CompletionStage<Decision> ask(Request request, Content content, Duration patience) {
        asked.add(content);
        return CompletableFuture.completedStage(decision);
    }

    @Override
    public CompletionStage<Decision> reveal(Request request, Content.Key content, KeySource key, Duration patience) {
        asked.add(content);
        if (decision == Decision.APPROVED) {
            try {
                shown = key.open();
            } catch (Exception e) {
                return CompletableFuture.failedStage(e);
            }
        }
        return CompletableFuture.completedStage(decision);
    }

    @Override
    public void charge(Content request) {
        charged.add(request);
    }

    @Override
    public boolean withdraw(String id) {
        return false;
    }
}
