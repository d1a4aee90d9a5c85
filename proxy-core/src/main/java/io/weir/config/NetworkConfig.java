package io.weir.config;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One chain and the nodes that serve it. Immutable.
 *
 * @param kind {@code ethereum}, or a kind of a plugin
 * @param chainId as text, even if written as a number
 * @param hosts names in the Host header, in lower case, that select this network
 * @param optional whether the proxy is ready without this network
 * @param upstreams by id, in the order of the file
 * @param hashing {@link Hashing#NONE} if the family is {@link Family#NONE}
 * @param verifyMembers names of additional members that verified answers may contain
 * @param broadcast number of upstreams that get a signed transaction at once; {@link Integer#MAX_VALUE} for all
 * @param cutsLogRanges whether ranges of {@code eth_getLogs} that nodes refuse as too large are cut
 * @param verifySample share of the unprovable results of final blocks that another node is asked for too, from 0 to 1
 */
public record NetworkConfig(
        String name,
        String kind,
        String chainId,
        Set<String> hosts,
        boolean optional,
        Map<String, UpstreamConfig> upstreams,
        Verify verify,
        Hashing hashing,
        Family family,
        Unverifiable unverifiable,
        Set<String> verifyMembers,
        double verifySample,
        long finalityDepth,
        HeadConfig head,
        MethodRules methods,
        HealthConfig health,
        Ejection ejection,
        BalanceConfig balance,
        FilterConfig filters,
        SubscriptionConfig subscriptions,
        int broadcast,
        GatherConfig gather,
        boolean cutsLogRanges,
        AgreeConfig agree) {

    /** Returns whether answers are verified by hashes. */
    public boolean verifies() {
        return verify != Verify.OFF && hashing != Hashing.NONE;
    }

    /**
     * Returns whether a network with the other settings answers calls like one with these. They may differ only in what chooses the
     * network of a request, and in whether the proxy is ready without it.
     */
    public boolean servesLike(NetworkConfig other) {
        NetworkConfig routed = new NetworkConfig(
                name,
                kind,
                chainId,
                other.hosts,
                other.optional,
                upstreams,
                verify,
                hashing,
                family,
                unverifiable,
                verifyMembers,
                verifySample,
                finalityDepth,
                head,
                methods,
                health,
                ejection,
                balance,
                filters,
                subscriptions,
                broadcast,
                gather,
                cutsLogRanges,
                agree);
        // Equal maps may have other orders, and nodes may be chosen in the order of the file.
        return routed.equals(other) && List.copyOf(upstreams.keySet()).equals(List.copyOf(other.upstreams.keySet()));
    }

    /**
     * Rules of the head that calls see. Immutable.
     *
     * @param maxAgeMillis how long calls may use a head after nodes reported it, if the next block is not due later
     * @param blockMillis time between blocks until it is measured; 0 if unknown
     * @param pollMinMillis shortest time between two polls of a node for its newest block
     */
    public record HeadConfig(long maxAgeMillis, long blockMillis, long pollMinMillis) {}

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
     *
     * @param lenientParams whether parameters may be absent that some nodes allow to be absent
     * @param gasCapFactor maximum gas of a call as a multiple of the head block's gas limit; 0 for no maximum
     */
    public record MethodRules(
            List<String> allow, List<String> deny, UnknownMethods unknown, boolean lenientParams, long gasCapFactor) {}

    /**
     * The health checks of nodes. Immutable.
     *
     * @param intervalMillis between polls during traffic
     * @param idleIntervalMillis between polls without traffic
     * @param downIntervalMillis between probes of a failed node
     * @param timeoutMillis of one probe
     * @param maxLag blocks behind the best head from which on a node is left out
     */
    public record HealthConfig(
            long intervalMillis, long idleIntervalMillis, long downIntervalMillis, long timeoutMillis, long maxLag) {}

    /** The rule by which one of several usable nodes is chosen. */
    public enum Choice {
        /** The better of two random nodes, by latency and load. */
        LATENCY,
        /** The first one, in the order of the configuration. */
        ORDER
    }

    /**
     * The choice among nodes, and the attempts beyond the first. Immutable.
     *
     * @param retryPercent maximum of attempts after failed ones, in percent of calls; 0 for none
     * @param hedgePercent maximum of second attempts beside slow ones, in percent of calls; 0 for none
     * @param waitMillis the longest time that one call that no node could answer waits in all; 0 for none
     */
    public record BalanceConfig(Choice choice, int retryPercent, int hedgePercent, long waitMillis) {}

    /**
     * The filters that clients hold through the proxy. Immutable.
     *
     * @param max maximum open at once, of all clients together
     * @param maxPerKey maximum open at once of one key; callers without a key count as one
     * @param idleMillis time without a request after which a filter is removed
     * @param journalBytes bytes of the changes that are kept for filters until they are polled
     */
    public record FilterConfig(int max, int maxPerKey, long idleMillis, long journalBytes) {}

    /**
     * The subscriptions of clients ({@code eth_subscribe}). Immutable.
     *
     * @param maxPerConnection maximum open at once on one connection
     * @param maxPerKey maximum open at once of one key; callers without a key count as one
     * @param maxCriteriaPerKey maximum number of addresses and topics in the subscriptions and filters of one key
     * @param chargePerNotification units of the caller's rate that a notification costs; 0 for none
     */
    public record SubscriptionConfig(
            int maxPerConnection, int maxPerKey, int maxCriteriaPerKey, int chargePerNotification) {}

    /**
     * The prefetching of whole blocks after several lookups in one block. Immutable.
     *
     * @param budgetPercent extra fetches beyond clients' requests, in percent of the calls about blocks; 0 for none
     */
    public record GatherConfig(boolean enabled, int budgetPercent) {}

    /**
     * The calls that several nodes must answer alike. Immutable.
     *
     * @param methods of such calls: names, prefixes such as {@code debug_*}, or {@code *}; none by default
     * @param of number of nodes that get a call at once
     * @param by number of equal answers that are enough
     * @param ignore names of members of results that are not compared
     */
    public record AgreeConfig(List<String> methods, int of, int by, Set<String> ignore) {}
}
