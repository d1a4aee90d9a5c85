package io.weir.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.metrics.OutOfMemory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * API keys by the SHA-256 of their text. The first bytes of the digest find the only candidate. The whole digests are
 * then compared in constant time. An attacker could thus learn from the time about a digest only, never about a key.
 * Immutable and thread-safe.
 */
public final class HashedKeyRing implements KeyRing {

    private static final byte[] NO_DIGEST = new byte[32];

    private final AccessConfig config;
    private final KeyAccounts accounts;
    private final Map<Long, Entry> keys;
    private final @Nullable AnonymousCallers anonymous;
    private final List<SharedRateGate> sharedRates;

    private record Entry(byte[] sha256, Caller caller) {}

    private HashedKeyRing(
            AccessConfig config, KeyAccounts accounts, Map<Long, Entry> keys, @Nullable AnonymousCallers anonymous) {
        this.config = config;
        this.accounts = accounts;
        this.keys = Map.copyOf(keys);
        this.anonymous = anonymous;
        Stream<Caller> callers = this.keys.values().stream().map(Entry::caller);
        this.sharedRates = Stream.concat(callers, Stream.ofNullable(anonymous == null ? null : anonymous.all()))
                .flatMap(caller -> caller.rate() instanceof SharedRateGate rate ? Stream.of(rate) : Stream.empty())
                .toList();
    }

    public static HashedKeyRing of(AccessConfig config, KeyAccounts accounts) {
        Map<Long, Entry> keys = new HashMap<>();
        config.keys().forEach((name, key) -> put(keys, new Entry(digest(key), caller(name, key, accounts))));
        return new HashedKeyRing(config, accounts, keys, config.anonymous() ? anonymous(config, accounts) : null);
    }

    private static AnonymousCallers anonymous(AccessConfig config, KeyAccounts accounts) {
        RateConfig rate = config.addressRate().callsPerSecond() == 0 ? config.anonymousRate() : config.addressRate();
        Caller all = new Caller(
                Caller.ANONYMOUS,
                Caller.Rights.EVERYTHING,
                accounts.gate(Caller.ANONYMOUS, config.anonymousRate()),
                accounts.bounds(Caller.ANONYMOUS, BoundConfig.NONE, rate.costs()),
                accounts.of(Caller.ANONYMOUS));
        return new AnonymousCallers(all, config.addressRate());
    }

    /** Returns the keys of the next configuration. A key that did not change keeps what is left of its rate. */
    public HashedKeyRing next(AccessConfig next) {
        HashedKeyRing anew = of(next, accounts);
        Map<Long, Entry> merged = new HashMap<>(anew.keys);
        next.keys().forEach((name, key) -> {
            Entry known = keys.get(prefix(digest(key)));
            if (known != null && key.equals(config.keys().get(name))) {
                put(merged, known);
            }
        });
        boolean sameAnonymous = next.anonymous()
                && config.anonymous()
                && next.anonymousRate().equals(config.anonymousRate())
                && next.addressRate().equals(config.addressRate());
        return new HashedKeyRing(next, accounts, merged, sameAnonymous ? anonymous : anew.anonymous);
    }

    private static void put(Map<Long, Entry> keys, Entry entry) {
        keys.put(prefix(entry.sha256()), entry);
    }

    private static byte[] digest(KeyConfig key) {
        return HexFormat.of().parseHex(key.sha256());
    }

    private static Caller caller(String name, KeyConfig key, KeyAccounts accounts) {
        return new Caller(
                name,
                new Caller.Rights(
                        key.networks(), key.methods(), key.cacheBypass(), key.unprovenLogs() == Unverifiable.REFUSE),
                accounts.gate(name, key.rate()),
                accounts.bounds(name, key.bounds(), key.rate().costs()),
                accounts.of(name));
    }

    @Override
    public @Nullable Caller find(String key) {
        byte[] digest = sha256(key.getBytes(StandardCharsets.UTF_8));
        Entry entry = keys.get(prefix(digest));
        boolean same = MessageDigest.isEqual(digest, entry == null ? NO_DIGEST : entry.sha256());
        return same && entry != null ? entry.caller() : null;
    }

    @Override
    public @Nullable Caller anonymous(@Nullable InetAddress client) {
        return anonymous == null ? null : anonymous.of(client);
    }

    @Override
    public List<SharedRateGate> sharedRates() {
        return sharedRates;
    }

    private static long prefix(byte[] digest) {
        return ByteBuffer.wrap(digest).getLong();
    }

    /** Returns the SHA-256 of a content. */
    public static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this Java", e);
        }
    }

    /** The callers without a key: one for all, or one for each client's network if networks have a rate. Thread-safe. */
    private static final class AnonymousCallers {

        private static final int MAX_ADDRESSES = 100_000;

        private final Caller all;
        private final RateConfig rate;
        private final Cache<Object, Caller> callers = Caffeine.newBuilder()
                .maximumSize(MAX_ADDRESSES)
                .executor(OutOfMemory::run)
                .build();

        /** @param rate of each address */
        AnonymousCallers(Caller all, RateConfig rate) {
            this.all = all;
            this.rate = rate;
        }

        Caller all() {
            return all;
        }

        Caller of(@Nullable InetAddress client) {
            return rate.callsPerSecond() == 0 ? all : callers.get(all.holder(client), network -> limited());
        }

        private Caller limited() {
            BucketRateGate own = BucketRateGate.of(rate);
            RateGate gate = own == null ? all.rate() : new AddressGate(own, all.rate());
            return new Caller(all.name(), all.rights(), gate, all.bounds(), all.account());
        }

        /** The rate of one address within that of all. Thread-safe. */
        private record AddressGate(
                BucketRateGate own, @Nullable RateGate all) implements RateGate {

            @Override
            public boolean weighted() {
                return own.weighted();
            }

            @Override
            public long perSecond() {
                return own.perSecond();
            }

            @Override
            public long admit(long units) {
                long wait = own.admit(units);
                if (wait > 0 || all == null) {
                    return wait;
                }
                long others = all.admit(units);
                if (others > 0) {
                    own.giveBack(units);
                }
                return others;
            }

            @Override
            public void giveBack(long units) {
                own.giveBack(units);
                if (all != null) {
                    all.giveBack(units);
                }
            }

            @Override
            public void charge(long units) {
                own.charge(units);
                if (all != null) {
                    all.charge(units);
                }
            }
        }
    }
}
