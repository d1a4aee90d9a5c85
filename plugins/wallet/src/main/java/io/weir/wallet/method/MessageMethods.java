package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.typed.TypedData;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.snap.SnapErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code signMessage} and {@code verifyMessage}. Thread-safe; blocks. */
final class MessageMethods {
    private static final String MESSAGE = "typedDataMessage";
    private static final String SIGNER = "signerAddress";
    private static final Felt VALID = ShortString.encode("VALID");

    private final Accounts accounts;
    private final TenantKeys keys;
    private final AccountState state;
    private final Consent consent;

    MessageMethods(Accounts accounts, TenantKeys keys, AccountState state, Consent consent) {
        this.accounts = accounts;
        this.keys = keys;
        this.state = state;
        this.consent = consent;
    }

    CompletionStage<JsonNode> signMessage(SnapCall call) {
        JsonNode message = call.arguments().json(MESSAGE);
        Felt signer = call.arguments().address(SIGNER);
        WalletAccount account = accounts.require(call.tenant(), call.network(), signer, Arguments.path(SIGNER));
        Felt hash = messageHash(message, signer);
        ApprovalRequest request = ApprovalRequest.ofMessage(call.origin(), signer, message);
        return consent.ask(call, request, () -> {
            Signature signature = keys.sign(account, hash);
            String text = signature.r().toBigInteger() + "," + signature.s().toBigInteger();
            return TransactionJson.answer(JsonNodeFactory.instance.stringNode(text));
        });
    }

    CompletionStage<JsonNode> verifyMessage(SnapCall call) {
        JsonNode message = call.arguments().json(MESSAGE);
        Felt signer = call.arguments().address(SIGNER);
        call.arguments().text("signature");
        List<Felt> signature = call.arguments().felts("signature");
        Felt hash = messageHash(message, signer);
        Optional<WalletAccount> own = accounts.find(call.tenant(), call.network(), signer);
        boolean valid = own.isPresent()
                ? isSignedBy(own.get(), hash, signature)
                : isValidOnChain(call, signer, hash, signature);
        return TransactionJson.answer(JsonNodeFactory.instance.booleanNode(valid));
    }

    private static boolean isSignedBy(WalletAccount account, Felt hash, List<Felt> signature) {
        return signature.size() == 2
                && StarkSigner.verify(hash, new Signature(signature.get(0), signature.get(1)), account.publicKey());
    }

    /** Contracts say {@code VALID}, older ones 1, or fail where it is not. */
    private boolean isValidOnChain(SnapCall call, Felt signer, Felt hash, List<Felt> signature) {
        List<Felt> calldata = new ArrayList<>(List.of(hash, Felt.of(signature.size())));
        calldata.addAll(signature);
        for (String function : List.of("is_valid_signature", "isValidSignature")) {
            Optional<List<Felt>> answer =
                    state.callIfThere(call.network(), ContractCall.of(signer, function, calldata));
            if (answer.isPresent()) {
                List<Felt> felts = answer.get();
                return felts.size() == 1
                        && (felts.get(0).equals(VALID) || felts.get(0).equals(Felt.ONE));
            }
        }
        return false;
    }

    private static Felt messageHash(JsonNode message, Felt signer) {
        try {
            return TypedData.of(message).messageHash(signer);
        } catch (IllegalArgumentException e) {
            throw SnapErrors.invalidParams(Arguments.path(MESSAGE) + ": " + e.getMessage());
        }
    }
}
