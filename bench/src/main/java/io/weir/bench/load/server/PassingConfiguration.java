package io.weir.bench.load.server;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Configurations of HAProxy and eRPC: one thread where that can be said, failed calls sent on to the next node. */
final class PassingConfiguration {

    @SuppressWarnings("InlineFormatString") // Files of their own, which read better alone.
    private static final String HAPROXY = """
            global
              maxconn 8192
              nbthread 1
            defaults
              mode http
              timeout connect 2s
              timeout client 60s
              timeout server 60s
              option http-keep-alive
              option redispatch 1
              http-reuse always
              retries 2
              retry-on conn-failure empty-response response-timeout 500
            frontend calls
              bind 127.0.0.1:%d backlog 4096
              default_backend nodes
            backend nodes
              balance roundrobin
              option httpchk
              http-check send meth POST uri / ver HTTP/1.1 hdr Host node hdr Content-Type application/json body \
            "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"eth_chainId\\",\\"params\\":[]}"
              http-check expect status 200
            %s
            """;

    @SuppressWarnings("InlineFormatString")
    private static final String ERPC = """
            logLevel: error
            server:
              httpHostV4: 127.0.0.1
              listenV4: true
              httpPortV4: %d
              maxTimeout: 60s
            metrics:
              enabled: false
            database:
              evmJsonRpcCache:
                connectors:
                  - id: memory
                    driver: memory
                    memory:
                      maxItems: 100000
                      maxTotalSize: 256MB
                policies:
                  - network: "*"
                    method: "*"
                    finality: finalized
                    empty: allow
                    connector: memory
                    ttl: 0
                  - network: "*"
                    method: "*"
                    finality: unfinalized
                    empty: allow
                    connector: memory
                    ttl: 5s
                  - network: "*"
                    method: "*"
                    finality: realtime
                    empty: allow
                    connector: memory
                    ttl: 2s
            projects:
              - id: main
                networks:
                  - architecture: evm
                    evm:
                      chainId: 1
                upstreams:
            %s
            """;

    private PassingConfiguration() {}

    static String haproxy(int port, List<Integer> nodes) {
        return HAPROXY.formatted(port, list(nodes, "  server node-%d 127.0.0.1:%d check inter 1s maxconn 512"));
    }

    static String erpc(int port, List<Integer> nodes) {
        String node = """
                      - id: node-%d
                        type: evm
                        endpoint: http://127.0.0.1:%d
                        evm:
                          chainId: 1
                """;
        return ERPC.formatted(port, list(nodes, node.stripTrailing()));
    }

    private static String list(List<Integer> nodes, String pattern) {
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> pattern.formatted(i, nodes.get(i)))
                .collect(Collectors.joining("\n"));
    }
}
