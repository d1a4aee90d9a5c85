package io.weir.access;

import io.weir.access.Caller.Rights;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Callers as tests need them. */
public final class TestCaller {

    /** A client of every network, without a rate, which may not go past the cache. */
    public static final Caller CLIENT = of("client", null);

    /** The same, which may go past the cache. */
    public static final Caller BYPASSER = of("client", rights(Set.of("*"), every(), true), null);

    private TestCaller() {}

    /**
     * Returns a client of every network that may call every method.
     *
     * @param rate null if there is no limit
     */
    public static Caller of(String name, @Nullable RateGate rate) {
        return of(name, Set.of("*"), rate);
    }

    /** Returns a client of these networks that may call every method. */
    public static Caller of(String name, Set<String> networks, @Nullable RateGate rate) {
        return of(name, rights(networks, every(), false), rate);
    }

    /** Returns a client that may call these methods. */
    public static Caller of(Set<String> methods, @Nullable RateGate rate, KeyAccount account) {
        return new Caller("test", rights(Set.of("*"), methods, false), rate, KeyBounds.NONE, account);
    }

    private static Caller of(String name, Rights rights, @Nullable RateGate rate) {
        return new Caller(name, rights, rate, KeyBounds.NONE, KeyAccount.NONE);
    }

    private static Rights rights(Set<String> networks, Set<String> methods, boolean cacheBypass) {
        return new Rights(networks, methods, cacheBypass, false);
    }

    /** Returns the rights to every method. */
    public static Set<String> every() {
        return Set.of("*", "wallet_*");
    }
}
