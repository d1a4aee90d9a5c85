package io.weir.l2.transaction;

import io.weir.l2.Felt;
import io.weir.l2.hash.Selector;
import java.util.List;

/** One call of a contract's function. Immutable. */
public record ContractCall(Felt contract, Felt selector, List<Felt> calldata) {
    public ContractCall {
        calldata = List.copyOf(calldata);
    }

    /** A call of a function by its name. */
    public static ContractCall of(Felt contract, String function, List<Felt> calldata) {
        return new ContractCall(contract, Selector.of(function), calldata);
    }
}
