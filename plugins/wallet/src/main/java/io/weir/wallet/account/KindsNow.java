package io.weir.wallet.account;

import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import java.util.Optional;

/** The kinds that accounts are on the chain, which an upgrade may have changed. Thread-safe; blocks. */
public record KindsNow(L2Client client, AccountKinds kinds) {

    /** Returns the kind of an account; nothing where it is not deployed. A class of no kind counts as that of new accounts. */
    public Optional<AccountKind> of(WalletAccount account) {
        L2Network network = account.network();
        return client.classHashAt(network, account.address())
                .map(classHash -> kinds.all(network.chainId()).stream()
                        .filter(kind -> kind.classHash().equals(classHash))
                        .findFirst()
                        .orElse(kinds.ofChain(network.chainId())));
    }
}
