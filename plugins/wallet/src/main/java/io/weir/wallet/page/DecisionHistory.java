package io.weir.wallet.page;

import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.ParkedRequest;
import io.weir.wallet.state.DecisionTable;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.StateException;
import io.weir.wallet.state.StoredDecision;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionTable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The decisions of persons as the pages write and read them. Thread-safe; blocks. */
public record DecisionHistory(DecisionTable decisions, TransactionTable transactions) {
    /** Number of decisions on one page. */
    static final int PAGE = 50;

    private static final Logger LOG = LoggerFactory.getLogger(DecisionHistory.class);
    /** The lines of 32 calls, each with two addresses and an amount. */
    private static final int MAX_SUMMARY = 8_000;

    /** A decision with the transactions that were signed for it. Immutable. */
    record Entry(StoredDecision decision, List<StoredTransaction> transactions) {
        Entry {
            transactions = List.copyOf(transactions);
        }

        /** Whether nothing more will come of it. */
        boolean isSettled() {
            boolean open = decision.outcome() == RequestState.APPROVED && transactions.isEmpty();
            return !open && transactions.stream().allMatch(one -> one.state().isSettled());
        }
    }

    /** Notes a decision. A history that cannot be written never hinders one: the audit log is what proves it. */
    void note(ParkedRequest one, boolean approved, String by, Amounts amounts, Instant now) {
        ApprovalRequest request = one.request();
        String summary = Html.shortened(String.join("; ", ListView.lines(request, amounts)), MAX_SUMMARY);
        try {
            decisions.add(new StoredDecision(
                    0,
                    one.id(),
                    request.tenant(),
                    request.method(),
                    request.network(),
                    request.chainId(),
                    request.account(),
                    summary,
                    request.typedData() == null ? "" : request.typedData().toString(),
                    Amounts.fee(request.maxFeeFri()),
                    approved,
                    by,
                    now,
                    approved ? RequestState.APPROVED : RequestState.REFUSED,
                    ""));
        } catch (StateException e) {
            LOG.warn("a decision is not in the page's history: {}", e.getMessage());
        }
    }

    /** The decision on a request, or nothing. */
    Optional<Entry> find(String approval) {
        return decisions.find(approval).map(this::entry);
    }

    /** Returns a page of decisions, the newest first; none with this number or a higher one. */
    List<Entry> page(long before) {
        return decisions.page(before, PAGE).stream().map(this::entry).toList();
    }

    private Entry entry(StoredDecision decision) {
        return new Entry(decision, transactions.ofApproval(decision.approval()));
    }
}
