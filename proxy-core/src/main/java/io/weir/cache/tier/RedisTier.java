package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.SetArgs;
import io.weir.cache.tier.TierEntry.EntryName;
import io.weir.metrics.TransitionLog;
import io.weir.redis.RedisLink;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tier in Redis or Valkey. It blocks only the thread of {@link #put}. Thread-safe. */
public final class RedisTier implements ByteTier {

    private static final String NAME = "redis";
    private static final int MAX_STORES = 64;
    private static final long FULL_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Longer than the life of entries. If its anchor is gone, a name space is created anew. */
    private static final long ANCHOR_SECONDS = TimeUnit.DAYS.toSeconds(90);

    private final RedisLink link;
    private final Options options;
    private final Semaphore stores = new Semaphore(MAX_STORES);
    private volatile long storeAgainNanos = System.nanoTime();

    /**
     * Settings of the tier. Immutable.
     *
     * @param prefix of all keys
     * @param ttlMillis after which an entry expires
     * @param waitMillis that a call waits
     * @param timeoutMillis after which a command has failed
     * @param maxBytes of one entry
     */
    public record Options(String prefix, long ttlMillis, long waitMillis, long timeoutMillis, int maxBytes) {}

    private RedisTier(RedisLink link, Options options) {
        this.link = link;
        this.options = options;
    }

    /**
     * Starts connecting and does not wait.
     *
     * @param url {@code redis://} or {@code rediss://}, with or without a password
     */
    public static RedisTier open(String url, Options options) {
        RedisLink.Settings settings = new RedisLink.Settings(url, options.timeoutMillis(), options.waitMillis());
        RedisTier tier = new RedisTier(new RedisLink(settings, TransitionLog.ofTier(NAME, "connecting")), options);
        tier.link.begin();
        return tier;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean shared() {
        return true;
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
    public void begin() {
        // It connects by itself.
    }

    @Override
    public void get(EntryName name, Consumer<ReadResult> sink) {
        readRecord(name.text(), sink);
    }

    @Override
    public void discard(EntryName name) {
        eraseRecord(name.text(), gone -> {});
    }

    @Override
    public void put(EntryName name, byte[] entry, Consumer<Boolean> sink) {
        if (System.nanoTime() - storeAgainNanos < 0 || !mayStore()) {
            sink.accept(false);
            return;
        }
        SetArgs args = SetArgs.Builder.px(options.ttlMillis());
        link.command(commands -> commands.set(key(name.text()), entry, args), (done, failure) -> {
            stores.release();
            if (failure != null) {
                storeAgainNanos = System.nanoTime() + FULL_PAUSE_NANOS;
            }
            link.storing(failure);
            sink.accept(failure == null);
        });
    }

    private boolean mayStore() {
        try {
            return stores.tryAcquire(options.timeoutMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public long entries() {
        return -1;
    }

    @Override
    public long bytes() {
        return -1;
    }

    @Override
    public void readRecord(String name, Consumer<ReadResult> sink) {
        // A range, so that at most an entry's size is sent, whatever the value there.
        link.command(
                commands -> commands.getrange(key(name), 0, options.maxBytes()),
                (value, failure) -> sink.accept(found(value, failure)));
    }

    @Override
    public void writeRecord(String name, byte[] value, Consumer<Boolean> sink) {
        writeRecord(name, value, TimeUnit.SECONDS.toMillis(ANCHOR_SECONDS), sink);
    }

    @Override
    public void writeRecord(String name, byte[] value, long millis, Consumer<Boolean> sink) {
        SetArgs args = SetArgs.Builder.px(millis);
        link.command(commands -> commands.set(key(name), value, args), (done, failure) -> sink.accept(failure == null));
    }

    @Override
    public void claimRecord(String name, byte[] value, Consumer<ReadResult> sink) {
        link.command(commands -> commands.set(key(name), value, SetArgs.Builder.nx()), (first, failure) -> {
            if (failure == null) {
                readRecord(name, sink);
            } else {
                sink.accept(ReadResult.FAILED);
            }
        });
    }

    @Override
    public void eraseRecord(String name, Consumer<Boolean> sink) {
        link.command(commands -> commands.del(key(name)), (gone, failure) -> sink.accept(failure == null));
    }

    private static ReadResult found(byte @Nullable [] value, @Nullable Throwable failure) {
        if (failure != null) {
            return ReadResult.FAILED;
        }
        return value == null || value.length == 0 ? ReadResult.NOTHING : new ReadResult(value, false);
    }

    private byte[] key(String name) {
        return (options.prefix() + name).getBytes(UTF_8);
    }

    @Override
    public void close() {
        link.close();
    }
}
