package io.weir.devnet.execution;

import org.jspecify.annotations.Nullable;

/** The functions of the {@link Token}. Immutable. */
enum TokenFunction {
    NAME("name()", 0),
    SYMBOL("symbol()", 0),
    DECIMALS("decimals()", 0),
    TOTAL_SUPPLY("totalSupply()", 0),
    BALANCE_OF("balanceOf(address)", 1),
    ALLOWANCE("allowance(address,address)", 2),
    TRANSFER("transfer(address,uint256)", 2),
    APPROVE("approve(address,uint256)", 2),
    TRANSFER_FROM("transferFrom(address,address,uint256)", 3);

    private final int selector;
    private final int parameters;

    TokenFunction(String signature, int parameters) {
        selector = Abi.selector(signature);
        this.parameters = parameters;
    }

    /** The first four bytes of a call's data. */
    int selector() {
        return selector;
    }

    /** How many words of parameters it takes. */
    int parameters() {
        return parameters;
    }

    static @Nullable TokenFunction of(int selector) {
        for (TokenFunction function : values()) {
            if (function.selector == selector) {
                return function;
            }
        }
        return null;
    }
}
