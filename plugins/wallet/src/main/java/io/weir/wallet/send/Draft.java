package io.weir.wallet.send;

import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.transaction.TransactionFields;
import io.weir.l2.transaction.TransactionHash;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.Content;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.TransactionType;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The purpose of a transaction, before nonce, fee and signature. Immutable.
 *
 * @param layout how the calls are laid out: that of the contract that the account is now
 * @param calls what is called, in order, one at least; of a deployment, the constructor
 */
public record Draft(TransactionType type, WalletAccount account, AccountKind layout, List<NamedCall> calls) {
    public Draft {
        calls = List.copyOf(calls);
    }

    /** Calls by an account, which are carried out together or not at all. */
    public static Draft invocation(WalletAccount account, AccountKind layout, List<NamedCall> calls) {
        return new Draft(TransactionType.INVOKE, account, layout, calls);
    }

    /** The deployment of an account by itself. */
    public static Draft deployment(WalletAccount account) {
        List<Felt> calldata = account.kind().constructorCalldata(account.publicKey());
        NamedCall call = new NamedCall(account.address(), Content.CONSTRUCTOR, calldata);
        return new Draft(TransactionType.DEPLOY_ACCOUNT, account, account.kind(), List.of(call));
    }

    Felt hash(TransactionFields fields) {
        return type == TransactionType.INVOKE
                ? TransactionHash.ofInvoke(fields, account.address(), List.of(), executeCalldata())
                : TransactionHash.ofDeployAccount(
                        fields, account.kind().classHash(), account.publicKey(), constructorCalldata());
    }

    private List<Felt> executeCalldata() {
        return layout.layOut(calls.stream().map(NamedCall::toCall).toList());
    }

    private List<Felt> constructorCalldata() {
        return calls.get(0).calldata();
    }

    /** Adds what only this type of transaction has. */
    void writeOwn(ObjectNode json) {
        if (type == TransactionType.INVOKE) {
            json.put("type", "INVOKE");
            json.put("sender_address", account.address().toHex());
            json.set("calldata", FeltJson.hexes(executeCalldata()));
            json.putArray("account_deployment_data");
        } else {
            json.put("type", "DEPLOY_ACCOUNT");
            json.put("class_hash", account.kind().classHash().toHex());
            json.put("contract_address_salt", account.publicKey().toHex());
            json.set("constructor_calldata", FeltJson.hexes(constructorCalldata()));
        }
    }
}
