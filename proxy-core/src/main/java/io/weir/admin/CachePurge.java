package io.weir.admin;

import io.netty.channel.EventLoop;
import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.cache.CachedResult;
import io.weir.network.CurrentGeneration;
import io.weir.network.Network;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /cache/purge}: removes cached results of one network ({@code ?network=}), of one of its blocks ({@code
 * &block=}, a number or a hash), or all ({@code ?all=true}). Thread-safe.
 */
record CachePurge(CurrentGeneration generation) {

    private static final Set<String> NAMES = Set.of("network", "block", "all");
    private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]{64}");
    private static final Pattern HEX_NUMBER = Pattern.compile("0x[0-9a-fA-F]{1,15}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private static final Response BUSY = AdminResponses.text(
            503, "purge: not done for every network and in every tier (expected: once more, later)");

    /** Purges the results that a request names. The sink gets the response once, on the loop. */
    void handle(Request request, EventLoop loop, Consumer<Response> sink) {
        Map<String, String> query = request.query();
        String name = query.get("network");
        boolean all = "true".equals(query.get("all"));
        if (!NAMES.containsAll(query.keySet()) || all == (name != null) || (all && query.containsKey("block"))) {
            sink.accept(AdminResponses.text(
                    400,
                    "query: not understood (expected: network=<name>, with or without"
                            + " block=<number or hash>, or all=true)"));
            return;
        }
        Predicate<CachedResult> which = which(query.get("block"));
        if (which == null) {
            sink.accept(AdminResponses.text(400, "block: not understood (expected: a number, or a hash in hex)"));
            return;
        }
        Collection<Network> networks = networks(name);
        if (networks.isEmpty()) {
            sink.accept(AdminResponses.unknownNetwork());
            return;
        }
        purge(networks, which, loop, sink);
    }

    private Collection<Network> networks(@Nullable String name) {
        if (name == null) {
            return generation.get().networks().values();
        }
        Network network = generation.get().network(name);
        return network == null ? List.of() : List.of(network);
    }

    private static @Nullable Predicate<CachedResult> which(@Nullable String block) {
        if (block == null) {
            return result -> true;
        }
        if (HASH.matcher(block).matches()) {
            String hash = block.toLowerCase(Locale.ROOT);
            return result -> hash.equals(result.block().hash());
        }
        if (!HEX_NUMBER.matcher(block).matches() && !NUMBER.matcher(block).matches()) {
            return null;
        }
        long number = block.startsWith("0x") ? Long.parseLong(block.substring(2), 16) : Long.parseLong(block);
        return result -> result.block().number() == number;
    }

    private static void purge(
            Collection<Network> networks, Predicate<CachedResult> which, EventLoop loop, Consumer<Response> sink) {
        AtomicLong removed = new AtomicLong();
        AtomicBoolean whole = new AtomicBoolean(true);
        AtomicInteger open = new AtomicInteger(networks.size());
        Runnable end = () -> {
            if (open.decrementAndGet() == 0) {
                loop.execute(() -> sink.accept(whole.get() ? done(removed.get()) : BUSY));
            }
        };
        for (Network network : networks) {
            boolean begun = network.cache().purge(which, (count, everywhere) -> {
                removed.addAndGet(count);
                if (!everywhere) {
                    whole.set(false);
                }
                end.run();
            });
            if (!begun) {
                whole.set(false);
                end.run();
            }
        }
    }

    private static Response done(long removed) {
        return AdminResponses.json(200, "{\"removed\":" + removed + "}");
    }
}
