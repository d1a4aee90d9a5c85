package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.access.Caller;
import io.weir.access.HashedKeyRing;
import io.weir.access.KeyAccount;
import io.weir.access.KeyAccounts;
import io.weir.access.KeyBounds;
import io.weir.access.KeyRing;
import io.weir.access.RateGate;
import io.weir.access.UnitQuota;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.MethodCosts;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.SessionRequest;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.MadeLogs;
import io.weir.testing.NetworkSettings;
import io.weir.testing.NoLeaks;
import io.weir.upstream.budget.UnitLedger;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** WebSockets with subscriptions, at a drain and when another generation takes over. */
@NoLeaks
final class SubscribedSessionsIT {

    private static final String PATH = "/ws/v3/" + TestProxy.KEY;
    private static final String SUBSCRIBE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_subscribe\"}";
    private static final String UNSUBSCRIBE = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"eth_unsubscribe\"}";
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final int SOCKETS = 60;

    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private TestProxy proxy;
    private volatile @Nullable LoopSubscriptions subscriptions;

    /** A rate that counts only what notifications take. Thread-safe. */
    private record CountedRate(AtomicInteger charged) implements RateGate {

        @Override
        public boolean weighted() {
            return false;
        }

        @Override
        public long perSecond() {
            return 1;
        }

        @Override
        public long admit(long units) {
            return 0;
        }

        @Override
        public void giveBack(long units) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void charge(long units) {
            charged.addAndGet((int) units);
        }
    }

