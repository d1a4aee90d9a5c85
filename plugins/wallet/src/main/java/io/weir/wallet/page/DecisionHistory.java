package io.weir.wallet.page;

import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.StoredDecision;
import io.weir.wallet.state.StoredRequest;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The decisions of persons as the pages read them. Thread-safe; blocks. */
public record DecisionHistory(RequestTable requests, TransactionTable transactions) {
    /** Number of decisions on one page. */
    static final int PAGE = 50;

    /** After this time the page of a request that never settles stops to reload itself. */
    private static final Duration RELOADING = Duration.ofHours(1);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A request that was decided on, with the transactions that were signed for it. Immutable. */
    record Entry(StoredRequest request, StoredDecision decision, List<StoredTransaction> transactions) {
        Entry {
            transactions = List.copyOf(transactions);
        }

        /** Whether nothing more will come of it. */
        boolean isSettled() {
            boolean open = request.state() == RequestState.APPROVED && transactions.isEmpty();
            return !open && transactions.stream().allMatch(one -> one.state().isSettled());
        }

        /** Whether the page of it shall show the news by itself. */
        boolean isOpen(Instant now) {
            return !isSettled() && Duration.between(decision.at(), now).compareTo(RELOADING) < 0;
        }

        String word() {
            return decision.approved() ? "Approved" : "Refused";
        }

        /** Returns who decided what, and when. */
        String decided() {
            return word() + " by " + decision.by() + ", " + Times.of(decision.at());
        }

        String chain() {
            return new L2Network("", request.chainId()).chainIdText();
        }

        @Nullable
        MessageView message() {
            return decision.message().isEmpty() ? null : new MessageView(JSON.readTree(decision.message()));
        }

        /** Returns how it ended in one word: open, refused, failed or done. */
        String style() {
            if (!isSettled()) {
                return "open";
            }
            if (!decision.approved()) {
                return "refused";
            }
            return hasFailed() ? "failed" : "done";
        }

        private boolean hasFailed() {
            RequestState state = request.state();
            return transactions.isEmpty()
                    ? state == RequestState.FAILED || state == RequestState.WITHDRAWN
                    : !transactions.stream()
                            .allMatch(one -> one.state() == TransactionState.ACCEPTED_ON_L2 && !one.isReverted());
        }

        /** Returns what came of it, in one line: what its last transaction tells, or else the request itself. */
        String result() {
            if (!transactions.isEmpty()) {
                return "Transaction: " + state(transactions.get(transactions.size() - 1)) + ".";
            }
            String reason = request.error().isEmpty() ? "" : ": " + request.error();
            return switch (request.state()) {
                case REFUSED -> "Nothing was signed.";
                case APPROVED -> "It is being carried out.";
                case COMPLETED ->
                    request.method().equals("signMessage")
                            ? "The message was signed."
                            : "It was done, without a transaction.";
                case FAILED, WITHDRAWN -> "Nothing came of it" + reason + (reason.endsWith(".") ? "" : ".");
                default -> "Nothing is known of it any more" + reason + ".";
            };
        }

        static String state(StoredTransaction one) {
            String reason = one.failureReason().isEmpty() ? "" : ": " + one.failureReason();
            return switch (one.state()) {
                case PREPARED -> "signed; it is not known yet whether the network has it";
                case RECEIVED -> "the network took it";
                case PENDING -> "in the block that is being made";
                case ACCEPTED_ON_L2 -> one.isReverted() ? "in a block, but reverted" + reason : "in a block";
                case REJECTED -> "the network refused it" + reason;
                case REPLACED -> "another transaction took its place" + reason;
            };
        }
    }

    /** The decision on a request, or nothing. */
    Optional<Entry> find(String approval) {
        return requests.decided(approval).map(this::entry);
    }

    /** Returns a page of decisions, the newest first: those before that on a request, if one is named. */
    List<Entry> page(@Nullable String before) {
        return requests.decisions(before, PAGE).stream().map(this::entry).toList();
    }

    private Entry entry(StoredRequest request) {
        return new Entry(
                request, Objects.requireNonNull(request.decision()), transactions.ofApproval(request.approval()));
    }
}
