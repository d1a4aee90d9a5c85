package io.weir.wallet.approval;

/** A person's one decision on a request: whoever has it, and nobody else, ends the request, and must. Confined to one thread. */
public interface Claim {

    /** Returns the request to decide on. */
    ParkedRequest parked();

    /** The private key to show, 32 bytes: whoever asks wipes it. To be asked where the request is for a key alone. */
    byte[] openKey() throws Exception;

    /** Ends it: it may be done, or the key is shown. */
    void approve();

    /** Ends it: it may not. */
    void refuse();

    /** Ends it: the key is not to be had. */
    void fail();
}