    @BeforeEach
    void start() throws IOException {
        proxy = new TestProxy();
        proxy.runner.on("eth_subscribe", this::subscribe);
        proxy.runner.on("eth_unsubscribe", (context, sink) -> {
            SessionRequest from = Objects.requireNonNull(context.session());
            subscriptions(context).remove(from.session(), "0x1");
            sink.accept(new RpcReply.Result(RawJson.of("true")));
        });
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    private void subscribe(CallContext context, ReplySink sink) {
        SessionRequest from = Objects.requireNonNull(context.session());
        from.bind();
        joined(context, from, sink);
    }

    private void joined(CallContext context, SessionRequest from, ReplySink sink) {
        LoopSubscriptions own = subscriptions(context);
        String id = "0x" + ids.incrementAndGet();
        Subscription subscription = new Subscription(
                id,
                SubscriptionRequest.of(SubscriptionKind.NEW_HEADS, MadeLogs.NOTIFICATIONS, null),
                context.caller(),
                from.session());
        own.add(subscription);
        from.afterAnswer(() -> own.open(subscription));
        sink.accept(new RpcReply.Result(RawJson.of('"' + id + '"')));
    }

    /** Subscribes, and answers once the returned action runs. */
    private Runnable joining(RawWebSocket socket) throws Exception {
        CompletableFuture<Runnable> held = new CompletableFuture<>();
        proxy.runner.on("eth_subscribe", (context, sink) -> {
            SessionRequest from = Objects.requireNonNull(context.session());
            from.bind();
            held.complete(() -> context.loop().execute(() -> joined(context, from, sink)));
        });
        socket.text(SUBSCRIBE);
        return held.get(1, TimeUnit.MINUTES);
    }

    /** The listener of these tests has one event loop. */
    private LoopSubscriptions subscriptions(CallContext context) {
        LoopSubscriptions known = subscriptions;
        if (known == null) {
            known = new LoopSubscriptions(
                    context.loop(),
                    NetworkSettings.of("main", "subscriptions.charge-per-notification = 3")
                            .subscriptions(),
                    subscription -> ended.incrementAndGet(),
                    new SubscriptionMeters(proxy.meters, "main"));
            subscriptions = known;
        }
        return known;
    }

    private void notifyAllClients() {
        Objects.requireNonNull(subscriptions)
                .submit(new Delivered.Result(
                        SubscriptionKind.NEW_HEADS, "{}".getBytes(UTF_8), "\"0x0\"".getBytes(UTF_8)));
    }

    private RawWebSocket subscribed() throws IOException {
        RawWebSocket socket = new RawWebSocket(proxy, PATH);
        assertThat(socket.text(SUBSCRIBE).read().text()).contains("\"result\":\"0x");
        return socket;
    }

    /** Has another generation serve, in which the callers of the keys are others. */
    private void publish(boolean maySubscribe, @Nullable RateGate rate) {
        publish(maySubscribe, rate, KeyBounds.NONE, KeyAccount.NONE);
    }

    private void publish(boolean maySubscribe, @Nullable RateGate rate, KeyBounds bounds, KeyAccount account) {
        KeyRing before = proxy.current.get().keys();
        proxy.current.publish(proxy.generation(new KeyRing() {
            @Override
            public @Nullable Caller find(String key) {
                Caller known = before.find(key);
                return known == null ? null : changed(known, maySubscribe, rate, bounds, account);
            }

            @Override
            public @Nullable Caller anonymous(@Nullable InetAddress client) {
                return null;
            }
        }));
    }

    /** Returns the caller of a key whose rights or rate have changed. */
    private static Caller changed(
            Caller before, boolean maySubscribe, @Nullable RateGate rate, KeyBounds bounds, KeyAccount account) {
        Set<String> methods = maySubscribe ? Set.of("*") : Set.of("eth_unsubscribe", "network", "held");
        Caller.Rights rights = new Caller.Rights(before.rights().networks(), methods, false, false);
        return new Caller(before.name(), rights, rate, bounds, account);
    }

    private long revoked() {
        return proxy.meters.counter(Meter.SUBSCRIBERS_CLOSED, "main", "revoked").getCount();
    }

    @Test
    void aSubscriptionWhoseKeyIsStillGoodGoesOnAndCountsInTheNewRate() throws Exception {
        AtomicInteger charged = new AtomicInteger();
        try (RawWebSocket socket = subscribed()) {
            publish(true, new CountedRate(charged));
            notifyAllClients();
            assertThat(socket.read().text()).contains("eth_subscription");
            assertThat(socket.text(CALL).read().text()).contains("\"id\":7,");
            assertThat(charged).hasValue(3);
            assertThat(ended).hasValue(0);
        }
    }

    @Test
    void aSubscriptionWhoseKeyWasRemovedEndsWithoutAnotherMessage() throws Exception {
        try (RawWebSocket socket = subscribed()) {
            proxy.current.publish(proxy.generation(true));
            assertClosed(socket, 1008, "not permitted any more");
            assertThat(ended).hasValue(1);
        }
    }

    @Test
    void aSubscriptionOfAReplacedNetworkEndsWithinTheDrainTimeAndAnotherWebSocketGoesOnWithTheNewOne()
            throws Exception {
        try (RawWebSocket socket = subscribed();
                RawWebSocket other = new RawWebSocket(proxy, PATH)) {
            assertThat(other.text(CALL).read().text()).contains("\"id\":7,");
            proxy.current.publish(proxy.generation(false));
            assertClosed(socket, 1012, "service restart");
            assertThat(ended).hasValue(1);
            assertThat(other.text(CALL).read().text()).contains("\"id\":7,");
        }
    }

    @Test
    void aSubscriptionThatJoinsANetworkWhichIsReplacedMeanwhileEndsToo() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            Runnable join = joining(socket);
            proxy.current.publish(proxy.generation(false));
            join.run();
            assertThat(socket.read().text()).contains("\"result\":\"0x1\"");
            assertClosed(socket, 1012, "service restart");
            assertThat(ended).hasValue(1);
        }
    }

    @Test
    void aSubscriptionThatJoinsANetworkWhichWasReplacedBeforeItsTurnEndsToo() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            CompletableFuture<Runnable> held = new CompletableFuture<>();
            // As in a batch, whose calls do not all begin in one turn of the loop.
            proxy.runner.on(
                    "eth_subscribe",
                    (context, sink) -> held.complete(() -> context.loop().execute(() -> subscribe(context, sink))));
            socket.text(SUBSCRIBE);
            Runnable begin = held.get(1, TimeUnit.MINUTES);
            proxy.current.publish(proxy.generation(false));
            begin.run();
            assertThat(socket.read().text()).contains("\"result\":\"0x1\"");
            assertClosed(socket, 1012, "service restart");
            assertThat(ended).hasValue(1);
        }
    }

    @Test
    void aSubscriptionEndsWhoseKeyLostTheRightWhileItJoined() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            Runnable join = joining(socket);
            publish(false, null);
            join.run();
            assertClosed(socket, 1008, "the key may not subscribe any more");
            assertThat(revoked()).isEqualTo(1);
            assertThat(ended).hasValue(1);
        }
    }

    @Test
    void theCallsInFlightOfAReplacedNetworkAreAnsweredBeforeItsWebSocketCloses() throws Exception {
        Held held = new Held();
        proxy.runner.on("held", held);
        try (RawWebSocket socket = subscribed()) {
            socket.text("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"held\"}");
            await().until(() -> held.isWaiting("8"));
            proxy.current.publish(proxy.generation(false));
            // It serves until its drain begins, and then only what it has.
            notifyAllClients();
            assertThat(socket.read().text()).contains("eth_subscription");
            held.release("8");
            assertThat(socket.read().text()).contains("\"id\":8,");
            assertClosed(socket, 1012, "service restart");
        }
    }

    @Test
    void aWebSocketOfARemovedNetworkIsToldToGoAway() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, "/side" + PATH)) {
            assertThat(socket.text(CALL).read().text()).contains("\"id\":7,");
            proxy.current.publish(proxy.without("side"));
            assertClosed(socket, 1012, "service restart");
        }
    }

    @Test
    void aSubscriptionWhoseKeyMayNotSubscribeAnyMoreEndsAndOtherWebSocketsOfTheKeyStay() throws Exception {
        try (RawWebSocket socket = subscribed();
                RawWebSocket other = new RawWebSocket(proxy, PATH)) {
            assertThat(other.text(CALL).read().text()).contains("\"id\":7,");
            publish(false, null);
            assertClosed(socket, 1008, "the key may not subscribe any more");
            assertThat(revoked()).isEqualTo(1);
            assertThat(other.text(CALL).read().text()).contains("\"id\":7,");
        }
    }

    @Test
    void notificationsAreOnTheBillOfTheirKey() throws Exception {
        KeyAccounts accounts = new KeyAccounts(proxy.meters, UnitLedger.inMemory(System::currentTimeMillis));
        AccessConfig access = new AccessConfig(true, new AccessConfig.RateConfig(0, 0, false), Map.of());
        Caller anonymous =
                Objects.requireNonNull(HashedKeyRing.of(access, accounts).anonymous(null));
        publish(true, null, KeyBounds.NONE, anonymous.account());
        try (RawWebSocket socket = subscribed()) {
            notifyAllClients();
            int bytes = socket.read().text().length();
            assertThat(billed(Meter.KEY_CALLS)).isEqualTo(1);
            assertThat(billed(Meter.KEY_UNITS)).isEqualTo(3);
            assertThat(billed(Meter.KEY_BYTES)).isEqualTo(bytes);
        }
    }

    private long billed(Meter meter) {
        return proxy.meters.counter(meter, "main", "anonymous", "notification").getCount();
    }

    @Test
    void notificationsCountInTheUnitsOfADayThatTheirKeyWasBoundToMeanwhile() throws Exception {
        BoundConfig bounds = new BoundConfig(Set.of(), List.of(), Set.of(), 100, null);
        UnitQuota quota = new UnitQuota(
                100, UnitLedger.inMemory(System::currentTimeMillis).ofKey("demo"));
        try (RawWebSocket socket = subscribed()) {
            publish(
                    true,
                    null,
                    new KeyBounds(bounds, MethodCosts.CATALOGUE, quota, System::currentTimeMillis),
                    KeyAccount.NONE);
            notifyAllClients();
            assertThat(socket.read().text()).contains("eth_subscription");
            assertThat(quota.day().used()).isEqualTo(3);
        }
    }

    @Test
    void aSubscriptionEndsWhoseKeyIsBoundToContractsNow() throws Exception {
        BoundConfig contracts = new BoundConfig(Set.of(), List.of(), Set.of("0x" + "0".repeat(40)), 0, null);
        try (RawWebSocket socket = subscribed()) {
            publish(
                    true,
                    null,
                    new KeyBounds(contracts, MethodCosts.CATALOGUE, null, System::currentTimeMillis),
                    KeyAccount.NONE);
            assertClosed(socket, 1008, "the key may not subscribe any more");
            assertThat(revoked()).isEqualTo(1);
        }
    }

    @Test
    void aWebSocketWhoseSubscriptionsHaveEndedStaysWithoutTheRightToSubscribe() throws Exception {
        try (RawWebSocket socket = subscribed()) {
            assertThat(socket.text(UNSUBSCRIBE).read().text()).contains("true");
            publish(false, null);
            assertThat(socket.text(CALL).read().text()).contains("\"id\":7,");
            assertThat(revoked()).isZero();
        }
    }

    @Test
    void atADrainSubscribersAreClosedOneAfterTheOtherAndHearAllUntilThen() throws Exception {
        List<RawWebSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < SOCKETS; i++) {
                sockets.add(subscribed());
            }
            // The event loop hears of both in one turn, so that no WebSocket has closed before.
            CompletableFuture<Void> both = proxy.holdLoop();
            long beganNanos = System.nanoTime();
            proxy.listener.drain(60_000);
            notifyAllClients();
            both.complete(null);
            List<Long> ends = new ArrayList<>();
            int told = 0;
            for (RawWebSocket socket : sockets) {
                RawWebSocket.Frame frame = socket.read();
                if (frame.opcode() == RawWebSocket.TEXT) {
                    told++;
                    frame = socket.read();
                }
                assertThat(frame.closeStatus()).isEqualTo(1012);
                ends.add(System.nanoTime() - beganNanos);
            }
            // By chance all of them may begin in the first third of the time: once in 3 to the 60th drains.
            assertThat(Collections.max(ends)).isGreaterThan(100_000_000L);
            assertThat(told).isPositive();
            await().until(() -> ended.get() == SOCKETS);
        } finally {
            for (RawWebSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private static void assertClosed(RawWebSocket socket, int status, String reason) throws IOException {
        RawWebSocket.Frame close = socket.read();
        assertThat(close.opcode()).isEqualTo(RawWebSocket.CLOSE);
        assertThat(close.closeStatus()).isEqualTo(status);
        assertThat(close.text()).endsWith(reason);
    }
}
