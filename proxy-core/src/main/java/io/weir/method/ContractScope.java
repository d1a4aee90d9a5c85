package io.weir.method;

/** The contracts that a method's calls may reach, for keys that are bound to some contracts. */
public enum ContractScope {
    /** Any contract, whatever the parameters are: such keys may not use the method. */
    ANY,
    /** None in particular: the method is about the chain, about blocks, about single transactions, or about the caller's own filters. */
    NONE,
    /** The account that the first parameter names. */
    ADDRESS,
    /** The account that the call object in the first parameter is sent to. */
    CALL,
    /** The accounts whose logs the filter in the first parameter selects. */
    LOGS,
    /** As for logs, if the subscription is for logs; none for new heads; any for the others. */
    SUBSCRIPTION,
    /** The account that the signed transaction in the first parameter is sent to. */
    SIGNED
}
