package io.weir.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bucket4j.VerboseResult;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.weir.access.SharedRateGate;
import io.weir.config.SharingConfig;
import io.weir.metrics.TransitionLog;
import io.weir.redis.RedisLink;
import io.weir.upstream.budget.DayUnits.OwnUse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shared limits in a Redis or Valkey: buckets of Bucket4j, and for each count and day a hash of what each proxy used. Thread-safe.
 */
final class RedisLimitStore implements LimitStore {

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
