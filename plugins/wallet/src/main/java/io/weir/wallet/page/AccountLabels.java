package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names accounts by their owners and indexes, which a person recognises sooner than an address. Thread-safe; blocks. */
public record AccountLabels(AccountTable table) {
    private static final Logger LOG = LoggerFactory.getLogger(AccountLabels.class);

    /**
     * Returns a label like {@code account 3 of demo (usual)}; empty if the account is not stored.
     *
     * @param chainId the chain as it is shown
     */
    String of(String tenant, String chainId, Felt address) {
        try {
            return table.find(tenant, L2Networks.parse(chainId), address)
                    .map(account -> "account " + account.addressIndex() + " of " + account.tenant() + " ("
                            + account.kind() + ")")
                    .orElse("");
        } catch (StateException e) {
            LOG.warn("the page shows an account without its label: {}", e.getMessage());
            return "";
        }
    }
}
