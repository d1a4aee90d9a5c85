package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.BlockRange;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.HistoryTable.Owner;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes the history of an account by what the chain has of it: the events of the account, and the transfers by which it paid its
 * fees. Each call searches some blocks, from the newest down; the next one goes on below. What cannot be read is left out.
 * Thread-safe; blocks.
 */
public record HistoryCompletion(L2Client client, HistoryTable history, Felt feeToken) {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryCompletion.class);
    /** A reorganisation may put other transactions into the newest blocks: they are searched each time. */
    private static final int UNCERTAIN = 10;

    /** Stores what the chain has of an account since a time and the wallet does not, some fifty transactions at most. */
    public void complete(Owner owner, L2Network network, Instant since) {
        try {
            long newest = client.newestBlock(network);
            BlockRange before =
                    history.searched(network.chainId(), owner.account()).orElse(new BlockRange(newest + 1, newest));
            HistorySearch search = new HistorySearch(client, history, feeToken, owner, network, since);
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
}
