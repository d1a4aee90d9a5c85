package io.weir.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.codahale.metrics.Counter;
import io.github.bucket4j.VerboseResult;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.access.SharedRateGate;
import io.weir.config.WeirConfig.SharingConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutOfMemory;
import io.weir.metrics.TransitionLog;
import io.weir.redis.RedisLink;
import io.weir.upstream.budget.DayUnits;
import io.weir.upstream.budget.DayUnits.OwnUse;
import io.weir.upstream.budget.UnitLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of what this proxy and others used of their shared limits. A thread of its own tells what changed, at an interval, and
 * waits for nothing. Between two reports, and while the others cannot be reached, each proxy decides by what it knows. Thread-safe.
 */
public final class SharedLimits implements AutoCloseable {

    /** The time between two reports: short beside the seconds of a burst, and few commands for Redis. */
    private static final long INTERVAL_MILLIS = 100;

    /** The most reports at once, fewer than commands may wait for a connection. */
    private static final int MAX_REPORTS = 1_000;

    private final LimitStore store;
    private final Supplier<List<SharedRateGate>> rates;
    private final UnitLedger ledger;
    private final ScheduledExecutorService timer;
    private final Counter told;
    private final Counter failed;
    /** Where the next round begins, so that none waits for ever. Confined to the timer. */
    private int start;

