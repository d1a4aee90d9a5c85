package io.weir.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.metrics.TransitionLog;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connection to Redis, with its reconnection. It is closed if it breaks, or if several consecutive answers were late or
 * missing. A new one is used once it has answered in time. Thread-safe.
 */
public final class RedisLink implements AutoCloseable {

    private static final int STRIKES = 5;
    private static final long FIRST_PAUSE_MILLIS = 250;
    private static final long MAX_PAUSE_MILLIS = 15_000;
    private static final int MAX_COMMANDS = 4_096;
    private static final String UP = "up";

    private final Settings settings;
    private final TransitionLog log;
    private final ClientResources resources;
    private final RedisClient client;
    private final ScheduledExecutorService timer;
    private final AtomicInteger strikes = new AtomicInteger();
    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private volatile String state = "connecting";
    private volatile boolean closed;
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    /**
     * Settings of the connection. Immutable.
     *
     * @param timeoutMillis after which a command, or an attempt to connect, has failed
     * @param waitMillis within which a new connection must answer, and after which an answer is late
     */
    public record Settings(String url, long timeoutMillis, long waitMillis) {

        /** Omits the address, which may contain a password. */
        @Override
        public String toString() {
            return "Settings(hidden)";
        }
    }

    public RedisLink(Settings settings, TransitionLog log) {
        this.settings = settings;
        this.log = log;
        this.timer = Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("weir-redis-link", true));
        this.resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
        RedisURI uri = RedisURI.create(settings.url());
        Duration timeout = Duration.ofMillis(settings.timeoutMillis());
        uri.setTimeout(timeout);
        this.client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MAX_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .socketOptions(SocketOptions.builder().connectTimeout(timeout).build())
                .build());
        client.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
                if (lost.equals(connection)) {
                    down("the connection was lost");
                }
            }
        });
    }

    public void begin() {
        later(0);
    }

    /** Returns whether there is a working connection. */
    public boolean isUp() {
        return connection != null;
    }

    /** Sends a command. The sink is called once, also if there is no connection. */
    public <T> void command(
            Function<RedisAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> send,
            BiConsumer<@Nullable T, @Nullable Throwable> sink) {
        StatefulRedisConnection<byte[], byte[]> now = connection;
        if (now == null) {
            sink.accept(null, new IllegalStateException("not connected"));
            return;
        }
        long began = System.nanoTime();
        CompletionStage<T> answer;
        try {
            answer = send.apply(now.async());
        } catch (RuntimeException e) {
            sink.accept(null, e);
            return;
        }
        answer.whenComplete((value, failure) -> {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            if (FailureWords.isSilence(failure) || millis > settings.waitMillis()) {
                strike();
            } else {
                answered();
            }
            sink.accept(value, failure);
        });
    }

    public String state() {
        return state;
    }

    private void answered() {
        if (strikes.get() != 0) {
            strikes.set(0);
        }
    }

    private void strike() {
        if (strikes.incrementAndGet() >= STRIKES) {
            down("no answers in time");
        }
    }

    /** Notes the outcome of storing. A full server still answers. */
    public synchronized void storing(@Nullable Throwable failure) {
        if (connection != null && !FailureWords.isSilence(failure)) {
            state = failure == null ? UP : UP + ", but " + FailureWords.of(failure) + " to store";
            log.note(state, failure == null);
        }
    }

    private void later(long millis) {
        try {
            timer.schedule(this::connect, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Closed in the meantime.
        }
    }

    private void connect() {
        if (closed || connection != null) {
            return;
        }
        try {
            client.connectAsync(ByteArrayCodec.INSTANCE, RedisURI.create(settings.url()))
                    .whenComplete((made, failure) -> {
                        if (failure == null && made != null) {
                            greet(made);
                        } else {
                            failed(FailureWords.of(failure));
                        }
                    });
        } catch (RuntimeException e) {
            failed(FailureWords.of(e));
        }
    }

    private void greet(StatefulRedisConnection<byte[], byte[]> made) {
        long began = System.nanoTime();
        made.async().ping().whenComplete((pong, failure) -> {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            if (failure != null) {
                made.closeAsync();
                failed(FailureWords.of(failure));
            } else if (millis > settings.waitMillis() || closed) {
                made.closeAsync();
                failed("no answers in time");
            } else {
                up(made);
            }
        });
    }

    private synchronized void up(StatefulRedisConnection<byte[], byte[]> made) {
        strikes.set(0);
        pauseMillis = FIRST_PAUSE_MILLIS;
        connection = made;
        state = UP;
        log.note(UP, true);
        if (!made.isOpen()) {
            down("the connection was lost");
        }
    }

    private synchronized void down(String why) {
        StatefulRedisConnection<byte[], byte[]> lost = connection;
        if (lost != null) {
            connection = null;
            lost.closeAsync();
            failed(why);
        }
    }

    private synchronized void failed(String why) {
        if (closed) {
            return;
        }
        state = "down: " + why;
        log.note(state, false);
        later(pauseMillis);
        pauseMillis = Math.min(MAX_PAUSE_MILLIS, pauseMillis * 2);
    }

    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        StatefulRedisConnection<byte[], byte[]> last = connection;
        connection = null;
        if (last != null) {
            last.closeAsync();
        }
        client.shutdownAsync(0, 1, TimeUnit.SECONDS)
                .thenRun(() -> resources.shutdown(0, 1, TimeUnit.SECONDS))
                .exceptionally(failure -> null);
    }

    /**
     * Description of a Redis failure in the proxy's own words, because foreign messages might contain an address or a password.
     */
    private static final class FailureWords {

        private static final int MAX_CAUSES = 10;

        private FailureWords() {}

        static String of(@Nullable Throwable failure) {
            Throwable cause = failure;
            String words = "cannot be reached";
            for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
                String found = one(cause);
                words = found == null ? words : found;
                cause = cause.getCause();
            }
            return words;
        }

        /** Returns whether no answer came. An answer that is an error shows that Redis is there. */
        static boolean isSilence(@Nullable Throwable failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return failure != null && !(cause instanceof RedisCommandExecutionException);
        }

        private static @Nullable String one(Throwable cause) {
            if (cause instanceof RedisCommandExecutionException refused) {
                return "it refused (" + code(refused) + ")";
            }
            if (cause instanceof RedisCommandTimeoutException) {
                return "no answers in time";
            }
            return cause instanceof UnknownHostException ? "its name is not known" : null;
        }

        /** Returns the first word of an error, which names its kind. */
        private static String code(RedisCommandExecutionException refused) {
            String message = String.valueOf(refused.getMessage());
            String word = message.split(" ", 2)[0].toUpperCase(Locale.ROOT);
            return word.matches("[A-Z]{2,20}") ? word : "ERR";
        }
    }
}
