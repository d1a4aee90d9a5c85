package io.weir.admin;

import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.tier.Tier.Status;
import io.weir.chain.HeadTracker;
import io.weir.config.UpstreamConfig;
import io.weir.method.ResultKind;
import io.weir.metrics.CallTotals;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.network.OperatorChanges.NodeChange;
import io.weir.plugin.PluginSummary;
import io.weir.sharing.SharedLimits;
import io.weir.tls.CertificateStatus;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.BudgetStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The content of {@code /status}: versions, plugins, networks and their upstreams, without addresses or keys.
 * Thread-safe.
 */
public final class StatusReport {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Program program;
    private final Clock clock;
    private final Instant started;
    private final CurrentGeneration generation;
    private final ResultMemory results;
    private final Meters meters;
    private final Reload reload;

    /**
     * The program that runs. Immutable.
     *
     * @param certificates those in use now
     * @param sharing the exchange with other proxies; null without it
     */
    public record Program(
            String version,
            List<PluginSummary> plugins,
            Supplier<List<CertificateStatus>> certificates,
            @Nullable SharedLimits sharing) {

        public Program {
            plugins = List.copyOf(plugins);
        }
    }

    public StatusReport(
            Program program,
            Clock clock,
            CurrentGeneration generation,
            ResultMemory results,
            Meters meters,
            Reload reload) {
        this.program = program;
        this.clock = clock;
        this.started = clock.instant();
        this.generation = generation;
        this.results = results;
        this.meters = meters;
        this.reload = reload;
    }

    /** Returns the history of the meters, which begins now. */
    StatusHistory history() {
        return new StatusHistory(meters, System.nanoTime());
    }

    /** Returns the clock of the times that operators see. */
    Clock clock() {
        return clock;
    }

