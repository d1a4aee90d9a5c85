package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.Caller;
import io.weir.access.HashedKeyRing;
import io.weir.access.KeyAccounts;
import io.weir.access.RateGate;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.jsonrpc.NetworkId;
import io.weir.metrics.Meters;
import io.weir.upstream.budget.UnitLedger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Finds a request's key and its rights, and takes from its rate. There are 128 keys. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AccessBench {

    private static final int KEYS = 128;
    private static final NetworkId NETWORK = new NetworkId("mainnet");
    private static final String[] ALLOWED = {"eth_call", "eth_getBalance", "eth_getLogs", "net_version"};
    private static final String[] FORBIDDEN = {"debug_traceCall", "trace_block", "admin_peers", "wallet_sign"};

    /** So many that no run takes them all. */
    private static final RateConfig WIDE = new RateConfig(1_000_000_000, 1_000_000_000, false);

    /** So few that all but one call are refused. */
    private static final RateConfig NARROW = new RateConfig(1, 1, false);

    private final String[] keys = new String[KEYS];
    private final String[] strangers = new String[KEYS];
    private final HashedKeyRing ring;
    private final Caller[] callers = new Caller[KEYS];
    private final RateGate wide;
    private final RateGate narrow;
    private int next;

    public AccessBench() {
        Map<String, KeyConfig> configured = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "key-of-application-number-" + i;
            strangers[i] = "key-of-nobody-at-all-number-" + i;
            configured.put("application" + i, key(keys[i], i == 0 ? NARROW : WIDE));
        }
        ring = HashedKeyRing.of(
                new AccessConfig(false, NARROW, configured),
                new KeyAccounts(new Meters(new MetricRegistry()), UnitLedger.inMemory(System::currentTimeMillis)));
        for (int i = 0; i < KEYS; i++) {
            callers[i] = caller(i);
        }
        narrow = requireNonNull(callers[0].rate());
        wide = requireNonNull(callers[1].rate());
    }

    private static KeyConfig key(String text, RateConfig rate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return new KeyConfig(
                    HexFormat.of().formatHex(digest),
                    Set.of("mainnet", "sepolia"),
                    Set.of("eth_*", "net_version"),
                    false,
                    Unverifiable.PASS,
                    rate,
                    BoundConfig.NONE);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Caller caller(int index) {
        return requireNonNull(ring.find(keys[index]), keys[index]);
    }

    /** Fails at once where something else would be measured than is said. */
    @Setup
    public void check() {
        narrow.admit(1);
        require(allowed() && !refused() && unknownKey() == null && allowedMethod() && !refusedMethod());
        require(rateTaken() == 0 && rateUsedUp() > 0);
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalStateException("a right or a rate is not what it should be");
        }
    }

    /** From the key's text: its caller, who may use the network and the method. */
    @Benchmark
    public boolean allowed() {
        return mayCall(ALLOWED[turn() % ALLOWED.length]);
    }

    /** The same, where the key may not use the method. */
    @Benchmark
    public boolean refused() {
        return mayCall(FORBIDDEN[turn() % FORBIDDEN.length]);
    }

    /** A key that nobody has. */
    @Benchmark
    public @Nullable Caller unknownKey() {
        return ring.find(strangers[turn()]);
    }

    /** A caller who is known already, as on a connection's later requests, and may call the method. */
    @Benchmark
    public boolean allowedMethod() {
        return callers[turn()].mayCall(ALLOWED[next % ALLOWED.length]);
    }

    /** The same, where he may not. */
    @Benchmark
    public boolean refusedMethod() {
        return callers[turn()].mayCall(FORBIDDEN[next % FORBIDDEN.length]);
    }

    /** One call taken from a key's rate. */
    @Benchmark
    public long rateTaken() {
        return wide.admit(1);
    }

    /** The same, where none is left. */
    @Benchmark
    public long rateUsedUp() {
        return narrow.admit(1);
    }

    private boolean mayCall(String method) {
        Caller caller = caller(next);
        return caller.mayUse(NETWORK) && caller.mayCall(method);
    }

    private int turn() {
        next = (next + 1) % KEYS;
        return next;
    }
}
