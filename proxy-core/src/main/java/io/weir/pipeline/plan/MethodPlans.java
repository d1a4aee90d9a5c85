package io.weir.pipeline.plan;

import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.ContractScope;
import io.weir.method.MethodFacts;
import io.weir.method.MethodPolicy;
import io.weir.method.MethodRole;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.catalogue.UnlistedMethods;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.ParamLimit;
import io.weir.metrics.Meter;
import io.weir.pipeline.CacheStages;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.gas.GasCapStage;
import io.weir.pipeline.gas.GasCapStage.HeadGasLimit;
import io.weir.pipeline.gas.GasCapStage.PolledGasLimit;
import io.weir.pipeline.head.HeadStage;
import io.weir.pipeline.head.HeadStage.BlockNumberStage;
import io.weir.pipeline.head.HeadStage.HeadBlockStage;
import io.weir.pipeline.head.LogTagStage;
import io.weir.pipeline.head.MiningOnDemand;
import io.weir.pipeline.head.WriteStage;
import io.weir.pipeline.head.WriteStage.ChainChangeStage;
import io.weir.pipeline.plan.MethodPlan.StagePath;
import io.weir.pipeline.send.SendStage;
import io.weir.upstream.UpstreamPool;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one list of stages: composes the whole plan of every method of a network. Made once for each network. Immutable and
 * thread-safe.
 *
 * <p>The table of all plans is in {@code ARCHITECTURE.md}. A test compares it with {@link MethodPlan#stages}.
 */
public final class MethodPlans {

    /** Of methods that would have to push messages later. */
    private static final Stage NO_NOTIFICATIONS = notFound("notifications not supported");

    private static final Stage NO_FILTERS =
            notFound("filters not supported: the network has no stream of Ethereum's blocks");

    private final NetworkConfig network;
    /** The parameters of a filter of logs are those of a subscription to logs. */
    private final @Nullable MethodParams logFilter;

    private final MethodPolicy policy;
    private final CallMeters meters;
    private final UpstreamPool pool;
    private final Stage ownCalls;
    private final HeadGasLimit headGasLimit;
    private final Map<MethodRole, Stage> specialStages;
    private final CacheStages cache;
    private final Map<String, MethodPlan> plans = new HashMap<>();
    private final ForwardStage forward;
    private final MiningOnDemand mining;
    private final MethodPlan unknown;
    private final MethodPlan unknownWrite;
    private final MethodPlan chainChange;

    /**
     * @param forward sends clients' calls to the nodes
     * @param handlers plugins' stages by method
     * @param specialStages last stages by role, for roles whose calls are not simply forwarded
     * @param cache makes the stages between the checks of a call and the nodes
     */
    public MethodPlans(
            MethodCatalogue catalogue,
            NetworkConfig network,
            ForwardStage forward,
            Map<String, Stage> handlers,
            Map<MethodRole, Stage> specialStages,
            CacheStages cache) {
        this.network = network;
        this.logFilter = catalogue.paramsOf(MethodRole.NEW_LOG_FILTER);
        this.policy = new MethodPolicy(network.methods());
        this.meters = forward.meters();
        this.pool = forward.pool();
        this.forward = forward;
        this.specialStages = specialStages;
        this.cache = cache;
        this.ownCalls = forward.over(pool, true);
        this.headGasLimit = new PolledGasLimit(meters.network(), ownCalls, forward.clock());
        this.mining = new MiningOnDemand(network.chainId(), network.blockMillis() > 0, forward.clock());
        if (specialStages.get(MethodRole.SEND_RAW) instanceof SendStage sends) {
            mining.whenRolledBack(sends::forget);
        }
        pool.head().tracker().listen(mining);
        catalogue.all().forEach(facts -> plans.put(facts.name(), plan(facts, handlers.get(facts.name()))));
        handlers.forEach(
                (method, handler) -> plans.computeIfAbsent(method, name -> plan(catalogue.facts(name), handler)));
        this.unknown = unknown(List.of(), forward);
        this.unknownWrite = unknown(List.of(next -> new WriteStage(pool.head(), mining, ownCalls, next)), forward);
        this.chainChange = unknown(
                List.of(next -> new ChainChangeStage(pool.head().tracker(), mining, cache::forgetAll, next)), forward);
    }

    private MethodPlan unknown(List<UnaryOperator<Stage>> steps, Stage forward) {
        StagePath path = StagePath.of(steps, forward);
        MethodFacts unknownFacts = MethodFacts.unknown("other");
        return new MethodPlan(
                unknownFacts,
                meters.of("other", unknownFacts.cost()),
                new MethodPlan.Rule(false, policy, ContractRule.ANY),
                null,
                path,
                path.first());
    }

    /** Returns the methods that have a plan of their own. */
    public Set<String> methods() {
        return Collections.unmodifiableSet(plans.keySet());
    }

    /** Returns the plan of a method. Methods outside the catalogue share a few, by what their names say that they change. */
    public MethodPlan plan(String method) {
        MethodPlan plan = plans.get(method);
        if (plan != null) {
            return plan;
        }
        if (UnlistedMethods.mayChangeChain(method)) {
            return chainChange;
        }
        return UnlistedMethods.isWrite(method) ? unknownWrite : unknown;
    }

    private MethodPlan plan(MethodFacts facts, @Nullable Stage handler) {
        // Composed for a denied method too: the proxy's own fetches of blocks use it.
        StagePath own = stages(facts);
        boolean denied = !policy.serves(facts.name(), true);
        boolean forwarded = handler == null && !specialStages.containsKey(facts.role());
        return new MethodPlan(
                facts,
                meters.of(facts.name(), facts.cost()),
                denied ? MethodPlan.Rule.DENIED : new MethodPlan.Rule(false, null, contracts(facts, handler)),
                forwarded && !denied ? cache.fastPath(facts) : null,
                handler == null ? own : new StagePath(List.of("Plugin"), handler),
                own.first());
    }

    /** Returns the rule for keys that are bound to contracts. A plugin's handler may reach any. */
    private ContractRule contracts(MethodFacts facts, @Nullable Stage handler) {
        MethodParams params = facts.contracts() == ContractScope.SUBSCRIPTION ? logFilter : facts.params();
        return handler == null ? new ContractRule(facts.contracts(), params) : ContractRule.ANY;
    }

    /** Composes the stages behind the admission. */
    private StagePath stages(MethodFacts facts) {
        if (facts.role() == MethodRole.SUBSCRIBE || facts.role() == MethodRole.UNSUBSCRIBE) {
            return StagePath.of(List.of(), specialStages.getOrDefault(facts.role(), NO_NOTIFICATIONS));
        }
        MethodParams params = facts.params();
        List<UnaryOperator<Stage>> steps = new ArrayList<>();
        if (params != null) {
            steps.add(next -> new ValidateStage(params, meters, next));
            steps.add(next -> gasCapStage(params, next));
            steps.add(next -> logTagStage(facts, next));
            steps.add(next -> sentStage(facts, next));
            steps.add(next -> headStage(facts, next));
        } else if (facts.writes()) {
            steps.add(next -> headStage(facts, next));
        }
        Stage last = lastStage(facts);
        if (last == null) {
            steps.addAll(nodeSteps(cache, facts));
            boolean repeatable = facts.repeatable();
            last = forward.repeating(method -> repeatable);
        }
        return StagePath.of(steps, last);
    }

    /** Returns the stages behind the checks of a method's calls: from the cache to {@code forward}. */
    public static Stage behindChecks(CacheStages cache, MethodFacts facts, Stage forward) {
        return StagePath.of(nodeSteps(cache, facts), forward).first();
    }

    private static List<UnaryOperator<Stage>> nodeSteps(CacheStages cache, MethodFacts facts) {
        if (!facts.repeatable()) {
            return List.of();
        }
        return List.of(
                next -> cache.demandStage(facts, next),
                next -> cache.cacheStage(facts, next),
                cache::coalesceStage,
                next -> cache.tierStage(facts, next),
                next -> cache.proofStage(facts, next),
                next -> cache.rangeStage(facts, next),
                next -> cache.agreeStage(facts, next));
    }

    /** Returns the last stage of a method whose calls do not go to a node of the pool like any other; else null. */
    private @Nullable Stage lastStage(MethodFacts facts) {
        if (facts.params() != null && facts.role() == MethodRole.CHAIN_ID) {
            String id = network.chainId();
            BigInteger number = id.startsWith("0x") ? new BigInteger(id.substring(2), 16) : new BigInteger(id);
            return new FixedReplyStage(new RpcReply.Result(RawJson.of("\"0x" + number.toString(16) + '"')));
        }
        Stage special = specialStages.get(facts.role());
        return special == null && facts.role().isOfStream() ? NO_FILTERS : special;
    }

    private static Stage notFound(String message) {
        return new FixedReplyStage(RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error(message)));
    }

    private Stage gasCapStage(MethodParams params, Stage next) {
        long factor = network.methods().gasCapFactor();
        return params.callIndex() < 0 || factor == 0
                ? next
                : new GasCapStage(headGasLimit, factor, meters.of(Meter.GAS_CAPPED), next);
    }

    private Stage logTagStage(MethodFacts facts, Stage next) {
        return facts.cacheClass() == CacheClass.LOGS ? new LogTagStage(pool.head(), next) : next;
    }

    private Stage sentStage(MethodFacts facts, Stage next) {
        return specialStages.get(MethodRole.SEND_RAW) instanceof SendStage sends
                ? sends.lookupStage(facts, next)
                : next;
    }

    private Stage headStage(MethodFacts facts, Stage next) {
        MethodParams params = facts.params();
        if (facts.role() == MethodRole.HEAD_NUMBER && params != null) {
            return new BlockNumberStage(pool.head(), params.blocks(), next);
        }
        if (facts.role() == MethodRole.HEAD_BLOCK && params != null) {
            return new HeadBlockStage(pool.head(), params.blocks(), next);
        }
        if (facts.writes()) {
            return new WriteStage(pool.head(), mining, ownCalls, next);
        }
        return facts.isHeldToHead() ? new HeadStage(facts, pool.head(), next) : next;
    }

    /** Stage that answers every call with the same reply. Thread-safe. */
    private record FixedReplyStage(RpcReply reply) implements Stage {

        @Override
        public void handle(CallContext context, ReplySink sink) {
            sink.accept(reply);
        }
    }

    /** Stage that refuses invalid parameters and normalises valid ones. Thread-safe. */
    private record ValidateStage(MethodParams params, CallMeters meters, Stage next) implements Stage {

        @Override
        public void handle(CallContext context, ReplySink sink) {
            CheckedParams checked;
            try {
                checked = params.check(context.call().params());
            } catch (InvalidParamsException e) {
                ParamLimit limit = e.limit();
                if (limit != null) {
                    meters.countOverLimit(limit);
                }
                ErrorCode code = limit == null ? ErrorCode.INVALID_PARAMS : limit.code();
                sink.accept(RpcReply.failure(code.error(e.getMessage())));
                return;
            }
            context.checked(checked);
            next.handle(context, sink);
        }
    }
}
