package io.weir.wallet.page;

import io.weir.l2.Felt;
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
        return of(request.tenant(), request.chainId(), request.account());
    }

    /** Returns the label of an account on a chain, which is given as it is shown. */
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
