package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON-RPC listener and its bounds. Immutable. */
public record ServerConfig(
        @About("Address to listen on. Unless it is loopback, first read `Exposing the proxy` in conf/README.md.")
        @Setting(value = "\"127.0.0.1\"", pattern = Forms.HOST, rule = Forms.HOST_RULE)
        String host,

        @About("Port to listen on; 0 picks a free one.") @Setting(value = "8545", range = "0 to 65535")
        int port,

        @About("Number of event loops; 0 is one per processor.") @Setting(value = "0", range = "0 to 1024")
        int threads,

        @About("Largest HTTP body, compressed or not, and WebSocket message; over it 413 or close code 1009.")
        @Setting(value = "5 MiB", range = "1 KiB to 1 GiB")
        int maxBodyBytes,

        @About("Calls in one batch; a larger batch gets one error -32600.")
        @Setting(value = "1000", range = "1 to 1000000")
        int maxBatch,

        @About("Open connections; over it new ones are closed. Keep it below the limit of open files.")
        @Setting(value = "10000", range = "1 to 10000000")
        int maxConnections,

        @About("Closes a connection without traffic; pings a WebSocket at half. Exceed the idle time of a balancer.")
        @Setting(value = "5 m", range = "1 s to 1 d")
        long idleMillis,

        @About("Closes a connection whose client takes none of its waiting bytes for this time.")
        @Setting(value = "30 s", range = "100 ms to 1 h")
        long writeTimeoutMillis,

        @About("Time for a whole request, else 408, or WebSocket message, else close code 1008.")
        @Setting(value = "30 s", range = "100 ms to 1 h")
        long requestTimeoutMillis,

        @About("Deadline of a call or a whole batch, with all attempts.")
        @Setting(value = "30 s", range = "10 ms to 1 h")
        long callTimeoutMillis,

        @About("Time for calls in flight at shutdown. The service manager must wait longer than both drain times.")
        @Setting(value = "10 s", range = "0 s to 1 h")
        long drainMillis,

        @About("At shutdown, serves calls with failing health checks for this time, so that balancers notice.")
        @Setting(value = "0 s", range = "0 s to 1 h")
        long drainDelayMillis,

        @About("Path whose GET answers as `/health/ready` of the admin listener, for balancers; null is none.")
        @Setting(
                pattern = "/|(/(?!(v3|ws)(/|$))[A-Za-z0-9._~-]{1,63}){1,8}",
                rule = "a path such as /health, of letters, digits and ._~- and without the parts v3 and ws")
        @Nullable
        String healthPath,

        @Setting(path = ".") Load load,

        @About("Pages of browsers that may send calls and read answers.") @Setting(live = true)
        Cors cors,

        @About("Proxies in front of this one, trusted for the client's address; bounds per address exclude them.")
        @Setting(value = "[]", form = Forms.AddressBlocks.class)
        List<AddressBlock> trustedProxies,

        @About("File that gets a line of JSON for each HTTP request and WebSocket message; null is none.")
        @Setting(path = "access-log.file", rule = "the path of a file", written = true)
        @Nullable
        Path accessLog,

        @About("Allowed hosts besides the listener's own and those of networks, else 403. `*` permits DNS rebinding.")
        @Setting(value = "[]", form = Forms.Hosts.class, live = true)
        Set<String> hosts,

        @About("Folder of this proxy alone, relative to the working directory, that keeps used daily budgets over a "
                + "restart. With null a restart counts from zero.")
        @Setting(rule = "the path of a folder", written = true)
        @Nullable
        Path data,

        @About("TLS of the JSON-RPC listener, off without a certificate.") @Setting
        TlsConfig tls) {

    /** The browser pages that may send calls and read answers. Immutable. */
    public record Cors(
            @About("Origins of browser pages that may send calls; `*` is every page. Other cross-origin pages get 403.")
            @Setting(value = "[]", pattern = Forms.CORS_ORIGIN, rule = Forms.CORS_ORIGIN_RULE)
            Set<String> origins,

            @About("Request headers that pages may send besides those of the proxy and of traces; `*` is every header.")
            @Setting(value = "[]", pattern = Forms.TOKEN, rule = "the name of a header, such as X-Client-Version, or *")
            List<String> headers) {}

    /** Bounds on work in flight. Immutable. */
    public record Load(
            @About("Requests and answers, at most half the heap; over it 503. `auto` is a quarter, up to 256 MiB.")
            @Setting(value = "auto", path = "bytes-in-flight", range = "1 MiB to 1024 GiB")
            long bytes,

            @About("Calls in flight over all connections; over it 503 with `Retry-After`.")
            @Setting(value = "20000", path = "calls-in-flight", range = "1 to 10000000")
            int calls,

            @About("Open connections from one address; over it new ones are closed. 0 is no bound; loopback has none.")
            @Setting(value = "256", path = "max-connections-per-address", range = "0 to 10000000")
            int connectionsPerAddress) {}
}
