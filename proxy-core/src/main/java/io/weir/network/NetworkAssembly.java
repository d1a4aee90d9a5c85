package io.weir.network;

import io.netty.channel.EventLoopGroup;
import io.weir.api.NetworkKind;
import io.weir.api.SubscriptionForm;
import io.weir.cache.CacheMeters;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.UpstreamConfig;
import io.weir.config.WeirConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.limit.Budget;
import io.weir.method.MethodRole;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockIds;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.pipeline.evidence.JudgeCheck;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.plan.CallMeters;
import io.weir.pipeline.plan.ForwardStage;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.pipeline.plan.PlannedRequestRunner;
import io.weir.pipeline.send.SendStage;
import io.weir.pipeline.send.SendSyncStage;
import io.weir.pipeline.watch.KnownChain;
import io.weir.subscription.SubscriptionAssembly;
import io.weir.tracing.CallTracer;
import io.weir.upstream.NodeClient;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.budget.UnitLedger;
import io.weir.upstream.pool.ProbedPool;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The factory of networks from their settings. Used once per generation. Confined to one thread. */
public final class NetworkAssembly {

    private final EventLoopGroup loops;
    private final Meters meters;
    private final BiFunction<NetworkConfig, UpstreamConfig, NodeClient> clients;
    private final Function<String, Map<String, Stage>> handlers;
    private final ResultMemory memory;
    private final WeirConfig settings;
    private final UnitLedger ledger;
    /** The bytes of the subscriptions and filters of all networks. */
    private final Budget subscribed = new Budget(Runtime.getRuntime().maxMemory() / 16);
    /** Null while tracing is off. */
    private @Nullable CallTracer tracer;

    /** Creates a factory that counts the units of nodes' budgets from zero. */
    public NetworkAssembly(
            EventLoopGroup loops,
            Meters meters,
            BiFunction<NetworkConfig, UpstreamConfig, NodeClient> clients,
            Function<String, Map<String, Stage>> handlers,
            ResultMemory memory,
            WeirConfig settings) {
        this(loops, meters, clients, handlers, memory, settings, UnitLedger.inMemory(System::currentTimeMillis));
    }

    /**
     * @param loops the event loops of the calls
     * @param clients creates the client of a network's node
     * @param handlers plugins' stages by method, for a kind of network
     * @param memory the results of all networks
     * @param settings the settings of the whole proxy, for its limits and the call timeout
     * @param ledger the units of nodes' budgets
     */
    public NetworkAssembly(
            EventLoopGroup loops,
            Meters meters,
            BiFunction<NetworkConfig, UpstreamConfig, NodeClient> clients,
            Function<String, Map<String, Stage>> handlers,
            ResultMemory memory,
            WeirConfig settings,
            UnitLedger ledger) {
        this.loops = loops;
        this.meters = meters;
        this.clients = clients;
        this.handlers = handlers;
        this.memory = memory;
        this.settings = settings;
        this.ledger = ledger;
    }

    /** Sets the tracer of the calls of networks to come. */
    public void tracedBy(@Nullable CallTracer calls) {
        tracer = calls;
    }

    /** Returns the known facts about the methods of the networks of a kind. */
    public static MethodCatalogue catalogue(NetworkKind kind) {
        return MethodCatalogue.ofKind(
                kind.methods(), kind.blockForm(), kind.subscriptionForm(), kind.servesEthereumMethods());
    }

    /** Creates the clients of a network's nodes and its plans, with results under its name. Does not start probing. */
    public Network assemble(NetworkConfig config, NetworkKind kind) {
        return assemble(config, kind, config.name(), meters);
    }

    /**
     * Creates the clients of a network's nodes and its plans. Does not start probing.
     *
     * @param space the name of its results in memory
     * @param own where its meters are registered
     */
    public Network assemble(NetworkConfig config, NetworkKind kind, String space, Meters own) {
        Map<String, NodeClient> nodes = new LinkedHashMap<>();
        try {
            config.upstreams().forEach((name, upstream) -> nodes.put(name, clients.apply(config, upstream)));
            return assemble(config, kind, space, own, new ProbedPool(config, kind, nodes, loops, own, ledger));
        } catch (RuntimeException | Error e) {
            nodes.values().forEach(NodeClient::close);
            throw e;
        }
    }

    private Network assemble(NetworkConfig config, NetworkKind kind, String space, Meters own, UpstreamPool pool) {
        NetworkId id = new NetworkId(config.name());
        CallMeters callMeters = new CallMeters(own, id);
        InternalPlans internal = new InternalPlans();
        MethodCatalogue methods = catalogue(kind);
        VerificationContext verification = VerificationContext.of(
                config,
                memory.executor(),
                new CacheMeters(own, config.name()),
                pool::refuted,
                KnownChain.of(config, new ChainView(), CallContext.CLOCK),
                internal);
        BlockIds ids = BlockIds.of(kind.blockForm());
        // Its rules know the members of Ethereum alone.
        JudgeCheck judge = kind.servesEthereumBlocks() && ids.hasMembersOfEthereum()
                ? new JudgeCheck(verification, methods::facts)
                : null;
        ForwardStage forwarding =
                ForwardStage.ofClients(pool, callMeters, config.balance(), memory.bytes(), judge, kind::isRepeatable);
        Nodes nodesOfChain = Nodes.of(pool, forwarding, ids);
        NetworkCache cache = new NetworkCache(config, space, nodesOfChain, memory, own, verification);
        if (judge != null) {
            judge.provesBy(nodesOfChain, cache.anchors());
        }
        Map<MethodRole, Stage> special = new EnumMap<>(MethodRole.class);
        if (config.hashing() != Hashing.NONE) {
            SendStage sends =
                    new SendStage(config, pool, forwarding, own, memory.tiers().shared());
            special.put(MethodRole.SEND_RAW, sends);
            special.put(MethodRole.SEND_RAW_SYNC, new SendSyncStage(sends, internal, pool.head()));
        }
        SubscriptionAssembly subscriptions = new SubscriptionAssembly(
                config, loops.next(), pool, cache.chain(), internal, memory.bytes(), subscribed, own);
        SubscriptionForm form = kind.subscriptionForm();
        if (form != null) {
            special.putAll(subscriptions.of(form, ids));
        }
        MethodPlans plans = new MethodPlans(methods, config, forwarding, handlers.apply(config.kind()), special, cache);
        internal.follow(plans);
        long callTimeoutMillis = settings.server().callTimeoutMillis();
        return new Network(
                id,
                config,
                kind,
                pool,
                plans,
                new PlannedRequestRunner(id, plans, callTimeoutMillis, tracer),
                cache,
                Budget.unbounded());
    }

    /** The plans of one network for the proxy's own calls, given to parts that exist before the plans. Thread-safe. */
    private static final class InternalPlans implements Stage {

        private volatile @Nullable MethodPlans plans;

        void follow(MethodPlans made) {
            plans = made;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            MethodPlans made = plans;
            if (made == null) {
                throw new IllegalStateException("plans: none (expected: made before the first call)");
            }
            made.plan(context.call().method()).handleInternal(context, sink);
        }
    }
}
