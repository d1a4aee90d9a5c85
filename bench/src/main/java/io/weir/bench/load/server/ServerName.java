package io.weir.bench.load.server;

import java.util.Locale;

/** The compared servers. */
public enum ServerName {
    /** This proxy, as configured by default. */
    WEIR("Weir"),
    /** This proxy, which sends each call to the node by itself. */
    WEIR_UNBATCHED("Weir, batching off"),
    /** This proxy in a JVM with other flags. */
    WEIR_OTHER("Weir, otherwise"),
    /** This proxy as its distribution starts it, by {@code bin/weir}. */
    WEIR_INSTALLED("Weir, bin/weir"),
    /** Passes on, with connections to the node kept open. */
    NGINX_PASS("nginx proxy_pass"),
    /** Keeps answers by the request's body. */
    NGINX_CACHE("nginx proxy_cache"),
    /** Passes on. */
    HAPROXY("HAProxy"),
    /** Another JSON-RPC proxy with a cache. */
    ERPC("eRPC"),
    /** Netty's HTTP codec and a constant. */
    BARE("bare Netty"),
    /** Netty's HTTP codecs, which pass everything on. */
    NETTY_PASS("Netty alone"),
    /** The node itself, with nothing before it. */
    DIRECT("node, no proxy");

    private final String title;

    ServerName(String title) {
        this.title = title;
    }

    /** Returns the name in tables. */
    public String title() {
        return title;
    }

    /** Returns the name on the command line and in the files of a run. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is this proxy. */
    public boolean isWeir() {
        return this == WEIR || this == WEIR_UNBATCHED || this == WEIR_OTHER || this == WEIR_INSTALLED;
    }
}
