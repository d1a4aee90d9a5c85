package io.weir.wallet.state;

/** The kinds of transactions. */
public enum TransactionType {
    /** Calls of an account. */
    INVOKE,
    /** An account's own deployment. */
    DEPLOY_ACCOUNT
}
