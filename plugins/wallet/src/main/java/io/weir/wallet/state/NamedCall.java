package io.weir.wallet.state;

import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractCall;
import java.util.List;

/**
 * One call of a contract by an account, with the name of its function. Immutable.
 *
 * @param contract the contract; the account itself where it is deployed
 * @param function its name, or its selector in hex where only the chain has told it
 */
public record NamedCall(Felt contract, String function, List<Felt> calldata) {
    public NamedCall {
        calldata = List.copyOf(calldata);
    }

    /** Returns it as contracts know calls. */
    public ContractCall toCall() {
        return ContractCall.of(contract, function, calldata);
    }
}
