package io.weir.wallet.approval;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Decides on requests that need approval, by the tenant's policy or by a person. A request that waits for a person holds no
 * thread. Thread-safe.
 */
public interface Approvals {

    /** How long a person is given to decide. */
    Duration timeout();

    /** Whether a tenant's messages may be signed that name no chain, and so are good on every one. */
    boolean signsWithoutChain(String tenant);

    /**
     * Asks whether what a request asks for may be done. The stage may be completed on any thread; what blocks goes elsewhere. It fails with
     * an {@link io.weir.api.RpcException} where nothing more can be parked.
     *
     * @param patience how long the caller can wait: {@link #timeout}, or what is left of it
     */
    CompletionStage<Decision> ask(Request request, Content content, Duration patience);

    /**
     * Counts something that is about to be signed though no policy was asked, in the sums of the tenant's day. Blocks on the disk.
     *
     * @throws io.weir.api.RpcException when it cannot be counted: then it may not be signed
     */
    void charge(Content content);

    /** Takes back a request that waits. Returns whether it waited: otherwise it was decided on, or never asked for. */
    boolean withdraw(String id);

    /**
     * Asks whether a private key may be shown, and shows it, once, to the person who approves it: no policy can. The stage is
     * completed like that of {@link #ask}; approved means that the key was shown.
     */
    CompletionStage<Decision> reveal(Request request, Content.Key content, KeySource key, Duration patience);

    /** Opens a private key at the moment at which it is shown. Thread-safe; may block. */
    interface KeySource {
        /**
         * The 32 bytes of the key; a new array each time: whoever asks wipes it.
         *
         * @throws Exception when the key is not to be had; the text holds no secret
         */
        byte[] open() throws Exception;
    }
}
