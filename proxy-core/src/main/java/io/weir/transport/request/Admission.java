package io.weir.transport.request;

import io.weir.access.Caller;
import io.weir.access.KeyRing;
import io.weir.network.Generation;
import io.weir.network.Network;
import org.jspecify.annotations.Nullable;

/** The decision whether a request is accepted: its caller and network, or the reason for its rejection. Immutable. */
public sealed interface Admission permits Admission.Granted, Rejection {

    /** The request is accepted. Immutable. */
    record Granted(Network network, Caller caller) implements Admission {}

    /**
     * Decides by key and network. The key comes first, so that a client without one learns nothing of the networks.
     *
     * @param host the Host header's value, or null
     */
    static Admission decide(Generation generation, RequestTarget target, @Nullable String host) {
        Caller caller = caller(generation.keys(), target);
        if (caller == null) {
            return new Rejection(Rejection.Reason.KEY, "invalid api key");
        }
        String name = target.network();
        Network network = name == null ? generation.networkForHost(host) : generation.network(name);
        if (network == null) {
            return new Rejection(Rejection.Reason.NETWORK, "no such network");
        }
        if (!caller.mayUse(network.id())) {
            return new Rejection(Rejection.Reason.PERMISSION, "network not permitted");
        }
        return new Granted(network, caller);
    }

    private static @Nullable Caller caller(KeyRing keys, RequestTarget target) {
        if (!target.keyed()) {
            return keys.anonymous();
        }
        String key = target.key();
        return key == null ? null : keys.find(key);
    }
}
