package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.hash.Selector;
import io.weir.l2.transaction.ExecuteCalldata;
import io.weir.wallet.chain.BlockRange;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2History;
import io.weir.wallet.chain.L2History.Events;
import io.weir.wallet.chain.L2History.Found;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.HistoryTable.Owner;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.StoredTransaction.Approval;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionType;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Completes the history of an account by what the chain has of it: the events of the account, and the transfers by which it paid its
 * fees. Each call searches some blocks, from the newest down; the next one goes on below. What cannot be read is left out.
 * Thread-safe; blocks.
 */
public record HistoryCompletion(L2Client client, HistoryTable history, Felt feeToken) {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryCompletion.class);
    /** A reorganisation may put other transactions into the newest blocks: they are searched each time. */
    private static final int UNCERTAIN = 10;

    private static final Felt TRANSFER = Selector.of("Transfer");
    private static final int FIRST_WINDOW = 1024;
    private static final int MAX_QUESTIONS = 60;
    private static final int MAX_CHUNKS_OF_BLOCK = 5;
    private static final int MAX_ADDED = 50;

    /** Stores what the chain has of an account since a time and the wallet does not, some fifty transactions at most. */
    public void complete(Owner owner, L2Network network, Instant since) {
        try {
            long newest = client.newestBlock(network);
            BlockRange before =
                    history.searched(network.chainId(), owner.account()).orElse(new BlockRange(newest + 1, newest));
            Search search = new Search(owner, network, since);
            long lowest = search.down(newest, before.highest() + 1);
            if (lowest <= before.highest() + 1) {
                lowest = search.down(before.lowest() - 1, 0);
            }
            if (lowest <= newest) {
                long highest = Math.max(lowest, newest - UNCERTAIN);
                history.keepSearched(network.chainId(), owner.account(), new BlockRange(lowest, highest));
            }
        } catch (RpcException | IllegalArgumentException e) {
            LOG.debug("the history of {} cannot be completed: {}", owner.account(), e.getMessage());
        }
    }

    /**
     * One search for an account's transactions, in windows of blocks from above down. A window with more events than one answer holds
     * is halved; the next is doubled. The search ends after some questions or found transactions. Confined to one thread; blocks.
     */
    private final class Search {
        private final L2History chain = new L2History(client);
        private final Owner owner;
        private final L2Network network;
        private final Instant since;
        private int questions;
        private int added;

        Search(Owner owner, L2Network network, Instant since) {
            this.owner = owner;
            this.network = network;
            this.since = since;
        }

        /**
         * Searches blocks, from one down to another or to the first that is too old. Returns the lowest of the blocks that were
         * searched without a gap, or the number after the highest if there is none.
         */
        long down(long highest, long lowest) {
            long window = FIRST_WINDOW;
            long bottom = highest + 1;
            while (bottom > lowest && questions < MAX_QUESTIONS && added < MAX_ADDED && !isTooOld(bottom)) {
                BlockRange blocks = new BlockRange(Math.max(lowest, bottom - window), bottom - 1);
                Optional<Map<Felt, Long>> found = transactions(blocks);
                if (found.isPresent()) {
                    bottom = addAll(found.get(), blocks);
                    window *= 2;
                } else {
                    window = Math.max(1, (bottom - blocks.lowest()) / 2);
                }
            }
            return bottom;
        }

        /** The newest block may not be there yet; it is not too old. */
        private boolean isTooOld(long block) {
            questions++;
            try {
                return chain.timeOf(network, block).isBefore(since);
            } catch (RpcException e) {
                if (e.code() == NodeError.BLOCK_NOT_FOUND) {
                    return false;
                }
                throw e;
            }
        }

        /** Returns the transactions of a window, or nothing if there are too many for one answer. */
        private Optional<Map<Felt, Long>> transactions(BlockRange blocks) {
            boolean single = blocks.lowest() == blocks.highest();
            int chunks = single ? MAX_CHUNKS_OF_BLOCK : 1;
            try {
                questions++;
                Events fees = chain.eventsOf(network, feeToken, List.of(TRANSFER, owner.account()), blocks, chunks);
                if (!fees.isWhole() && !single) {
                    return Optional.empty();
                }
                questions++;
                Events own = chain.eventsOf(network, owner.account(), List.of(), blocks, chunks);
                Map<Felt, Long> found = new LinkedHashMap<>(fees.transactions());
                found.putAll(own.transactions());
                return own.isWhole() || single ? Optional.of(found) : Optional.empty();
            } catch (RpcException e) {
                if (single || !NodeError.isRefusal(e)) {
                    throw e;
                }
                return Optional.empty();
            }
        }

        /** Stores the transactions of a window, those of the newest blocks first. Returns the lowest block that has all of its own. */
        private long addAll(Map<Felt, Long> found, BlockRange blocks) {
            List<Map.Entry<Felt, Long>> newest = new ArrayList<>(found.entrySet());
            newest.removeIf(entry -> history.isStored(network.chainId(), entry.getKey()));
            newest.sort(Map.Entry.<Felt, Long>comparingByValue().reversed());
            for (Map.Entry<Felt, Long> entry : newest) {
                if (added == MAX_ADDED) {
                    return entry.getValue() + 1;
                }
                added++;
                add(entry.getKey(), entry.getValue());
            }
            return blocks.lowest();
        }

        private void add(Felt hash, long block) {
            Found found = chain.transaction(network, hash).orElse(null);
            if (found == null) {
                return;
            }
            JsonNode fields = found.transaction();
            boolean deploys = fields.path("type").asString("").equals("DEPLOY_ACCOUNT");
            String sender = deploys
                    ? found.receipt().path("contract_address").asString("0x0")
                    : fields.path("sender_address").asString("0x0");
            if (!Felt.parseHex(sender).equals(owner.account())) {
                return;
            }
            List<Felt> calldata = deploys ? List.of() : FeltJson.felts(fields.path("calldata"));
            String reverted =
                    found.receipt().path("execution_status").asString("").equals("REVERTED")
                            ? found.receipt().path("revert_reason").asString("the node gives no reason")
                            : "";
            history.addFound(new StoredTransaction(
                    owner.tenant(),
                    network.chainId(),
                    hash,
                    deploys ? TransactionType.DEPLOY_ACCOUNT : TransactionType.INVOKE,
                    owner.account(),
                    Felt.parseHex(fields.path("nonce").asString("0x0"))
                            .toBigInteger()
                            .longValueExact(),
                    calls(owner.account(), calldata),
                    BigInteger.ZERO,
                    "",
                    TransactionState.ACCEPTED_ON_L2,
                    reverted,
                    chain.timeOf(network, block),
                    Approval.NONE));
        }

        /** Data of no known layout is shown as a call of the account itself. */
        private static List<NamedCall> calls(Felt account, List<Felt> calldata) {
            return ExecuteCalldata.read(calldata)
                    .map(calls -> calls.stream()
                            .map(call -> new NamedCall(
                                    call.contract(), call.selector().toHex(), call.calldata()))
                            .toList())
                    .orElseGet(() -> List.of(new NamedCall(account, "", calldata)));
        }
    }
}
