package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.hash.Selector;
import io.weir.l2.transaction.ExecuteCalldata;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2History;
import io.weir.wallet.chain.L2History.Found;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.StoredTransaction.Approval;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Completes the history of an account by what the chain has of it: the events of the account, and the transfers by which it paid its
 * fees. What cannot be read is left out. Thread-safe; blocks.
 */
public final class HistoryCompletion {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryCompletion.class);
    private static final Felt TRANSFER = Selector.of("Transfer");
    private static final int MAX_CHUNKS = 5;
    private static final int MAX_ADDED = 50;

    private final L2Client client;
    private final L2History history;
    private final TransactionTable transactions;
    private final Felt feeToken;

    public HistoryCompletion(L2Client client, TransactionTable transactions, Felt feeToken) {
        this.client = client;
        this.history = new L2History(client);
        this.transactions = transactions;
        this.feeToken = feeToken;
    }

    /** Stores what the chain has of an account since a time and the wallet does not, fifty transactions at most. */
    public void complete(String tenant, L2Network network, Felt account, Instant since) {
        try {
            long from = firstBlockSince(network, since);
            Map<Felt, Long> found = new LinkedHashMap<>(
                    history.eventsOf(network, feeToken, List.of(TRANSFER, account), from, MAX_CHUNKS));
            found.putAll(history.eventsOf(network, account, List.of(), from, MAX_CHUNKS));
            List<Map.Entry<Felt, Long>> newest = new ArrayList<>(found.entrySet());
            newest.removeIf(entry -> transactions.isStored(network.chainId(), entry.getKey()));
            newest.sort(Map.Entry.<Felt, Long>comparingByValue().reversed());
            for (Map.Entry<Felt, Long> entry : newest.subList(0, Math.min(newest.size(), MAX_ADDED))) {
                add(tenant, network, account, entry.getKey(), entry.getValue());
            }
        } catch (RpcException | IllegalArgumentException e) {
            LOG.debug("the history of {} cannot be completed: {}", account, e.getMessage());
        }
    }

    /** By halves: the times of blocks grow with their numbers. */
    private long firstBlockSince(L2Network network, Instant since) {
        long low = 0;
        long high = client.newestBlock(network);
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (history.timeOf(network, middle).isBefore(since)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void add(String tenant, L2Network network, Felt account, Felt hash, long block) {
        Found found = history.transaction(network, hash).orElse(null);
        if (found == null) {
            return;
        }
        JsonNode fields = found.transaction();
        boolean deploys = fields.path("type").asString("").equals("DEPLOY_ACCOUNT");
        String sender = deploys
                ? found.receipt().path("contract_address").asString("0x0")
                : fields.path("sender_address").asString("0x0");
        if (!Felt.parseHex(sender).equals(account)) {
            return;
        }
        List<Felt> calldata = deploys ? List.of() : L2History.felts(fields.path("calldata"));
        String reverted = found.receipt().path("execution_status").asString("").equals("REVERTED")
                ? found.receipt().path("revert_reason").asString("the node gives no reason")
                : "";
        transactions.addFound(new StoredTransaction(
                tenant,
                network.chainId(),
                hash,
                deploys ? TransactionType.DEPLOY_ACCOUNT : TransactionType.INVOKE,
                account,
                Felt.parseHex(fields.path("nonce").asString("0x0"))
                        .toBigInteger()
                        .longValueExact(),
                calls(account, calldata),
                BigInteger.ZERO,
                "",
                TransactionState.ACCEPTED_ON_L2,
                reverted,
                history.timeOf(network, block),
                Approval.NONE));
    }

    /** Data of no known layout is shown as a call of the account itself. */
    private static List<NamedCall> calls(Felt account, List<Felt> calldata) {
        return ExecuteCalldata.read(calldata)
                .map(calls -> calls.stream()
                        .map(call ->
                                new NamedCall(call.contract(), call.selector().toHex(), call.calldata()))
                        .toList())
                .orElseGet(() -> List.of(new NamedCall(account, "", calldata)));
    }
}
