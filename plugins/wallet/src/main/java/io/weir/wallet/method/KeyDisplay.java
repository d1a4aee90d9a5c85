package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;

/** {@code displayPrivateKey}: the caller gets nothing; the key goes to whoever approves. Thread-safe; blocks. */
final class KeyDisplay {
    private final Accounts accounts;
    private final TenantKeys keys;
    private final Consent consent;

    KeyDisplay(Accounts accounts, TenantKeys keys, Consent consent) {
        this.accounts = accounts;
        this.keys = keys;
        this.consent = consent;
    }

    CompletionStage<JsonNode> displayPrivateKey(SnapCall call) {
        Arguments arguments = call.arguments();
        String name = !arguments.has("userAddress") && arguments.has("address") ? "address" : "userAddress";
        Felt address = arguments.address(name);
        WalletAccount account = accounts.require(call.tenant(), call.network(), address, Arguments.path(name));
        ApprovalRequest wanted = ApprovalRequest.ofKey(call.origin(), address);
        return consent.request(call, request -> consent.reveal(call, request, wanted, () -> keys.privateKey(account)));
    }
}
