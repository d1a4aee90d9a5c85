package io.weir.admin;

import io.weir.config.load.ConfigChanges;
import io.weir.config.load.ConfigChanges.Names;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A reload whose result a test chooses. Confined to one thread. */
final class HandReload implements Reload {

    /** Changes of each sort. */
    static final ConfigChanges CHANGES = new ConfigChanges(
            new Names(List.of("new"), List.of("first"), List.of()),
            new Names(List.of(), List.of(), List.of("alice")),
            List.of("networks.first.verify"),
            List.of("server.port"));

    Outcome outcome = Outcome.APPLIED;
    List<String> problems = List.of();
    private @Nullable Result last;

    @Override
    public CompletionStage<Result> request(Cause cause) {
        ConfigChanges changes = outcome == Outcome.APPLIED ? CHANGES : ConfigChanges.NONE;
        Result result = new Result(outcome, cause, AdminBench.STARTED, changes, problems);
        last = result;
        return CompletableFuture.completedFuture(result);
    }

    @Override
    public @Nullable Result last() {
        return last;
    }
}
