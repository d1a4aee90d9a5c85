package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One chain and the nodes that serve it. Immutable.
 *
 * @param chainId as text, even if written as a number
 * @param hosts names in the Host header, in lower case, that select this network
 * @param upstreams by id, in the order of the file
 * @param hashing {@link Hashing#NONE} if the family is {@link Family#NONE}
 * @param verifySample share of the unprovable results of final blocks that another node is asked for too, from 0 to 1
 * @param broadcast number of upstreams that get a signed transaction at once; {@link Integer#MAX_VALUE} for all
 */
public record NetworkConfig(
        String name,

        @About("Kind of chain: `ethereum`, or one of a plugin, such as `l2`.")
        @Setting(value = "ethereum", pattern = Forms.NAME, rule = Forms.NAME_RULE)
        String kind,

        @About("Known chain whose values replace those of `defaults.network`; the network's own settings win.")
        @Setting(form = ChainPreset.Name.class)
        @Nullable
        String preset,

        @About("Id of the chain, unique to this network; nodes of other chains are left out.")
        @Setting(form = Forms.ChainId.class)
        String chainId,

        @About("Names in the `Host` header that select this network.")
        @Setting(value = "[]", form = Forms.NetworkHosts.class)
        Set<String> hosts,

        @About("Whether the proxy is ready without this network.") @Setting("false")
        boolean optional,

        @About("Defaults of `networks.<name>.upstreams.<id>`.")
        @Setting(pattern = Forms.ID, rule = Forms.ID_RULE, required = true)
        Map<String, UpstreamConfig> upstreams,

        @About("Proves by hashes what enters the cache or, with `before-serving`, what clients get, for more calls.")
        @Setting("before-caching")
        Verify verify,

        @About("Trust in the family's rules; `auto` blames nodes after a verified block, `none` verifies nothing.")
        @Setting("auto")
        Hashing hashing,

        @About("Rules by which answers are verified; `none` verifies nothing, for chains with unknown rules.")
        @Setting("ethereum")
        Family family,

        @About("Unknown members or types before serving: `refuse` asks another node, `pass` serves them unverified.")
        @Setting(value = "refuse", path = "verify-unknown")
        Unverifiable unverifiable,

        @About("Further members of the chain's answers, which pass without a proof; the log names unlisted ones.")
        @Setting(value = "[]", pattern = Forms.MEMBER, rule = Forms.MEMBER_RULE)
        Set<String> verifyMembers,

        @About("Share of state and executed calls of final blocks compared with a second node before caching.")
        @Setting(value = "1 %", form = Forms.Share.class)
        double verifySample,

        @About(
                "Proofs that lists of logs are complete: `refuse` requires them, else they take so many calls; `pass`: 4.")
        @Setting(value = "pass", path = "verify-logs", form = Forms.ProofCalls.class)
        int proofCalls,

        @About("Blocks this far behind the head are `safe` and `finalized` if no node ever named these tags.")
        @Setting(value = "64", path = "finality.depth", range = "0 to 1000000")
        long finalityDepth,

        @About("The head that calls see.") @Setting HeadConfig head,

        @About("The methods that the network serves.") @Setting
        MethodRules methods,

        @About("Probes of nodes.") @Setting HealthConfig health,

        @About("Leaves out nodes with faulty or slow answers; `strict` acts sooner, for several like nodes.")
        @Setting("on")
        Ejection ejection,

        @About("The choice among nodes, and attempts beyond the first.") @Setting
        BalanceConfig balance,

        @About("Filters of clients (`eth_newFilter` and its kin).") @Setting
        FilterConfig filters,

        @About("Subscriptions of clients over WebSocket (`eth_subscribe`).") @Setting
        SubscriptionConfig subscriptions,

        @About("Nodes that receive a signed transaction at once; `all` is every one.")
        @Setting(value = "1", path = "transactions.broadcast", form = Forms.Broadcast.class)
        int broadcast,

        @About("Fetches of whole blocks.") @Setting GatherConfig gather,

        @About("Calls that go to several nodes at once, whose answers must be equal.") @Setting
        AgreeConfig agree)
        implements Checked {

    /** The settings that only choose the network of a request, or whether the proxy is ready. */
    private static final Set<String> ROUTING = Set.of("hosts", "optional");

    private static final Set<String> RESERVED = Set.of("v3", "ws", "health", "metrics", "status");

    public NetworkConfig {
        hashing = family == Family.NONE ? Hashing.NONE : hashing;
    }

    @Override
    public void check(Block block) {
        if (RESERVED.contains(name)) {
            block.wrongName("another name: this one is part of the proxy's own paths");
        }
        if (!kind.equals(Forms.ETHEREUM) && !block.look("preset").isNull()) {
            block.look("preset").wrong("none: presets are for the kind ethereum");
        }
        if (requiresLogs() && isOfEthereum() && !verifies()) {
            block.look("verify-logs").wrong("pass: the network verifies nothing");
        }
    }

    /** Returns whether no list of logs is served that is not proven. */
    public boolean requiresLogs() {
        return proofCalls < 0;
    }

    /** Returns whether all its nodes are providers that bill by the call. */
    public boolean isHosted() {
        return !upstreams.isEmpty() && upstreams.values().stream().allMatch(UpstreamConfig::isHosted);
    }

    /** Returns the time between blocks of a well-known chain; 0 if it is unknown until the chain has shown it. */
    public long blockMillis() {
        return preset == null ? 0 : ChainPreset.of(preset).blockMillis();
    }

    /** Returns whether the network is no plugin's kind of network. */
    public boolean isOfEthereum() {
        return kind.equals("ethereum");
    }

    public boolean verifies() {
        return verify != Verify.OFF && hashing != Hashing.NONE && isOfEthereum();
    }

    /**
     * Returns whether a network with the other settings answers calls like one with these. They may differ only in what chooses the
     * network of a request, and in whether the proxy is ready without it.
     */
    public boolean servesLike(NetworkConfig other) {
        NetworkConfig routed = Binder.with(
                this, component -> Binder.get(component, ROUTING.contains(component.getName()) ? other : this));
        // Equal maps may have other orders, and nodes may be chosen in the order of the file.
        return routed.equals(other) && List.copyOf(upstreams.keySet()).equals(List.copyOf(other.upstreams.keySet()));
    }

    /** Rules of the head that calls see. Immutable. */
    public record HeadConfig(
            @About("Calls use a known head for this time, or until the next regular block is due; 0 asks each time.")
            @Setting(value = "1 s", range = "0 ms to 1 h")
            long maxAgeMillis) {}

    /** The answers that must be proven before use. */
    public enum Verify {
        /** No answers. */
        OFF,
        BEFORE_CACHING,
        BEFORE_SERVING
    }

    /** Whether the chain's hashes follow Ethereum's rules. */
    public enum Hashing {
        /** The proxy determines it. */
        AUTO,
        /** They do. */
        ETHEREUM,
        /** They do not. */
        NONE
    }

    /** The family of chains that hash alike. */
    public enum Family {
        ETHEREUM,
        /** The OP stack. */
        OP,
        /** Arbitrum Nitro. */
        ARBITRUM,
        /** Polygon PoS. */
        POLYGON,
        /** BNB Smart Chain. */
        BSC,
        GNOSIS,
        SCROLL,
        CELO,
        /** ZKsync Era and its chains. */
        ZKSYNC,
        /** No known family: nothing is verified. */
        NONE
    }

    /**
     * The treatment of answers that hashes could prove only if every member were known. It applies if answers are
     * verified before serving.
     */
    public enum Unverifiable {
        /** The answer counts as none: another node is asked. */
        REFUSE,
        /** The answer is passed on, but not cached. */
        PASS
    }

    /** The treatment of methods that the catalogue does not know. */
    public enum UnknownMethods {
        /** The call goes upstream, and is neither cached nor repeated. */
        PASS,
        /** The call is answered with -32601. */
        DENY
    }

    /**
     * The methods that a network serves: names, prefixes such as {@code debug_*}, or {@code *}. Deny beats allow. Some
     * names are denied unless allowed. Immutable.
     */
    public record MethodRules(
            @About("Methods that are served although they are denied by default; upper and lower case count.")
            @Setting(value = "[]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
            List<String> allow,

            @About("Methods that are not served, even if allowed; upper and lower case do not count.")
            @Setting(value = "[]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
            List<String> deny,

            @About("Whether methods that the proxy does not know go to nodes. Set `deny` on the open internet.")
            @Setting("pass")
            UnknownMethods unknown,

            @About("Cuts the gas of calls such as `eth_call` to so many gas limits of the head block; 0 disables it.")
            @Setting(value = "10", range = "0 to 1000000")
            long gasCapFactor) {}

    /** The health checks of nodes. Immutable. */
    public record HealthConfig(
            @About(
                    "Time between polls of a node in the serving tier under traffic; twelve times as long if it is unused, a fifth if it is out.")
            @Setting(value = "5 s", range = "50 ms to 1 h")
            long intervalMillis,

            @About("Blocks behind the best head beyond which a node is left out; so far ahead, it must show its block.")
            @Setting(value = "8", range = "0 to 1000000000")
            long maxLag) {

        /** Rounds of polls while a node is in use, in the time of one poll of a node that is not: calls are saved, and failures noticed. */
        private static final int IDLE_INTERVALS = 12;

        /** Probes of a node that is out, in the time between two polls of others: it is back soon, for little. */
        private static final int DOWN_PROBES = 5;

        /** Returns the time between polls of a node that no call uses: without traffic, or in a tier above the one that serves. */
        public long idleIntervalMillis() {
            return IDLE_INTERVALS * intervalMillis;
        }

        /** Returns the time between probes of a node that failed or serves another chain. */
        public long downIntervalMillis() {
            return intervalMillis / DOWN_PROBES;
        }
    }

    /** The rule by which one of several usable nodes is chosen. */
    public enum Choice {
        /** The better of two random nodes, by latency and load. */
        LATENCY,
        /** The first one, in the order of the configuration. */
        ORDER
    }

    /** The choice among nodes, and the attempts beyond the first. Immutable. */
    public record BalanceConfig(
            @About("Node within the tier: `latency` takes the better of two random ones, `order` the first configured.")
            @Setting("latency")
            Choice choice,

            @About("Second attempts at another node while the first is slow, in percent of calls; 0 disables them.")
            @Setting(value = "5", range = "0 to 100")
            int hedgePercent,

            @About("Longest wait of a repeatable call once every node failed or limits its rate; 0 fails at once.")
            @Setting(value = "5 s", range = "0 ms to 1 h")
            long waitMillis) {}

    /** The filters that clients hold through the proxy. Immutable. */
    public record FilterConfig(
            @About("Open filters of one API key, or without a key of one client address; over it error -32005.")
            @Setting(value = "2500", range = "0 to 10000000")
            int maxPerKey) {}

    /** The subscriptions of clients ({@code eth_subscribe}). Immutable. */
    public record SubscriptionConfig(
            @About("Open subscriptions of one API key, or without a key of one client address; over it error -32005.")
            @Setting(value = "20000", range = "0 to 10000000")
            int maxPerKey,

            @About("Units of the caller's rate for each notification; until they are paid, its next calls are refused.")
            @Setting(value = "0", range = "0 to 1000000")
            int chargePerNotification) {}

    /** The prefetching of whole blocks after several lookups in one block. Immutable. */
    public record GatherConfig(
            @About("Fetches a block, or its receipts, whole at a second lookup, to answer the rest from memory.")
            @Setting("true")
            boolean enabled) {}

    /** The calls that several nodes must answer alike. Immutable. */
    public record AgreeConfig(
            @About("Methods whose calls go to several nodes, which must agree; only those that are safe to repeat.")
            @Setting(value = "[]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
            List<String> methods,

            @About("Nodes that get such a call at once, each at the cost of a call; another one replaces a failed one.")
            @Setting(value = "3", range = "2 to 16")
            int of,

            @About("Members that are not compared, at every depth of results.")
            @Setting(value = "[]", pattern = Forms.MEMBER, rule = Forms.MEMBER_RULE)
            Set<String> ignore) {}
}
