package io.weir.wallet.approval;

/** Keeps who decided what on which request. Thread-safe. */
public interface DecisionLog {

    /** The party that ended a request. */
    enum By {
        APPROVER,
        POLICY,
        /** All callers have gone, or joined an equal request. */
        CALLER,
        /** Nobody decided in time. */
        TIMEOUT,
        /** The proxy stops, or something in it failed. */
        PROXY
    }

    /**
     * Notes an approval, before anything is done. Blocks until it is on the disk.
     *
     * @param detail the rule of the policy, or empty
     * @throws io.weir.api.RpcException when it cannot be kept: nothing may be signed or shown
     */
    void approved(ApprovalRequest request, Asker asker, By by, String detail);

    /** Notes that an approved request could not be carried out. Does not block, and does not fail. */
    void failed(ApprovalRequest request, Asker asker, String why);

    /** Notes any other end. Does not block, and does not fail. */
    void ended(ApprovalRequest request, Asker asker, Decision decision, By by, String detail);
}
