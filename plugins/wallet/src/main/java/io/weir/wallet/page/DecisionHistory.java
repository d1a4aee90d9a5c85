package io.weir.wallet.page;

import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.StoredDecision;
import io.weir.wallet.state.StoredRequest;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionTable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The decisions of persons as the pages read them. Thread-safe; blocks. */
public record DecisionHistory(RequestTable requests, TransactionTable transactions) {
    /** Number of decisions on one page. */
    static final int PAGE = 50;

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
