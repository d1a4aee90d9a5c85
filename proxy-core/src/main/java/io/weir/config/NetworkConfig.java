package io.weir.config;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One chain and the nodes that serve it. Immutable.
 *
 * @param kind {@code ethereum}, or one that a plugin brings
 * @param chainId as text, also where it was written as a number
 * @param hosts Host header names, in lower case, that mean this network
 * @param upstreams by id, in the order of the file
 * @param verifyMembers names of members, beside the known ones, that may stand in answers called verified
 * @param headMaxAgeMillis for how long calls are held to a head after nodes were asked for it
 */
public record NetworkConfig(
        String name,
        String kind,
        String chainId,
        Set<String> hosts,
        Map<String, UpstreamConfig> upstreams,
        Verify verify,
        Hashing hashing,
        Unverifiable unverifiable,
        Set<String> verifyMembers,
        long finalityDepth,
        long headMaxAgeMillis,
        MethodRules methods,
        HealthConfig health,
        FilterConfig filters,
        TransactionConfig transactions,
        GatherConfig gather) {

    /** A network in which what cannot be verified, and how lookups are gathered, is as the defaults say. */
    public NetworkConfig(
            String name,
            String kind,
            String chainId,
            Set<String> hosts,
            Map<String, UpstreamConfig> upstreams,
            Verify verify,
            Hashing hashing,
            long finalityDepth,
            long headMaxAgeMillis,
            MethodRules methods,
            HealthConfig health,
            FilterConfig filters,
            TransactionConfig transactions) {
        this(
                name,
                kind,
                chainId,
                hosts,
                upstreams,
                verify,
                hashing,
                Unverifiable.REFUSE,
                Set.of(),
                finalityDepth,
                headMaxAgeMillis,
                methods,
                health,
                filters,
                transactions,
                GatherConfig.DEFAULT);
    }

    /** What is proven of answers before they are used. */
    public enum Verify {
        /** Nothing. */
        OFF,
        /** What is kept. */
        BEFORE_CACHING,
        /** What is served. */
        BEFORE_SERVING
    }

    /** Whether the chain's hashes follow Ethereum's rules. */
    public enum Hashing {
        /** Found out. */
        AUTO,
        /** They do. */
        ETHEREUM,
        /** They do not. */
        NONE
    }

    /** What becomes of an answer that hashes could prove if everything in it were known, where answers are verified first. */
    public enum Unverifiable {
        /** It is as none: another node is asked. */
        REFUSE,
        /** It is passed on, and not kept. */
        PASS
    }

    /** What becomes of a method that the catalogue does not know. */
    public enum UnknownMethods {
        /** It goes upstream, neither kept nor repeated. */
        PASS,
        /** It is answered with -32601. */
        DENY
    }

    /**
     * Which methods a network serves: names, prefixes such as {@code debug_*}, or {@code *}. Deny beats allow; some
     * names are denied unless allowed.
     *
     * @param lenientParams whether parameters may be left out where there are nodes that allow it
     * @param gasCapFactor how many times the gas limit of the head block a call may ask for; 0 is any
     */
    public record MethodRules(
            List<String> allow, List<String> deny, UnknownMethods unknown, boolean lenientParams, long gasCapFactor) {}

    /**
     * How nodes are watched.
     *
     * @param intervalMillis between polls while there is traffic
     * @param idleIntervalMillis between polls while there is none
     * @param downIntervalMillis between probes of a node that failed
     * @param timeoutMillis of one probe
     * @param maxLag blocks behind the best head at which a node is left out
     */
    public record HealthConfig(
            long intervalMillis, long idleIntervalMillis, long downIntervalMillis, long timeoutMillis, long maxLag) {}

    /**
     * Filters that clients hold through the proxy.
     *
     * @param max open at once, of all clients together
     * @param maxPerKey open at once, of one key; callers without a key count as one
     * @param idleMillis after which one that nobody asks about is forgotten
     */
    public record FilterConfig(int max, int maxPerKey, long idleMillis) {}

    /**
     * How signed transactions are sent on.
     *
     * @param broadcast upstreams that get one at once; {@link Integer#MAX_VALUE} is all of them
     */
    public record TransactionConfig(int broadcast) {}

    /**
     * Whether blocks are fetched whole where several lookups fall into one.
     *
     * @param budgetPercent of the calls about blocks, which fetches beyond what clients asked for may be; 0 is none
     */
    public record GatherConfig(boolean enabled, int budgetPercent) {

        /** As the reference has it. */
        public static final GatherConfig DEFAULT = new GatherConfig(true, 10);
    }
}
