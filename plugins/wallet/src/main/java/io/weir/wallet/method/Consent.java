package io.weir.wallet.method;

import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.snap.SnapErrors;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Does what needs approval once it is approved, and gives the call the time for both. Thread-safe. */
final class Consent {
    private final Approvals approvals;
    private final Duration afterwards;

    /**
     * Takes who decides.
     *
     * @param afterwards the time that the network is given once something is approved
     */
    Consent(Approvals approvals, Duration afterwards) {
        this.approvals = approvals;
        this.afterwards = afterwards;
    }

    /** Goes on, on the plugin's executor, once it is approved; otherwise fails as wallets do. */
    CompletionStage<JsonNode> ask(
            SnapCall call, ApprovalRequest request, Supplier<CompletionStage<JsonNode>> approved) {
        return approvals
                .ask(request, patience(call))
                .thenComposeAsync(
                        decision -> {
                            check(decision);
                            call.host().extendDeadline(afterwards);
                            return approved.get();
                        },
                        call.host().executor());
    }

    /** Shows a key; see {@link Approvals#reveal}. */
    CompletionStage<Decision> reveal(SnapCall call, ApprovalRequest request, Approvals.KeySource key) {
        return approvals.reveal(request, key, patience(call)).thenApply(decision -> {
            check(decision);
            return decision;
        });
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

    private static void check(Decision decision) {
        switch (decision) {
            case APPROVED -> {
                return;
            }
            case REFUSED -> throw SnapErrors.userRejected("User rejected the request.");
            case TIMED_OUT -> throw SnapErrors.userRejected("User rejected the request: nobody approved it in time.");
            default -> throw new IllegalStateException("decision: " + decision);
        }
    }
}
