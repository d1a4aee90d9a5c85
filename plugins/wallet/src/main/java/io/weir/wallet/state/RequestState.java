package io.weir.wallet.state;

/**
 * How far a request has come that needs approval. This is the state machine of the whole wallet:
 *
 * <pre>
 *                 ┌─► REFUSED      a person, or a policy
 *                 ├─► TIMED_OUT    nobody decided in time
 *                 ├─► WITHDRAWN    all its callers have gone, or the proxy stopped
 * WAITING ────────┤
 *                 ├─► FAILED       before anything was signed
 *                 └─► APPROVED ─┬─► COMPLETED   a message was signed, or a key shown
 *                               ├─► FAILED      before anything was signed
 *                               └─► SUBMITTING ─┬─► SUBMITTED   the network took the transaction
 *                                               └─► FAILED      the network refused it
 * </pre>
 *
 * <ul>
 *   <li>A request is approved at most once. Each approval has at most one signed transaction for each of its parts; the table of
 *       transactions enforces it ({@link StoredTransaction.Approval}).
 *   <li>A request is {@code SUBMITTING} as long as its transaction is {@link TransactionState#PREPARED}: the same bytes are given
 *       to the network again until it is known what became of them. No other transaction of the account is signed meanwhile.
 *   <li>Nothing is signed twice. What failed or was refused after it was signed needs a new request and a new approval.
 *   <li>A request that ended without a signature may be made again under its id. It then needs a new approval.
 *   <li>The sums of policies count an approved request when it is approved, thus at least what is signed.
 * </ul>
 */
public enum RequestState {
    /** It is being prepared, or waits for a decision. */
    WAITING,
    /** It may be done, and nothing is signed yet. */
    APPROVED,
    /** Its transaction is signed, and it is not known yet whether the network has it. */
    SUBMITTING,
    /** The network took its transaction. */
    SUBMITTED,
    /** It is done; no transaction was asked for. */
    COMPLETED,
    REFUSED,
    TIMED_OUT,
    WITHDRAWN,
    FAILED;

    /** Whether it has ended. */
    public boolean isEnded() {
        return this != WAITING && this != APPROVED && this != SUBMITTING;
    }
}
