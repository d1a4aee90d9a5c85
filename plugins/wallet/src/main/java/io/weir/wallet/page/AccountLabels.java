package io.weir.wallet.page;

import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names accounts by their owners and indexes, which a person recognises sooner than an address. Thread-safe; blocks. */
public final class AccountLabels {
    private static final Logger LOG = LoggerFactory.getLogger(AccountLabels.class);

    private final AccountTable table;

    public AccountLabels(AccountTable table) {
        this.table = table;
    }

    /** Returns a label like {@code account 3 of demo (usual)}; empty if the account is not stored. */
    String of(ApprovalRequest request) {
        try {
            return table.find(request.tenant(), L2Networks.parse(request.chainId()), request.account())
                    .map(account -> "account " + account.addressIndex() + " of " + account.tenant() + " ("
                            + account.kind() + ")")
                    .orElse("");
        } catch (StateException e) {
            LOG.warn("the page shows an account without its label: {}", e.getMessage());
            return "";
        }
    }
}
