package io.weir.transport.request;

import io.weir.access.Caller;
import io.weir.access.KeyRefusal;
import io.weir.access.KeyRing;
import io.weir.network.Generation;
import io.weir.network.Network;
import org.jspecify.annotations.Nullable;

/** The decision whether a request is accepted: its caller and network, or the reason for its rejection. Immutable. */
public sealed interface Admission permits Admission.Granted, Rejection {

    /**
     * The request is accepted. Immutable.
     *
     * @param holder who shares the bytes and calls in flight with others; see {@link Caller#holder}
     */
    record Granted(Network network, Caller caller, Object holder) implements Admission {

        /** Returns the same by another caller of the same holder. */
        public Granted by(Caller other) {
            return new Granted(network, other, holder);
        }

        /** Returns the same on another network. */
        public Granted on(Network other) {
            return new Granted(other, caller, holder);
        }
    }

    /**
     * Decides by key and network. The key comes first, so that a client without one learns nothing of the networks.
     */
    static Admission decide(Generation generation, RequestTarget target, RequestSource source) {
        Caller caller = caller(generation.keys(), target, source);
        if (caller == null) {
            String key = target.key();
            return new Rejection(Rejection.Reason.KEY, key == null || key.isEmpty() ? "no api key" : "invalid api key");
        }
        KeyRefusal refusal = caller.bounds().refusal(source.origins(), source.client());
        if (refusal != null) {
            caller.account().refused(refusal);
            return rejection(refusal);
        }
        String name = target.network();
        Network network = name == null ? generation.networkForHost(source.host()) : generation.network(name);
        if (network == null) {
            return new Rejection(Rejection.Reason.NETWORK, "no such network");
        }
        if (!caller.mayUse(network.id())) {
            caller.account().refused(KeyRefusal.NETWORK);
            return new Rejection(Rejection.Reason.PERMISSION, "network not permitted");
        }
        return new Granted(network, caller, caller.holder(source.client()));
    }

    private static Rejection rejection(KeyRefusal refusal) {
        return switch (refusal) {
            case EXPIRED -> new Rejection(Rejection.Reason.KEY_EXPIRED, "this api key has expired");
            case CLIENT ->
                new Rejection(Rejection.Reason.KEY_CLIENT, "this api key may not be used from the client's address");
            case ORIGIN ->
                new Rejection(
                        Rejection.Reason.KEY_ORIGIN,
                        "Origin: none of this api key's pages (expected: one of its origins)");
            default -> throw new IllegalArgumentException("refusal: " + refusal + " (expected: one of a request)");
        };
    }

    private static @Nullable Caller caller(KeyRing keys, RequestTarget target, RequestSource source) {
        if (!target.keyed()) {
            return keys.anonymous(source.client());
        }
        String key = target.key();
        return key == null ? null : keys.find(key);
    }
}
