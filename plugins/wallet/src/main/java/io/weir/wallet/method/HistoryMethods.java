package io.weir.wallet.method;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.send.StatusPoller;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code getTransactions} and {@code getTransactionStatus}. Thread-safe; blocks. */
final class HistoryMethods {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryMethods.class);
    private static final List<Integer> PAGE_SIZES = List.of(10, 25, 50);
    private static final int DEFAULT_DAYS = 5;
    private static final int MAX_DAYS = 36_500;

    private final TransactionTable transactions;
    private final L2Client client;
    private final StatusPoller poller;
    private final InstantSource clock;

    HistoryMethods(TransactionTable transactions, L2Client client, StatusPoller poller, InstantSource clock) {
        this.transactions = transactions;
        this.client = client;
        this.poller = poller;
        this.clock = clock;
    }

    CompletionStage<JsonNode> getTransactions(SnapCall call) {
        Felt sender = call.arguments().address("senderAddress");
        Optional<Felt> contract = call.arguments().optionalAddress("contractAddress");
        call.arguments().choice("pageSize", PAGE_SIZES.get(0), PAGE_SIZES);
        int days = call.arguments().integer("txnsInLastNumOfDays", DEFAULT_DAYS, 1, MAX_DAYS);
        boolean withDeployment = call.arguments().flag("withDeployTxn");
        if (!call.arguments().flag("onlyFromState")) {
            refresh(call, sender);
        }
        Instant since = clock.instant().minus(Duration.ofDays(days));
        List<StoredTransaction> all =
                transactions.shown(call.tenant(), call.network().chainId(), sender, Instant.EPOCH);
        Stream<StoredTransaction> shown = all.stream()
                .filter(transaction -> transaction.type() == TransactionType.DEPLOY_ACCOUNT
                        ? withDeployment
                        : !transaction.created().isBefore(since)
                                && contract.map(transaction.contract()::equals).orElse(true));
        return TransactionJson.answer(TransactionJson.list(shown.toList()));
    }

    /** An error leaves a record as it is: what is known is shown all the same. */
    private void refresh(SnapCall call, Felt sender) {
        transactions.shown(call.tenant(), call.network().chainId(), sender, Instant.EPOCH).stream()
                .filter(transaction -> !transaction.state().isSettled())
                .limit(PAGE_SIZES.get(PAGE_SIZES.size() - 1))
                .forEach(transaction -> {
                    try {
                        poller.refresh(call.network(), transaction);
                    } catch (RpcException e) {
                        LOG.debug("transaction {} cannot be looked up: {}", transaction.hash(), e.getMessage());
                    }
                });
    }

    CompletionStage<JsonNode> getTransactionStatus(SnapCall call) {
        Felt hash = call.arguments().hash("transactionHash");
        Optional<StoredTransaction> stored = transactions
                .find(call.tenant(), call.network().chainId(), hash)
                .filter(transaction -> transaction.state() != TransactionState.PREPARED);
        if (stored.isPresent() && stored.get().state().isSettled()) {
            return status(stored.get().state().name());
        }
        Optional<NetworkStatus> known = client.status(call.network(), hash);
        String status = known.map(answer -> answer.stage().name())
                .or(() -> stored.map(transaction -> transaction.state().name()))
                .orElseThrow(() -> new RpcException(NodeError.UNKNOWN_HASH, "Transaction hash not found"));
        return status(status);
    }

    private static CompletionStage<JsonNode> status(String status) {
        return TransactionJson.answer(JsonNodeFactory.instance.stringNode(status));
    }
}
