package io.weir.wallet.state;

/** What kind of transaction it is. */
public enum TransactionType {
    /** Calls of an account. */
    INVOKE,
    /** An account's own deployment. */
    DEPLOY_ACCOUNT
}
