package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.wallet.state.StoredAccount;
import java.util.Collection;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Accounts as wallets show them. Thread-safe. */
final class AccountJson {
    private static final String DERIVATION_PATH = "m / bip32:44' / bip32:9004' / bip32:0' / bip32:0";

    private AccountJson() {}

    static ArrayNode list(Collection<StoredAccount> accounts) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        accounts.forEach(account -> list.add(of(account)));
        return list;
    }

    private static ObjectNode of(StoredAccount account) {
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
