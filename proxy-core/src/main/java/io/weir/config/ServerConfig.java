package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON-RPC listener and its bounds. Immutable. */
public record ServerConfig(
        @About("Address or host name to listen on; `::` or `0.0.0.0` is every address of the machine. For clients on "
                + "other machines, first read `Exposing the proxy` in conf/README.md.")
        @Setting(value = "\"127.0.0.1\"", pattern = Forms.HOST, rule = Forms.HOST_RULE)
        String host,

        @About("Port to listen on. 0 picks a free port, which the ready line names.")
        @Setting(value = "8545", range = "0 to 65535")
        int port,

        @About("Number of event loops; 0 is one per processor. Lower it to leave processors to other programs.")
        @Setting(value = "0", range = "0 to 1024")
        int threads,

        @About(
                "Largest HTTP body, packed and unpacked, and largest WebSocket message; over it 413, or close code 1009. "
                        + "Raise it for larger calls or batches; lower it on the open internet.")
        @Setting(value = "5 MiB", range = "1 KiB to 1 GiB")
        int maxBodyBytes,

        @About("Calls in one batch. A larger batch gets one error -32600.")
        @Setting(value = "1000", range = "1 to 1000000")
        int maxBatch,

        @About("Open connections; over it new ones are closed. Keep it below the limit of open files of the process.")
        @Setting(value = "10000", range = "1 to 10000000")
        int maxConnections,

        @About("A connection without traffic for this time is closed. A silent WebSocket gets a ping after half of it; "
                + "without a pong it is closed with code 1008. Behind a balancer, set more than the balancer's own idle "
                + "time.")
        @Setting(value = "5 m", range = "1 s to 1 d")
        long idleMillis,

        @About("A connection whose client takes none of its waiting bytes for this time is closed. Lower it if slow "
                + "readers hold memory.")
        @Setting(value = "30 s", range = "100 ms to 1 h")
        long writeTimeoutMillis,

        @About("Time for a whole request, else 408, and for a whole WebSocket message, else close code 1008. Raise it "
                + "for large bodies over slow lines.")
        @Setting(value = "30 s", range = "100 ms to 1 h")
        long requestTimeoutMillis,

        @About(
                "Deadline of a call or a whole batch, with all attempts. Lower it if clients give up sooner; raise it for"
                        + " slow calls.")
        @Setting(value = "30 s", range = "10 ms to 1 h")
        long callTimeoutMillis,

        @About("Time to wait at shutdown for calls in flight. The grace period of the service manager must be longer "
                + "than `server.drain-delay` and `server.drain` together.")
        @Setting(value = "10 s", range = "0 s to 1 h")
        long drainMillis,

        @About("Time at shutdown in which health checks fail and calls are still served, before the listener closes. "
                + "Behind a balancer, set a little more than the time in which it notices a failed health check.")
        @Setting(value = "0 s", range = "0 s to 1 h")
        long drainDelayMillis,

        @About(
                "Path whose GET answers 200 or 503 as `/health/ready` of the admin listener does, whatever its `Host` or "
                        + "`Origin`; null is none. Set it if a balancer can check only the port that it sends requests to.")
        @Setting(
                pattern = "/|(/(?!(v3|ws)(/|$))[A-Za-z0-9._~-]{1,63}){1,8}",
                rule = "a path such as /health, of letters, digits and ._~- and without the parts v3 and ws")
        @Nullable
        String healthPath,

        @Setting(path = ".") Load load,

        @About("Pages of browsers that may send calls and read answers.") @Setting
        Cors cors,

        @About("Addresses or blocks of the proxies in front of this one. Their `Forwarded` or `X-Forwarded-For` gives "
                + "the client's address, and bounds per address do not count them. Set it behind a balancer or another "
                + "proxy.")
        @Setting(value = "[]", form = Forms.AddressBlocks.class)
        List<AddressBlock> trustedProxies,

        @About(
                "File to which each HTTP request and each WebSocket message adds a line of JSON; null is none. Set it to "
                        + "record calls by client and key.")
        @Setting(path = "access-log.file", rule = "the path of a file", written = true)
        @Nullable
        Path accessLog,

        @About("Hosts whose requests are answered; others get 403. Always allowed are loopback, the address that a "
                + "connection reached, `server.host` and the hosts of networks. `*` allows every host, and with it DNS "
                + "rebinding.")
        @Setting(value = "[]", form = Forms.Hosts.class)
        Set<String> hosts,

        @About("Folder of this proxy alone, in which `units.json` keeps over a restart what nodes and keys with daily "
                + "budgets used today. With null a restart counts from zero. A folder that other users may write to is "
                + "refused.")
        @Setting(rule = "the path of a folder", written = true)
        @Nullable
        Path data,

        @About("TLS of the JSON-RPC listener, off without a certificate.") @Setting
        TlsConfig tls) {

    /** The browser pages that may send calls and read answers. Immutable. */
    public record Cors(
            @About(
                    "Origins of browser pages that may send calls and read answers; `*` is every page. A request from another"
                            + " page gets 403, unless its origin is the host that it names.")
            @Setting(value = "[]", pattern = Forms.CORS_ORIGIN, rule = Forms.CORS_ORIGIN_RULE)
            Set<String> origins,

            @About(
                    "Request headers that pages may send besides those of the proxy and of traces; `*` is every header. Add a"
                            + " header that a browser's console names.")
            @Setting(value = "[]", pattern = Forms.TOKEN, rule = "the name of a header, such as X-Client-Version, or *")
            List<String> headers) {}

    /** Bounds on work in flight. Immutable. */
    public record Load(
            @About(
                    "Bytes of all requests and answers in flight. Over it new work waits 250 ms, then gets 503 or close code "
                            + "1013. `auto` is a quarter of the heap, at most 256 MiB. Set at most half of `-Xmx`.")
            @Setting(value = "auto", path = "bytes-in-flight", range = "1 MiB to 1024 GiB")
            long bytes,

            @About(
                    "Calls in flight over all connections, streamed results included; over it 503 with `Retry-After`. Raise "
                            + "it if `weir_calls_in_flight` reaches it and memory allows more.")
            @Setting(value = "20000", path = "calls-in-flight", range = "1 to 10000000")
            int calls,

            @About(
                    "Open connections from one address; over it new ones are closed. 0 disables the bound. Loopback addresses"
                            + " and `server.trusted-proxies` are not counted. Raise it if many clients share one address.")
            @Setting(value = "256", path = "max-connections-per-address", range = "0 to 10000000")
            int connectionsPerAddress) {}
}
