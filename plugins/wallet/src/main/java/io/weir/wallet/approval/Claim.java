package io.weir.wallet.approval;

/** A person's one decision on a request: whoever has it, and nobody else, ends the request, and must. Confined to one thread. */
public interface Claim {

    /** Returns the request to decide on. */
    ParkedRequest parked();

    /**
     * Notes that the person approves, before anything is signed or shown. Blocks.
     *
     * @throws io.weir.api.RpcException when it cannot be noted: the request has failed, and the decision with it
     */
    void record();

    /** The private key to show, 32 bytes: whoever asks wipes it. To be asked where the request is for a key alone. */
    byte[] openKey() throws Exception;

    /** Ends it: it may be done, or the key is shown. Does what {@link #record} does if that was not done. */
    void approve();

    /** Ends it: it may not. */
    void refuse();

    /** Ends it: the key is not to be had. */
    void fail();
}
