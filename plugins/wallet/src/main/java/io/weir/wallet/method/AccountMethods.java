package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StoredAccount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code getStoredUserAccounts}, {@code recoverAccounts} and {@code extractPublicKey}. Thread-safe; blocks. */
record AccountMethods(Accounts accounts, AccountTable table, AccountKinds kinds, AccountState state) {
    private static final String DERIVATION_PATH = "m / bip32:44' / bip32:9004' / bip32:0' / bip32:0";
    private static final int MAX_INDEX = Integer.MAX_VALUE;

    /** The accounts that one call may scan, each of which costs calls of the nodes. */
    private static final int MAX_SCANNED = 100;

    CompletionStage<JsonNode> getStoredUserAccounts(SnapCall call) {
        List<StoredAccount> initialised = table
                .all(call.tenant(), call.network().chainId())
                .stream()
                .filter(StoredAccount::isInitialised)
                .toList();
        return TransactionJson.answer(list(initialised));
    }

    CompletionStage<JsonNode> extractPublicKey(SnapCall call) {
        Felt address = call.arguments().address("userAddress");
        Felt stored = table.find(call.tenant(), call.network().chainId(), address)
                .map(StoredAccount::publicKey)
                .orElse(Felt.ZERO);
        Felt publicKey = stored.isZero()
                ? accounts.require(call.tenant(), call.network(), address, Arguments.path("userAddress"))
                        .publicKey()
                : stored;
        return TransactionJson.answer(JsonNodeFactory.instance.stringNode(publicKey.toPaddedHex()));
    }

    CompletionStage<JsonNode> recoverAccounts(SnapCall call) {
        int start = call.arguments().integer("startScanIndex", 0, 0, MAX_INDEX);
        int most = call.arguments().integer("maxScanned", 1, 1, MAX_SCANNED);
        int missable = call.arguments().integer("maxMissed", 1, 1, MAX_SCANNED);
        if ((long) start + most > MAX_INDEX) {
            throw SnapErrors.invalidParams(
                    Arguments.path("startScanIndex") + ": " + start + " (expected: below " + (MAX_INDEX - most) + ")");
        }
        List<StoredAccount> scanned = new ArrayList<>();
        int missed = 0;
        for (int index = start; index < start + most && missed < missable; index++) {
            StoredAccount account = look(call, index);
            missed += account.publicKey().isZero() ? 1 : 0;
            table.put(account);
            // With the deployment that is known already.
            scanned.add(table.find(account.tenant(), account.chainId(), account.address())
                    .orElse(account));
        }
        return TransactionJson.answer(list(scanned));
    }

    private StoredAccount look(SnapCall call, int index) {
        for (AccountKind kind : kinds.all(call.network().chainId())) {
            WalletAccount account = accounts.at(call.tenant(), call.network(), index, kind);
            Optional<AccountKind> now = state.kindNow(account);
            if (now.isPresent()) {
                Felt owner = state.owner(account, now.get());
                return account.stored(owner, Felt.ZERO, state.mustUpgrade(account, now.get()));
            }
        }
        return accounts.at(call.tenant(), call.network(), index).asked();
    }

    /** Accounts as wallets show them. */
    private static ArrayNode list(Collection<StoredAccount> accounts) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        accounts.forEach(account -> list.add(json(account)));
        return list;
    }

    private static ObjectNode json(StoredAccount account) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("addressSalt", account.addressSalt().toPaddedHex());
        json.put("publicKey", textOrEmpty(account.publicKey()));
        json.put("address", account.address().toPaddedHex());
        json.put("addressIndex", account.addressIndex());
        json.put("derivationPath", DERIVATION_PATH);
        json.put("deployTxnHash", textOrEmpty(account.deployHash()));
        json.put("chainId", account.chainId().toHex());
        json.put("upgradeRequired", account.upgradeRequired());
        json.put("deployRequired", account.deployRequired());
        return json;
    }

    private static String textOrEmpty(Felt felt) {
        return felt.isZero() ? "" : felt.toPaddedHex();
    }
}
