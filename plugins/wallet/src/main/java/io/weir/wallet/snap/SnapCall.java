package io.weir.wallet.snap;

import io.weir.api.MethodCall;
import io.weir.wallet.approval.Content.Origin;
import io.weir.wallet.chain.L2Network;

/**
 * One call of a wallet's method. Thread-safe.
 *
 * @param method the method's name without its prefix
 * @param network the network that it is about, which the caller may use
 * @param host the call as it came to the proxy
 */
public record SnapCall(String method, Arguments arguments, L2Network network, MethodCall host) {

    /** Returns the owner of the accounts: the name of the caller's API key. */
    public String tenant() {
        return host.caller().name();
    }

    /** Returns the caller and the request, as the approver sees them. */
    public Origin origin() {
        return new Origin(tenant(), method, network);
    }
}
