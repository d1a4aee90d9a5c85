package io.weir.pipeline.plan;

import io.weir.config.NetworkConfig;
import io.weir.method.MethodCatalogue;
import io.weir.method.MethodFacts;
import io.weir.method.MethodPolicy;
import io.weir.method.MethodRole;
import io.weir.method.params.MethodParams;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.Shortcut;
import io.weir.pipeline.Stage;
import io.weir.pipeline.gas.GasCapStage;
import io.weir.pipeline.gas.HeadGasLimit;
import io.weir.pipeline.gas.PolledGasLimit;
import io.weir.pipeline.head.BlockNumberStage;
import io.weir.pipeline.head.FinalityMemory;
import io.weir.pipeline.head.HeadStage;
import io.weir.pipeline.head.WriteStage;
import io.weir.upstream.UpstreamPool;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one list of stages: which ones a call passes, in which order, by its method. Made once for each network; immutable and
 * thread-safe.
 *
 * <pre>
 * denied on the network       Meter → "does not exist"
 * served by a plugin          Meter → Admit → the plugin's handler
 * wants notifications         Meter → Admit → "notifications not supported"
 * the chain's id              Meter → Admit → Validate → the configuration's
 * the head's number           Meter → Admit → Validate → BlockNumber → Coalesce → Forward
 * sends a transaction         Meter → Admit → Validate → Write → Forward, or Send
 * is about a block            Meter → Admit → Validate → Head → Cache, where it may be kept → Coalesce → Forward
 * takes a call object         Meter → Admit → Validate → GasCap → Head → Cache, likewise → Coalesce → Forward
 * takes known parameters      Meter → Admit → Validate → Coalesce, where it is safe to repeat → Forward
 * filters                     Meter → Admit → Validate → a stage of {@code io.weir.pipeline.filter}
 * every other known one       Meter → Admit → Coalesce, likewise → Forward
 * not in the catalogue        Meter → Policy → Admit → Write → Forward
 * </pre>
 */
public final class MethodPlans {

    private final NetworkConfig network;
    private final MethodPolicy policy;
    private final CallMeters meters;
    private final UpstreamPool pool;
    private final HeadGasLimit headGasLimit;
    private final FinalityMemory finality;
    private final Map<MethodRole, Stage> ownWays;
    private final Shortcut shortcut;
    private final Map<String, MethodPlan> plans = new HashMap<>();
    private final MethodPlan unknown;

    /**
     * Decides the plans.
     *
     * @param repeatable whether a call of a method that the catalogue does not know may be sent twice
     * @param handlers plugins' stages by method
     * @param ownWays the stages of roles whose calls are not simply forwarded
     * @param shortcut what may answer a call that would be
     */
    public MethodPlans(
            MethodCatalogue catalogue,
            NetworkConfig network,
            CallMeters meters,
            UpstreamPool pool,
            Predicate<String> repeatable,
            Map<String, Stage> handlers,
            Map<MethodRole, Stage> ownWays,
            Shortcut shortcut) {
        this.network = network;
        this.policy = new MethodPolicy(network.methods());
        this.finality = new FinalityMemory(network.finalityDepth(), System::nanoTime);
        this.meters = meters;
        this.pool = pool;
        this.ownWays = ownWays;
        this.shortcut = shortcut;
        this.headGasLimit =
                new PolledGasLimit(meters.network(), new ForwardStage(pool, meters, method -> true), System::nanoTime);
        catalogue.all().forEach(facts -> plans.put(facts.name(), plan(facts, handlers.get(facts.name()))));
        handlers.forEach(
                (method, handler) -> plans.computeIfAbsent(method, name -> plan(catalogue.facts(name), handler)));
        Stage pass = new WriteStage(
                pool.head().tracker(), shortcut.beforeUnknown(new ForwardStage(pool, meters, repeatable)));
        CallMeters.OfMethod others = meters.of("other");
        unknown = new MethodPlan(
                MethodFacts.unknown("other"),
                null,
                others,
                new MeterStage(others, new PolicyStage(policy, new AdmitStage(pass, false))),
                new PolicyStage(policy, pass));
    }

    /** How stages of other packages send calls to nodes: as the end of most plans does. */
    public static Forwarding forwarding(CallMeters meters) {
        return (pool, repeatable) -> new ForwardStage(pool, meters, method -> repeatable);
    }

    /** The methods that have a plan of their own. */
    public Set<String> methods() {
        return Collections.unmodifiableSet(plans.keySet());
    }

    /** The plan of a method. */
    public MethodPlan plan(String method) {
        MethodPlan plan = plans.get(method);
        return plan == null ? unknown : plan;
    }

    private MethodPlan plan(MethodFacts facts, @Nullable Stage handler) {
        Stage own = ownWay(facts);
        Stage admitted = new AdmitStage(handler == null ? own : handler, true);
        boolean served = policy.serves(facts.name(), true);
        boolean simple = served && handler == null && !ownWays.containsKey(facts.role());
        CallMeters.OfMethod counts = meters.of(facts.name());
        return new MethodPlan(
                facts,
                simple ? shortcut.atOnce(facts) : null,
                counts,
                new MeterStage(counts, served ? admitted : PolicyStage.DENY),
                served ? own : PolicyStage.DENY);
    }

    private Stage ownWay(MethodFacts facts) {
        if (facts.role() == MethodRole.SUBSCRIPTION) {
            return FixedFailureStage.NO_NOTIFICATIONS;
        }
        Stage way = ownWays.get(facts.role());
        Stage last =
                way != null ? way : shortcut.before(facts, new ForwardStage(pool, meters, name -> facts.repeatable()));
        MethodParams params = facts.params();
        if (params == null) {
            return last;
        }
        Stage behind = behindChecks(facts, last);
        return new ValidateStage(params, network.methods().lenientParams(), meters, capped(params, behind));
    }

    private Stage behindChecks(MethodFacts facts, Stage forward) {
        return switch (facts.role()) {
            case CHAIN_ID -> FixedResultStage.chainId(network.chainId());
            case NETWORK_ID -> FixedResultStage.networkId(network.chainId());
            case HEAD_NUMBER -> new BlockNumberStage(pool.head(), forward);
            default -> facts.writes() ? new WriteStage(pool.head().tracker(), forward) : held(facts, forward);
        };
    }

    private Stage held(MethodFacts facts, Stage forward) {
        return facts.isHeldToHead() ? new HeadStage(facts, pool.head(), finality, forward) : forward;
    }

    private Stage capped(MethodParams params, Stage behind) {
        long factor = network.methods().gasCapFactor();
        return params.callIndex() < 0 || factor == 0
                ? behind
                : new GasCapStage(headGasLimit, factor, meters.gasCuts(), behind);
    }
}
