package io.weir.wallet.method;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.send.HistoryCompletion;
import io.weir.wallet.send.StatusPoller;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.HistoryTable.Filter;
import io.weir.wallet.state.HistoryTable.Owner;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Answers about the past: which transactions there are, and the status of one. Thread-safe; blocks. */
record HistoryMethods(
        TransactionTable transactions,
        HistoryTable history,
        L2Client client,
        StatusPoller poller,
        HistoryCompletion completion,
        InstantSource clock) {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryMethods.class);
    private static final List<Integer> PAGE_SIZES = List.of(10, 25, 50);
    private static final String CURSOR = "cursor";
    private static final int DEFAULT_DAYS = 5;
    private static final int MAX_DAYS = 36_500;

    CompletionStage<JsonNode> getTransactions(SnapCall call) {
        Owner owner = new Owner(
                call.tenant(), call.network().chainId(), call.arguments().address("senderAddress"));
        Felt contract = call.arguments().optionalAddress("contractAddress").orElse(null);
        int pageSize = call.arguments().choice("pageSize", PAGE_SIZES.get(0), PAGE_SIZES);
        Felt cursor = call.arguments().has(CURSOR) ? call.arguments().hash(CURSOR) : null;
        int days = call.arguments().integer("txnsInLastNumOfDays", DEFAULT_DAYS, 1, MAX_DAYS);
        Filter filter = new Filter(
                clock.instant().minus(Duration.ofDays(days)),
                contract,
                call.arguments().flag("withDeployTxn"));
        if (cursor != null && !history.has(owner, cursor)) {
            throw SnapErrors.invalidParams(Arguments.path(CURSOR)
                    + ": unknown (expected: the txnHash of the last transaction of the page before)");
        }
        if (!call.arguments().flag("onlyFromState")) {
            completion.complete(owner, call.network(), filter.since());
            history.unsettled(owner, PAGE_SIZES.get(PAGE_SIZES.size() - 1)).forEach(one -> refresh(call, one));
        }
        return TransactionJson.answer(TransactionJson.list(history.page(owner, filter, cursor, pageSize)));
    }

    /** An error leaves a record as it is: what is known is shown all the same. */
    private void refresh(SnapCall call, StoredTransaction transaction) {
        try {
            poller.refresh(call.network(), transaction);
        } catch (RpcException e) {
            LOG.debug("transaction {} cannot be looked up: {}", transaction.hash(), e.getMessage());
        }
    }

    CompletionStage<JsonNode> getTransactionStatus(SnapCall call) {
        Felt hash = call.arguments().hash("transactionHash");
        Optional<StoredTransaction> stored =
                transactions.find(call.tenant(), call.network().chainId(), hash);
        boolean details = call.arguments().flag("details");
        if (stored.isPresent() && stored.get().state() == TransactionState.ACCEPTED_ON_L2) {
            return status("ACCEPTED_ON_L2", stored.get().failureReason(), details);
        }
        Optional<NetworkStatus> known = client.status(call.network(), hash);
        if (known.isPresent() && stored.isPresent()) {
            poller.note(stored.get(), known.get());
        }
        if (known.isPresent()) {
            String reason = known.get().failureReason();
            return status(known.get().stage().name(), reason == null ? "" : reason, details);
        }
        StoredTransaction own =
                stored.orElseThrow(() -> new RpcException(NodeError.UNKNOWN_HASH, "Transaction hash not found"));
        return status(own.state().shown(), own.failureReason(), details);
    }

    /** A plain text, as ever, but where that would hide that a transaction was undone. */
    private static CompletionStage<JsonNode> status(String status, String reason, boolean details) {
        boolean reverted = status.equals("ACCEPTED_ON_L2") && !reason.isEmpty();
        if (!details && !reverted) {
            return TransactionJson.answer(JsonNodeFactory.instance.stringNode(status));
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("status", status);
        answer.put("execution_status", TransactionJson.execution(status, reason));
        answer.put("failure_reason", reason);
        return TransactionJson.answer(answer);
    }
}
