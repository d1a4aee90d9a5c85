package io.weir.wallet.method;

import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.request.Request;
import io.weir.wallet.request.Requests;
import io.weir.wallet.snap.SnapCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/**
 * Does what needs approval once it is approved, and gives the call the time for both. Thread-safe.
 *
 * @param approvals who decides
 * @param afterwards the time that the network is given once something is approved
 */
record Consent(Approvals approvals, Requests requests, Duration afterwards) {
    /** Whether a tenant's messages may be signed that name no chain. */
    boolean signsWithoutChain(String tenant) {
        return approvals.signsWithoutChain(tenant);
    }

    /** Runs the work of a call that needs approval, once for all equal calls. */
    CompletionStage<JsonNode> request(SnapCall call, Function<Request, CompletionStage<JsonNode>> work) {
        return requests.run(call, work);
    }

    /** Goes on, on the plugin's executor, once it is approved; otherwise fails as wallets do. */
    CompletionStage<JsonNode> ask(
            SnapCall call, Request request, ApprovalRequest wanted, Supplier<CompletionStage<JsonNode>> approved) {
        return then(call, request, approvals.ask(wanted, request, patience(call)), approved);
    }

    /** Shows a key; see {@link Approvals#reveal}. */
    CompletionStage<JsonNode> reveal(SnapCall call, Request request, ApprovalRequest wanted, Approvals.KeySource key) {
        return then(
                call,
                request,
                approvals.reveal(wanted, key, request, patience(call)),
                () -> CompletableFuture.completedStage(NullNode.getInstance()));
    }

    private CompletionStage<JsonNode> then(
            SnapCall call,
            Request request,
            CompletionStage<Decision> asked,
            Supplier<CompletionStage<JsonNode>> approved) {
        if (!asked.toCompletableFuture().isDone()) {
            Request leader = requests.await(request);
            if (leader != request) {
                return Requests.resultOf(leader);
            }
        }
        return asked.thenComposeAsync(
                decision -> {
                    requests.decided(request, decision);
                    return approved.get();
                },
                call.host().executor());
    }

    /** Returns the time for the person. It is half of the host's time if that is less than both need. */
    private Duration patience(SnapCall call) {
        Duration wanted = approvals.timeout();
        Duration given = call.host().extendDeadline(wanted.plus(afterwards));
        Duration before = longer(given.minus(afterwards), given.dividedBy(2));
        return before.compareTo(wanted) < 0 ? before : wanted;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