    byte[] json() {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree(CallTotals.of(meters)));
    }

    ObjectNode tree(CallTotals totals) {
        ObjectNode root = JSON.createObjectNode();
        root.put("version", program.version());
        root.put("started", started.toString());
        root.put("uptimeSeconds", Duration.between(started, clock.instant()).toSeconds());
        ArrayNode loaded = root.putArray("plugins");
        program.plugins()
                .forEach(plugin -> loaded.addObject().put("id", plugin.id()).put("version", plugin.version()));
        List<CertificateStatus> inUse = program.certificates().get();
        if (!inUse.isEmpty()) {
            ArrayNode list = root.putArray("certificates");
            inUse.forEach(certificate -> write(list.addObject(), certificate));
        }
        SharedLimits sharing = program.sharing();
        if (sharing != null) {
            root.putObject("sharing").put("up", sharing.isUp()).put("state", sharing.state());
        }
        Reload.Result last = reload.last();
        if (last != null) {
            ReloadOperation.write(root.putObject("reload"), last);
        }
        ObjectNode cache = root.putObject("cache");
        cache.put("entries", results.store().entries());
        cache.put("bytes", results.store().bytes());
        cache.put("evictions", results.store().evictions());
        ArrayNode tiers = cache.putArray("tiers");
        results.tiers().status().forEach(tier -> write(tiers.addObject(), tier));
        ObjectNode networks = root.putObject("networks");
        Generation current = generation.get();
        Map<String, Network> sorted = new TreeMap<>(current.networks());
        sorted.forEach((name, network) -> write(networks.putObject(name), network, current, totals));
        return root;
    }

    private static void write(ObjectNode json, CertificateStatus certificate) {
        json.put("setting", certificate.setting());
        ArrayNode hosts = json.putArray("hosts");
        certificate.hosts().forEach(hosts::add);
        json.put("notAfter", certificate.notAfter().toString());
        if (certificate.problem() != null) {
            json.put("problem", certificate.problem());
        }
    }

    private void write(ObjectNode json, Network network, Generation current, CallTotals totals) {
        json.put("kind", network.config().kind());
        json.put("chainId", network.config().chainId());
        json.put("usable", network.pool().usable());
        HeadTracker.Head head = network.pool().head().tracker().head();
        if (head.number() >= 0) {
            ObjectNode known = json.putObject("head");
            known.put("number", head.number());
            known.put("ageMillis", TimeUnit.NANOSECONDS.toMillis(head.ageNanos()));
            known.put("fresh", head.fresh());
        }
        String name = network.id().name();
        write(json, totals.outcomes(name), totals.latency(name));
        write(json.putObject("cache"), network.cache().meters());
        Map<String, String> unverifiable = new TreeMap<>(network.cache().unverifiable());
        if (!unverifiable.isEmpty()) {
            ObjectNode methods = json.putObject("unverifiable");
            unverifiable.forEach(methods::put);
        }
        List<String> complete = network.cache().completeLogs();
        if (!complete.isEmpty()) {
            ArrayNode ranges = json.putArray("completeLogs");
            complete.forEach(ranges::add);
        }
        ArrayNode upstreams = json.putArray("upstreams");
        for (Upstream upstream : network.pool().upstreams()) {
            ObjectNode line = upstreams.addObject();
            write(line, upstream.status(), clock);
            write(line, totals.outcomes(name, upstream.id()), totals.latency(name, upstream.id()));
            write(line, upstream.budget());
            UpstreamConfig configured = network.config().upstreams().get(upstream.id());
            if (configured != null && configured.wsUrl() != null && configured.subscribe()) {
                line.put("webSocket", true);
            }
            if (configured != null && configured.weight() != upstream.status().weight()) {
                line.put("configuredWeight", configured.weight());
            }
            if (configured != null && configured.tls().acceptAnyCertificate()) {
                line.put("warning", "any certificate of the node is accepted (insecure-accept-any-certificate)");
            }
            List<NodeChange> changes = generation.changes().of(name, upstream.id());
            if (!changes.isEmpty()) {
                ArrayNode list = line.putArray("changes");
                changes.forEach(change -> UpstreamOperation.write(list.addObject(), change, current));
            }
        }
    }

    private static void write(ObjectNode json, Map<String, Long> outcomes, CallTotals.Latency latency) {
        ObjectNode calls = json.putObject("calls");
        outcomes.forEach(calls::put);
        json.set("latency", JSON.valueToTree(latency));
    }

    private static void write(ObjectNode json, @Nullable BudgetStatus budget) {
        if (budget == null) {
            return;
        }
        ObjectNode units = json.putObject("budget");
        units.put("state", budget.over() ? "over budget" : "within budget");
        if (budget.perSecond() > 0) {
            units.put("perSecond", budget.perSecond());
            units.put("usedInSecond", budget.usedInSecond());
        }
        units.put("usedToday", budget.usedToday());
        if (budget.perDay() > 0) {
            units.put("perDay", budget.perDay());
            units.put("leftToday", budget.leftToday());
        }
    }

    private static void write(ObjectNode json, CacheMeters meters) {
        ObjectNode hits = json.putObject("hits");
        ObjectNode derived = json.putObject("derived");
        ObjectNode misses = json.putObject("misses");
        for (ResultKind kind : ResultKind.values()) {
            hits.put(kind.label(), meters.lookups(kind, LookupOutcome.HIT));
            derived.put(kind.label(), meters.lookups(kind, LookupOutcome.DERIVED));
            misses.put(kind.label(), meters.lookups(kind, LookupOutcome.MISS));
        }
    }

    private static void write(ObjectNode json, Status tier) {
        json.put("name", tier.name());
        json.put("state", tier.state());
        if (tier.entries() >= 0) {
            json.put("entries", tier.entries());
            json.put("bytes", tier.bytes());
        }
        json.put("hits", tier.hits());
        json.put("misses", tier.misses());
        json.put("stored", tier.stored());
    }

    private static void write(ObjectNode json, UpstreamStatus status, Clock clock) {
        json.put("id", status.id());
        json.put("tier", status.tier());
        json.put("weight", status.weight());
        if (status.drained()) {
            json.put("drained", true);
        }
        json.put("health", status.health().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        if (status.head() >= 0) {
            json.put("head", status.head());
        }
        json.put("inFlight", status.inFlight());
        if (!status.detail().isEmpty()) {
            json.put("detail", status.detail());
        }
        if (status.heldMillis() > 0) {
            json.put("outUntil", clock.instant().plusMillis(status.heldMillis()).toString());
        }
    }
}
