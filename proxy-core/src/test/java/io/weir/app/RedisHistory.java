package io.weir.app;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.weir.testing.ConfigurationText;
import io.weir.testing.RedisServer;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.HistoryNode;
import io.weir.testing.traffic.SlowRelay;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Consumer;

/** A node with old blocks, a real Redis behind a relay, and proxies before both. Confined to one thread. */
final class RedisHistory implements AutoCloseable {

    static final String PASSWORD = "wordofpass";
    private static final String TOKEN = "the token of operations";
    private static final String TOKEN_SHA256 = "03c68b878fb61b0cde1e94cba6dc263f4d8231b413bec5b006a8287390cc5963";
    private static final int FINAL = 44;

    final HistoryNode node;
    final RedisServer redis;
    final SlowRelay relay;
    final HistoryCalls calls;

    RedisHistory() throws IOException {
        redis = RedisServer.start(PASSWORD);
        node = HistoryNode.start();
        relay = SlowRelay.to(redis.port());
        calls = HistoryCalls.of(node, FINAL);
    }

    @Override
    public void close() {
        relay.close();
        redis.close();
        node.close();
    }

    /** Starts a proxy. */
    WeirProcess weir(String memory) {
        return WeirProcess.start(ConfigurationText.of("history", HistoryNode.CHAIN_ID)
                .upstream("node", node.url())
                .networkSetting("finality.depth = 10")
                .networkSetting("upstreams.node.batch.size = 1")
                .setting("admin.token-sha256 = \"" + TOKEN_SHA256 + "\"")
                .setting("cache.memory = " + memory)
                .setting("cache.redis { url = \"redis://:" + PASSWORD + "@127.0.0.1:" + relay.port() + "\" }")
                .text());
    }

    static void awaitUp(WeirProcess weir, boolean up) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> weir.admin().metric("weir_cache_tier_up", "tier=\"redis\"") == (up ? 1 : 0));
    }

    static double stored(WeirProcess weir) {
        return weir.admin().metric("weir_cache_tier_stores_total", "tier=\"redis\"", "outcome=\"stored\"");
    }

    static double lookups(WeirProcess weir, String outcome) {
        return weir.admin().metric("weir_cache_tier_lookups_total", "tier=\"redis\"", "outcome=\"" + outcome + "\"");
    }

    static int purge(WeirProcess weir) {
        return send(HttpRequest.newBuilder(admin(weir, "/cache/purge?network=history"))
                        .header("Authorization", "Bearer " + TOKEN)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build())
                .statusCode();
    }

    static String status(WeirProcess weir) {
        return send(HttpRequest.newBuilder(admin(weir, "/status")).build()).body();
    }

    private static URI admin(WeirProcess weir, String path) {
        return URI.create("http://127.0.0.1:" + weir.adminPort() + path);
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Works on what is in Redis. */
    void inRedis(Consumer<RedisCommands<byte[], byte[]>> work) {
        RedisClient client = RedisClient.create(RedisURI.create("redis://:" + PASSWORD + "@127.0.0.1:" + redis.port()));
        try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            work.accept(connection.sync());
        } finally {
            client.shutdown();
        }
    }
}
