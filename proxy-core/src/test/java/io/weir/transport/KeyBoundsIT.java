package io.weir.transport;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.HashedKeyRing;
import io.weir.access.KeyAccounts;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.AddressBlock;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.upstream.budget.UnitLedger;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of single keys on pages, addresses and time, over HTTP and over WebSockets. */
@NoLeaks
class KeyBoundsIT {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final String APP = "https://app.test";
    private static final RateConfig NO_LIMIT = new RateConfig(0, 0, false);
    private static final Instant EXPIRY = Instant.parse("2027-01-31T00:00:00Z");

    private final ServerBounds settings = new ServerBounds();
    private final AtomicLong clock = new AtomicLong(EXPIRY.toEpochMilli() - 1_000_000);
    private @Nullable TestProxy proxy;

    @AfterEach
    void stop() {
        if (proxy != null) {
            proxy.close();
        }
    }

    private TestProxy proxy(BoundConfig bounds) throws Exception {
        settings.corsOrigins = Set.of(APP, "https://other.test");
        settings.trustedProxies = List.of(requireNonNull(AddressBlock.parse("127.0.0.1")));
        proxy = new TestProxy(settings);
        publish(bounds);
        return proxy;
    }

    private void publish(BoundConfig bounds) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest("shop".getBytes("UTF-8"));
        KeyConfig key = new KeyConfig(
                HexFormat.of().formatHex(digest),
                Set.of("main"),
                Set.of("*"),
                false,
                Unverifiable.PASS,
                NO_LIMIT,
                bounds);
        TestProxy started = requireNonNull(proxy);
        started.current.publish(started.generation(HashedKeyRing.of(
                new AccessConfig(false, NO_LIMIT, Map.of("the-shop", key)),
                new KeyAccounts(started.meters, UnitLedger.inMemory(clock::get)))));
    }

    private static BoundConfig ofOrigins(String... origins) {
        return new BoundConfig(Set.of(origins), List.of(), Set.of(), 0, null);
    }

    private static BoundConfig untilExpiry() {
        return new BoundConfig(Set.of(), List.of(), Set.of(), 0, EXPIRY);
    }

    private long refused(String reason) {
        return requireNonNull(proxy)
                .meters
                .counter(Meter.KEY_REFUSALS, "the-shop", reason)
                .getCount();
    }

    private void assertRefused(String path, int status, String code, String reason, String... headers)
            throws Exception {
        try (RawConnection connection = new RawConnection(requireNonNull(proxy))) {
            RawConnection.Answer answer =
                    connection.send(RawConnection.post(path, CALL, headers)).read();
            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
            assertThat(answer.body()).contains(code).doesNotContain("\"shop\"", "the-shop");
            answer = connection
                    .send(RawWebSocket.handshake("/ws" + path, headers))
                    .read();
            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        }
        assertThat(refused(reason)).isEqualTo(2);
    }

    private int status(String... headers) throws Exception {
        try (RawConnection connection = new RawConnection(requireNonNull(proxy))) {
            int http = connection
                    .send(RawConnection.post("/v3/shop", CALL, headers))
                    .read()
                    .status();
            int socket = connection
                    .send(RawWebSocket.handshake("/ws/v3/shop", headers))
                    .read()
                    .status();
            assertThat(socket).isEqualTo(http == 200 ? 101 : http);
            return http;
        }
    }

    @Test
    void aKeyOfAPageServesNoOtherPageAndNoProgram() throws Exception {
        TestProxy started = proxy(ofOrigins(APP));
        assertThat(status("Origin: " + APP)).isEqualTo(200);
        assertRefused("/v3/shop", 403, "-32002", "origin", "Origin: https://other.test");
        assertThat(status()).isEqualTo(403);
        assertThat(status("Origin: " + APP, "Origin: " + APP)).isEqualTo(403);
        assertThat(started.refused("key_origin")).isEqualTo(4);
        assertThat(started.refused("origin")).isEqualTo(2);
    }

    @Test
    void aKeysOriginAdmitsNoPageThatTheServerDoesNot() throws Exception {
        proxy(ofOrigins("https://evil.test"));
        assertThat(status("Origin: https://evil.test")).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 200",
        "'192.0.2.1, 10.255.0.1', 200",
        "'10.1.2.3, 192.0.2.1', 403",
        "192.0.2.1, 403",
        "fd00::7, 200",
        "fd01::7, 403",
        "::ffff:10.1.2.3, 200"
    })
    void aKeyOfSomeAddressesServesNoOthers(String client, int status) throws Exception {
        proxy(new BoundConfig(Set.of(), List.of(block("10.0.0.0/8"), block("fd00::/16")), Set.of(), 0, null));
        assertThat(status("X-Forwarded-For: " + client)).isEqualTo(status);
        assertThat(requireNonNull(proxy).refused("key_client")).isEqualTo(status == 200 ? 0 : 2);
    }

    @Test
    void aForeignAddressIsToldSoAndCounted() throws Exception {
        proxy(new BoundConfig(Set.of(), List.of(block("10.0.0.0/8")), Set.of(), 0, null));
        assertRefused("/v3/shop", 403, "-32002", "client", "X-Forwarded-For: 203.0.113.9");
    }

    private static AddressBlock block(String text) {
        return requireNonNull(AddressBlock.parse(text));
    }

    @Test
    void anExpiredKeyIsRefusedAlsoOnConnectionsThatUsedItBefore() throws Exception {
        TestProxy started = proxy(untilExpiry());
        try (RawConnection connection = new RawConnection(started)) {
            for (int i = 0; i < 3; i++) {
                assertThat(connection
                                .send(RawConnection.post("/v3/shop", CALL))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
            clock.set(EXPIRY.toEpochMilli());
            RawConnection.Answer answer =
                    connection.send(RawConnection.post("/v3/shop", CALL)).read();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.body()).contains("-32001", "expired");
            assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
        }
        assertThat(refused("expired")).isEqualTo(1);
        assertThat(started.refused("key_expired")).isEqualTo(1);
        assertThat(started.runner.calls()).isEqualTo(3);
    }

    @Test
    void anExpiredKeyEndsItsWebSocketWithTheNextMessage() throws Exception {
        TestProxy started = proxy(untilExpiry());
        try (RawWebSocket socket = new RawWebSocket(started, "/ws/v3/shop")) {
            assertThat(socket.text(CALL).read().text()).contains("main");
            clock.set(EXPIRY.toEpochMilli());
            assertThat(socket.text(CALL).read().closeStatus()).isEqualTo(1008);
        }
        assertThat(started.refused("key_expired")).isEqualTo(1);
    }

    @Test
    void anExpiredKeyEndsAWebSocketWhoseClientSendsNothing() throws Exception {
        clock.set(EXPIRY.toEpochMilli() - 300);
        TestProxy started = proxy(untilExpiry());
        try (RawWebSocket socket = new RawWebSocket(started, "/ws/v3/shop")) {
            assertThat(socket.text(CALL).read().text()).contains("main");
            clock.set(EXPIRY.toEpochMilli());
            assertThat(socket.read().closeStatus()).isEqualTo(1008);
        }
    }

    @Test
    void anExpiryThatComesWithAnotherConfigurationCountsForOpenWebSockets() throws Exception {
        TestProxy started = proxy(BoundConfig.NONE);
        try (RawWebSocket socket = new RawWebSocket(started, "/ws/v3/shop")) {
            assertThat(socket.text(CALL).read().text()).contains("main");
            clock.set(EXPIRY.toEpochMilli() - 300);
            publish(untilExpiry());
            assertThat(socket.text(CALL).read().text()).contains("main");
            clock.set(EXPIRY.toEpochMilli());
            assertThat(socket.read().closeStatus()).isEqualTo(1008);
        }
    }
}
