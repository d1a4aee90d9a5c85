package io.weir.bench.hostile;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A client with a key of its own that asks twenty times a second. Confined to one thread, except for its counts. */
final class GoodClient implements Runnable {

    /** Of its key. */
    static final String SETTINGS =
            "access.keys.good.sha256 = \"770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c\"";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client;
    private final URI address;
    private final LongAdder calls = new LongAdder();
    private final LongAdder failed = new LongAdder();

    GoodClient(HostileConnection.Target target) {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        LoopbackTls tls = target.tls();
        client = (tls == null ? builder : builder.sslContext(tls.trust())).build();
        address = URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + target.port() + "/v3/good");
    }

    @Override
    public void run() {
        try {
            for (int call = 0; !Thread.interrupted(); call++) {
                calls.increment();
                if (!isAnswered(call)) {
                    failed.increment();
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAnswered(int block) throws InterruptedException {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByNumber\",\"params\":[\"0x%x\",false]}"
                .formatted(block % 100);
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(call))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .contains("\"result\":{");
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return calls + " calls, " + failed + " failed";
    }
}
