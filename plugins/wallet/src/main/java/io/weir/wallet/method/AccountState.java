package io.weir.wallet.method;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.transaction.ContractCall;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.NodeError;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The network's state of accounts: whether they exist, as which contract, and with which owner. Thread-safe; blocks. */
record AccountState(L2Client client, AccountKinds kinds) {
    private static final Pattern VERSION = Pattern.compile("[0-9]+\\.([0-9]{1,4})\\..*");
    private static final int LEAST_MINOR = 3;
    private static final Set<Integer> NO_ANSWER =
            Set.of(NodeError.CONTRACT_NOT_FOUND, NodeError.ENTRYPOINT_NOT_FOUND, NodeError.CONTRACT_ERROR);

    /** The kind that an account is now, which an upgrade may have changed; nothing where it is not deployed. */
    Optional<AccountKind> kindNow(WalletAccount account) {
        return kinds.now(client, account);
    }

    /** Whether a deployed account's contract is too old to send transactions from. */
    boolean mustUpgrade(WalletAccount account, AccountKind now) {
        if (now.versionGetter().isEmpty()) {
            return false;
        }
        Optional<List<Felt>> answer =
                callIfThere(account.network(), ContractCall.of(account.address(), now.versionGetter(), List.of()));
        Matcher version = VERSION.matcher(answer.filter(felts -> !felts.isEmpty())
                .map(felts -> ShortString.decode(felts.get(0)))
                .orElse(""));
        return version.matches() && Integer.parseInt(version.group(1)) < LEAST_MINOR;
    }

    /** The public key that a deployed account obeys; 0 where it does not tell. */
    Felt owner(WalletAccount account, AccountKind now) {
        for (String getter : now.ownerGetters()) {
            Optional<List<Felt>> answer =
                    callIfThere(account.network(), ContractCall.of(account.address(), getter, List.of()));
            if (answer.isPresent() && !answer.get().isEmpty()) {
                return answer.get().get(0);
            }
        }
        return Felt.ZERO;
    }

    /** Returns a function's answer; nothing if the contract or function does not exist, or if it fails. */
    Optional<List<Felt>> callIfThere(L2Network network, ContractCall call) {
        try {
            return Optional.of(client.call(network, call));
        } catch (RpcException e) {
            if (NO_ANSWER.contains(e.code())) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
