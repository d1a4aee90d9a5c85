package io.weir.bench.load.server;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * nginx as an expert would set it up before a node. It has one worker, persistent connections on both sides, no access log and
 * whole bodies in memory. On request it caches answers by the body.
 */
final class NginxConfiguration {

    @SuppressWarnings("InlineFormatString") // A file of its own, which reads better alone.
    private static final String TEXT = """
            %1$s
            daemon off;
            worker_processes 1;
            pid %2$s/nginx.pid;
            error_log stderr crit;
            events { worker_connections 8192; use epoll; multi_accept on; }
            http {
              access_log off;
              sendfile on;
              tcp_nodelay on;
              default_type application/json;
              keepalive_timeout 300s;
              keepalive_requests 1000000000;
              client_max_body_size 16m;
              client_body_buffer_size 1m;
              client_body_temp_path %2$s/body;
              proxy_temp_path %2$s/proxy;
              fastcgi_temp_path %2$s/fastcgi;
              uwsgi_temp_path %2$s/uwsgi;
              scgi_temp_path %2$s/scgi;
              proxy_buffer_size 16k;
              proxy_buffers 64 16k;
              proxy_max_temp_file_size %4$s;
              open_file_cache max=20000 inactive=300s;
              open_file_cache_valid 300s;
              proxy_cache_path %2$s/cache levels=1:2 keys_zone=calls:64m max_size=512m inactive=1h use_temp_path=off;
              upstream node {
            %3$s
                keepalive 256;
                keepalive_requests 1000000000;
              }
              server {
                listen 127.0.0.1:%5$d backlog=4096;
                location / {
                  proxy_pass http://node;
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  proxy_next_upstream error timeout http_500 non_idempotent;
            %6$s
                }
              }
            }
            """;

    private static final String CACHE = """
                  proxy_cache calls;
                  proxy_cache_methods POST;
                  proxy_cache_key $request_body;
                  proxy_cache_valid 200 1h;
                  proxy_cache_lock on;
            """;

    private NginxConfiguration() {}

    static String text(int port, List<Integer> nodePorts, boolean cache, Path folder) {
        // As root nginx gives its rights away to a user who may not write in the folder.
        String user =
                ProcessHandle.current().info().user().filter("root"::equals).isPresent() ? "user root;" : "";
        String nodes = nodePorts.stream()
                .map(node -> "    server 127.0.0.1:" + node + ";")
                .collect(Collectors.joining("\n"));
        return TEXT.formatted(user, folder, nodes, cache ? "1024m" : "0", port, cache ? CACHE : "");
    }
}