    /** @param rates those in force */
    SharedLimits(LimitStore store, Supplier<List<SharedRateGate>> rates, UnitLedger ledger, Meters meters) {
        this.store = store;
        this.rates = rates;
        this.ledger = ledger;
        this.told = meters.counter(Meter.SHARING_REPORTS, "told");
        this.failed = meters.counter(Meter.SHARING_REPORTS, "failed");
        meters.gauge(Meter.SHARING_UP, () -> store.isUp() ? 1 : 0);
        this.timer = Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("weir-sharing", true));
    }

    /** Starts the exchange, and does not wait for the Redis. */
    public static SharedLimits start(
            SharingConfig config, Supplier<List<SharedRateGate>> rates, UnitLedger ledger, Meters meters) {
        LimitStore store = new RedisLimitStore(config, ledger.proxy());
        SharedLimits limits = new SharedLimits(store, rates, ledger, meters);
        limits.timer.scheduleWithFixedDelay(
                () -> OutOfMemory.run(limits::round), 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        return limits;
    }

    /** Returns whether the others can be reached. */
    public boolean isUp() {
        return store.isUp();
    }

    public String state() {
        return store.state();
    }

    /** Tells once what changed. */
    void round() {
        boolean up = store.isUp();
        List<Supplier<Boolean>> reports = new ArrayList<>();
        for (SharedRateGate rate : rates.get()) {
            if (up) {
                rate.join();
                reports.add(() -> tell(rate));
            } else {
                rate.leave();
            }
        }
        ledger.forEach((name, units) -> {
            if (up) {
                units.join();
                reports.add(() -> tell(name, units));
            } else {
                units.leave();
            }
        });
        send(reports);
    }

    private void send(List<Supplier<Boolean>> reports) {
        int sent = 0;
        int size = reports.size();
        int at = size == 0 ? 0 : start % size;
        for (int i = 0; i < size && sent < MAX_REPORTS; i++) {
            if (reports.get(at).get()) {
                sent++;
            }
            at = (at + 1) % size;
        }
        start = at;
    }

    private boolean tell(SharedRateGate rate) {
        long units = rate.tell();
        if (units == 0) {
            return false;
        }
        store.take(rate, units, left -> {
            if (left == null) {
                failed.inc();
                rate.notTold(units);
            } else {
                told.inc();
                rate.told(left);
            }
        });
        return true;
    }

    private boolean tell(String name, DayUnits units) {
        if (!units.isUntold()) {
            return false;
        }
        OwnUse use = units.own();
        store.tell(name, use, known -> {
            if (known == null) {
                failed.inc();
            } else {
                told.inc();
                units.told(use, known.own(), known.others());
            }
        });
        return true;
    }

    /** Ends. The ledger keeps a day's units that were not told, and the next start tells them. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            timer.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }

    /**
     * Shared limits in a Redis or Valkey: buckets of Bucket4j, and for each count and day a hash of what each proxy used. Thread-safe.
     */
    private static final class RedisLimitStore implements LimitStore {

        /** Keeps the higher one, so that reports may be lost, repeated or late. Returns it, and the sum of all. */
        private static final String TELL = """
                local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '-1')
                if own < tonumber(ARGV[2]) then
                  own = tonumber(ARGV[2])
                  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
                  redis.call('EXPIRE', KEYS[1], ARGV[3])
                end
                local sum = 0
                for _, used in ipairs(redis.call('HVALS', KEYS[1])) do
                  sum = sum + tonumber(used)
                end
                return {own, sum}
                """;

        /** Longer than any two clocks differ. */
        private static final String SECONDS_OF_COUNT =
                Long.toString(Duration.ofDays(2).toSeconds());

        private static final Duration SPARE_LIFE_OF_BUCKET = Duration.ofMinutes(1);

        /** The time limit for a command or a connection: what is told later than after two reports is told again. */
        private static final long TIMEOUT_MILLIS = 250;

        private final RedisLink link;
        private final String prefix;
        private final byte[] proxy;
        private volatile @Nullable Buckets buckets;

        /** The buckets behind one connection. */
        private record Buckets(RedisAsyncCommands<byte[], byte[]> commands, AsyncProxyManager<byte[]> all) {}

        /** @param proxy the name of this proxy among all */
        RedisLimitStore(SharingConfig config, String proxy) {
            this.link = new RedisLink(
                    new RedisLink.Settings(config.url(), TIMEOUT_MILLIS, TIMEOUT_MILLIS),
                    new TransitionLog("sharing of limits", "this proxy goes on with its own", "connecting"));
            this.prefix = config.prefix();
            this.proxy = proxy.getBytes(UTF_8);
            link.begin();
        }

        @Override
        public boolean isUp() {
            return link.isUp();
        }

        @Override
        public String state() {
            return link.state();
        }

        @Override
        public void take(SharedRateGate rate, long units, Consumer<@Nullable Long> sink) {
            byte[] key = (prefix + "rate:" + rate.name()).getBytes(UTF_8);
            link.<VerboseResult<Long>>command(
                    commands -> buckets(commands)
                            .builder()
                            .build(key, () -> CompletableFuture.completedFuture(rate.shared()))
                            .asVerbose()
                            .consumeIgnoringRateLimits(units),
                    (taken, failure) -> sink.accept(
                            taken == null ? null : taken.getDiagnostics().getAvailableTokens()));
        }

        @SuppressWarnings("ReferenceEquality") // A new connection has new commands.
        private AsyncProxyManager<byte[]> buckets(RedisAsyncCommands<byte[], byte[]> commands) {
            Buckets now = buckets;
            if (now == null || now.commands() != commands) {
                now = new Buckets(
                        commands,
                        Bucket4jLettuce.casBasedBuilder(commands)
                                .expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                                        SPARE_LIFE_OF_BUCKET))
                                .build()
                                .asAsync());
                buckets = now;
            }
            return now.all();
        }

        @Override
        public void tell(String count, OwnUse use, Consumer<@Nullable Uses> sink) {
            byte[][] keys = {(prefix + "units:" + use.day() + ':' + count).getBytes(UTF_8)};
            link.<List<Object>>command(
                    commands -> commands.eval(
                            TELL,
                            ScriptOutputType.MULTI,
                            keys,
                            proxy,
                            Long.toString(use.units()).getBytes(UTF_8),
                            SECONDS_OF_COUNT.getBytes(UTF_8)),
                    (told, failure) -> sink.accept(told == null ? null : uses(told)));
        }

        private static @Nullable Uses uses(List<Object> told) {
            if (told.size() == 2 && told.get(0) instanceof Long own && told.get(1) instanceof Long sum) {
                return new Uses(own, sum - own);
            }
            return null;
        }

        @Override
        public void close() {
            link.close();
        }
    }

    /** The place at which proxies share limits. No method blocks. Thread-safe. */
    interface LimitStore extends AutoCloseable {

        /** Returns whether it can be reached. */
        boolean isUp();

        /** Returns its state in a few words. */
        String state();

        /**
         * Takes units of the shared bucket of a rate, even if it has fewer.
         *
         * @param sink called once, on any thread, with the units that are left; null if it could not be reached
         */
        void take(SharedRateGate rate, long units, Consumer<@Nullable Long> sink);

        /**
         * Units of one count on one day. Immutable.
         *
         * @param own of this proxy
         * @param others of all others
         */
        record Uses(long own, long others) {}

        /**
         * Tells what this proxy used of a count. To tell it twice changes nothing.
         *
         * @param sink called once, on any thread, with what is known; null if it could not be reached
         */
        void tell(String count, OwnUse use, Consumer<@Nullable Uses> sink);

        @Override
        void close();
    }
}
