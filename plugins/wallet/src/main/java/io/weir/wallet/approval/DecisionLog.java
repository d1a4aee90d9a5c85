package io.weir.wallet.approval;

import org.jspecify.annotations.Nullable;

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
     * The party that ended a request, and by which right. Immutable.
     *
     * @param detail the setting of the policy, or the cause; may be empty
     * @param approver the name of the person, if it was one
     */
    record Decider(By by, String detail, @Nullable String approver) {

        /** A party that is no person. */
        public static Decider of(By by, String detail) {
            return new Decider(by, detail, null);
        }

        /** A person. */
        public static Decider person(String approver) {
            return new Decider(By.APPROVER, "", approver);
        }
    }

    /**
     * Notes an approval, before anything is done. Blocks until it is on the disk.
     *
     * @throws io.weir.api.RpcException when it cannot be kept: nothing may be signed or shown
     */
    void approved(Request request, Decider decider);

    /**
     * Notes that a person approves a request that others must approve too. Blocks until it is on the disk.
     *
     * @param votes with this one
     * @throws io.weir.api.RpcException when it cannot be kept: the approval does not count
     */
    void endorsed(Request request, String approver, Votes votes);

    /** Notes that an approved request could not be carried out. Does not block, and does not fail. */
    void failed(Request request, String why);

    /** Notes any other end. Does not fail, and blocks only for a person's refusal, which is on the disk before the person learns of it. */
    void ended(Request request, Decision decision, Decider decider);
}
