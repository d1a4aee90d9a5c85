package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Binder;
import io.weir.config.setting.Block;
import io.weir.config.setting.Checked;
import io.weir.config.setting.Setting;
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

        @About("Kind of chain: `ethereum`, or a kind of a plugin, such as `l2`.")
        @Setting(value = "ethereum", pattern = Forms.NAME, rule = Forms.NAME_RULE)
        String kind,

        @About("Well-known chain that sets the chain's id, family, finality depth, head times and largest lag. The "
                + "network's own settings win over it; it wins over `defaults.network`. For a similar chain set "
                + "`defaults.network.chain-id` too.")
        @Setting(form = ChainPreset.Name.class)
        @Nullable
        String preset,

        @About("The chain's id; each network needs its own. Nodes of another chain are left out.")
        @Setting(form = Forms.ChainId.class)
        String chainId,

        @About("Names in the `Host` header that select this network. A name belongs to one network only.")
        @Setting(value = "[]", form = Forms.NetworkHosts.class)
        Set<String> hosts,

        @About("Whether the proxy is ready without this network. Set it for test networks, and for networks that a "
                + "balancer checks by name (`/health/ready?network=<name>`).")
        @Setting("false")
        boolean optional,

        @About("Defaults of `networks.<name>.upstreams.<id>`.")
        @Setting(pattern = Forms.ID, rule = Forms.ID_RULE, required = true)
        Map<String, UpstreamConfig> upstreams,

        @About("Proof of answers by hashes: `off`, `before-caching` (what enters the cache) or `before-serving` (what "
                + "clients receive, for more calls). Set `before-serving` if a lying node must not reach callers; `off` for"
                + " development chains.")
        @Setting("before-caching")
        Verify verify,

        @About(
                "Whether the chain's hashes follow its family's rules. With `auto` false answers cost health only once a "
                        + "block was verified; `ethereum` counts them from the start; `none` verifies nothing.")
        @Setting("auto")
        Hashing hashing,

        @About("Rules by which answers are verified; `none` verifies nothing. Set it for chains with transactions or "
                + "headers of their own, unless `defaults.network.preset` does, and `none` for chains with unknown rules, "
                + "such as Hedera or Cronos.")
        @Setting("ethereum")
        Family family,

        @About(
                "With `before-serving`, the treatment of an answer with an unknown member or type: `refuse` asks another "
                        + "node, and fails with -32000 if none can be verified; `pass` serves it, unverified and uncached.")
        @Setting(value = "refuse", path = "verify-unknown")
        Unverifiable unverifiable,

        @About("Members that the chain's nodes add to blocks, transactions, receipts and logs, besides those that the "
                + "proxy knows. They pass as sent, without a proof. Add a member if the log names it as unlisted.")
        @Setting(value = "[]", pattern = Forms.MEMBER, rule = Forms.MEMBER_RULE)
        Set<String> verifyMembers,

        @About("Share of state and executed calls of final blocks that another node is asked for too before they are "
                + "cached. Raise it if a node is not trusted; 0 % disables it, such as for a paid second node.")
        @Setting(value = "1 %", form = Forms.Share.class)
        double verifySample,

        @About(
                "Blocks this far behind the head count as `safe` and `finalized` if no node ever named these tags. Change"
                        + " it for chains without the tags and with another depth of reorganisations.")
        @Setting(value = "64", path = "finality.depth", range = "0 to 1000000")
        long finalityDepth,

        @About("The head that calls see.") @Setting HeadConfig head,

        @About("The methods that the network serves.") @Setting
        MethodRules methods,

        @About("Probes of nodes.") @Setting HealthConfig health,

        @About("Leaves out nodes that answer probes, but whose answers to calls are faulty or slow. `strict` acts "
                + "sooner, for several like nodes, of which any can take the load of one; `off` leaves out none for its "
                + "answers.")
        @Setting("on")
        Ejection ejection,

        @About("The choice among nodes, and attempts beyond the first.") @Setting
        BalanceConfig balance,

        @About("Filters of clients (`eth_newFilter` and its kin).") @Setting
        FilterConfig filters,

        @About("Subscriptions of clients over WebSocket (`eth_subscribe`).") @Setting
        SubscriptionConfig subscriptions,

        @About("Upstreams that receive a signed transaction at once; `all` is every one. Raise it for faster "
                + "propagation.")
        @Setting(value = "1", path = "transactions.broadcast", form = Forms.Broadcast.class)
        int broadcast,

        @About("Fetches of whole blocks.") @Setting GatherConfig gather,

        @About("Calls that go to several nodes at once, whose answers must be equal.") @Setting
        AgreeConfig agree)
        implements Checked {

    /** What only chooses the network of a request, or whether the proxy is ready. */
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
    }

    /** Returns whether all its nodes are providers that bill by the call. */
    public boolean isHosted() {
        return !upstreams.isEmpty() && upstreams.values().stream().allMatch(UpstreamConfig::isHosted);
    }

    /** Returns the time between blocks of a well-known chain; 0 if it is unknown until the chain has shown it. */
    public long blockMillis() {
        return preset == null ? 0 : ChainPreset.of(preset).blockMillis();
    }

    /** Returns whether answers are verified by hashes. */
    public boolean verifies() {
        return verify != Verify.OFF && hashing != Hashing.NONE;
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
            @About(
                    "Calls use a known head for this time, or until the next block is due if blocks come regularly. 0 asks a "
                            + "node for each call that needs the head. Raise it for fewer calls to nodes.")
            @Setting(value = "1 s", range = "0 ms to 1 h")
            long maxAgeMillis) {}

    /** The answers that must be proven before use. */
    public enum Verify {
        /** No answers. */
        OFF,
        /** Cached answers. */
        BEFORE_CACHING,
        /** Served answers. */
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
        /** Ethereum. */
        ETHEREUM,
        /** The OP stack. */
        OP,
        /** Arbitrum Nitro. */
        ARBITRUM,
        /** Polygon PoS. */
        POLYGON,
        /** BNB Smart Chain. */
        BSC,
        /** Gnosis Chain. */
        GNOSIS,
        /** Scroll. */
        SCROLL,
        /** Celo. */
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
            @About(
                    "Methods that are served although they are denied by default: names, prefixes such as `debug_*`, or `*`. "
                            + "Upper and lower case count. Set it for traces, or for a development node.")
            @Setting(value = "[]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
            List<String> allow,

            @About(
                    "Methods that are not served, written as `defaults.network.methods.allow`; it beats `allow`. Upper and "
                            + "lower case do not count.")
            @Setting(value = "[]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
            List<String> deny,

            @About("Whether methods that the proxy does not know go to nodes. Set `deny` on the open internet.")
            @Setting("pass")
            UnknownMethods unknown,

            @About(
                    "Cap of the gas of `eth_call`, `eth_estimateGas` and `eth_createAccessList`, in gas limits of the head "
                            + "block. A larger value is cut to it; 0 disables the cap. Raise it for users who simulate very large "
                            + "calls.")
            @Setting(value = "10", range = "0 to 1000000")
            long gasCapFactor) {}

    /** The health checks of nodes. Immutable. */
    public record HealthConfig(
            @About(
                    "Time between polls of a node in the serving tier while there is traffic, at least five block times. "
                            + "A node that no call uses is polled twelve times as seldom, and one that is out is probed five times as often. Lower it to notice failures and new heads sooner; raise it for providers that charge each call.")
            @Setting(value = "5 s", range = "50 ms to 1 h")
            long intervalMillis,

            @About(
                    "A node more than this many blocks behind the best head is left out; one further ahead of all others must"
                            + " show its block. Lower it for fresher answers; raise it for chains with short block times.")
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
            @About(
                    "Choice among the usable nodes of the lowest tier. `latency` takes the better of two random nodes, by "
                            + "latency times calls in flight; `order` takes the first one of the configuration, for a main node with "
                            + "spares.")
            @Setting("latency")
            Choice choice,

            @About(
                    "Second attempts at another node while the first is slow, in percent of calls; the first good answer "
                            + "counts. 0 disables them, which suits providers that bill by the call.")
            @Setting(value = "5", range = "0 to 100")
            int hedgePercent,

            @About(
                    "Longest time that a repeatable call waits in all, once every node has failed or limits its rate. 0 lets "
                            + "it fail at once. Raise it to `server.call-timeout` if clients prefer waiting to errors.")
            @Setting(value = "5 s", range = "0 ms to 1 h")
            long waitMillis) {}

    /** The filters that clients hold through the proxy. Immutable. */
    public record FilterConfig(
            @About(
                    "Open filters of one API key, or without a key of one client address; over it error -32005. Raise it for "
                            + "a key that serves many users. All clients together have 10,000.")
            @Setting(value = "2500", range = "0 to 10000")
            int maxPerKey,

            @About("A filter that nobody polls for this time is removed. Raise it if clients poll seldom.")
            @Setting(value = "5 m", range = "1 s to 1 d")
            long idleMillis) {}

    /** The subscriptions of clients ({@code eth_subscribe}). Immutable. */
    public record SubscriptionConfig(
            @About(
                    "Open subscriptions of one API key on this network, or without a key of one client address; over it error"
                            + " -32005. Raise it for a key that serves many users.")
            @Setting(value = "20000", range = "0 to 10000000")
            int maxPerKey,

            @About(
                    "Units of the caller's rate that a notification costs; 0 charges nothing. The notification is sent in any"
                            + " case; the caller's next calls are refused until the units are paid.")
            @Setting(value = "0", range = "0 to 1000000")
            int chargePerNotification) {}

    /** The prefetching of whole blocks after several lookups in one block. Immutable. */
    public record GatherConfig(
            @About("Fetches a block, or its receipts, whole if a second lookup falls into it, to answer the rest from "
                    + "memory. Disable it if nodes are slow with whole blocks.")
            @Setting("true")
            boolean enabled) {}

    /** The calls that several nodes must answer alike. Immutable. */
    public record AgreeConfig(
            @About(
                    "Methods whose calls go to several nodes at once, which must agree: names, prefixes such as `trace_*`, or"
                            + " `*`. Methods that are not safe to repeat are left out. Set it for results that matter and that no hash "
                            + "proves.")
            @Setting(value = "[]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
            List<String> methods,

            @About("Nodes that get such a call at once, each at the cost of a call; another one is asked for each that "
                    + "fails. The network needs as many nodes.")
            @Setting(value = "3", range = "2 to 16")
            int of,

            @About(
                    "Members that are not compared, at every depth of results. Set it for members that each node sets for "
                            + "itself.")
            @Setting(value = "[]", pattern = Forms.MEMBER, rule = Forms.MEMBER_RULE)
            Set<String> ignore) {}
}
