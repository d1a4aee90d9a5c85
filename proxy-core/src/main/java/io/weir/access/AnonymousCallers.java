package io.weir.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.metrics.OutOfMemory;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The callers without a key: one for all, or one for each client's network if networks have a rate. Thread-safe. */
final class AnonymousCallers {

    private static final int MAX_ADDRESSES = 100_000;

    private final KeyCaller all;
    private final RateConfig rate;
    private final Cache<Object, Caller> callers = Caffeine.newBuilder()
            .maximumSize(MAX_ADDRESSES)
            .executor(OutOfMemory::run)
            .build();

    /** @param rate of each address */
    AnonymousCallers(KeyCaller all, RateConfig rate) {
        this.all = all;
        this.rate = rate;
    }

    KeyCaller all() {
        return all;
    }

    Caller of(@Nullable InetAddress client) {
        return rate.callsPerSecond() == 0 ? all : callers.get(Caller.holder(all, client), network -> limited());
    }

    private Caller limited() {
        BucketRateGate own = BucketRateGate.of(rate);
        RateGate gate = own == null ? all.rate() : new AddressGate(own, all.rate());
        return new KeyCaller(all.name(), all.rights(), gate, all.bounds(), all.account());
    }

    /** The rate of one address within that of all. Thread-safe. */
    private record AddressGate(BucketRateGate own, @Nullable RateGate all) implements RateGate {

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
