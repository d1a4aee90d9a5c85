package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Form;
import io.weir.api.setting.Setting;
import io.weir.api.setting.Sha256;
import io.weir.config.NetworkConfig.Unverifiable;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The access rules for callers. Immutable.
 *
 * @param anonymous whether calls without a key are served
 * @param anonymousRate the rate of all calls without a key together
 * @param addressRate the rate of calls without a key from each client address
 * @param keys by name
 */
public record AccessConfig(
        @About("Serves calls without a key. A block limits each client address (IPv6: each /64) at each proxy, "
                + "`anonymous-rate` all of them together. Set `true` on your own machine only.")
        @Setting(value = "false", form = Forms.FlagOrBlock.class)
        boolean anonymous,

        @About("The rate of all calls without a key together.") @Setting
        RateConfig anonymousRate,

        @Setting(path = "anonymous", form = AddressRate.class)
        RateConfig addressRate,

        @About("The API keys, by name; each over `defaults.key`.") @Setting(pattern = Forms.ID, rule = Forms.ID_RULE)
        Map<String, KeyConfig> keys)
        implements Checked {

    /** The name of callers without a key, on the bill and in logs. */
    private static final String ANONYMOUS = "anonymous";

    /** Makes rules without a rate of each address. */
    public AccessConfig(boolean anonymous, RateConfig anonymousRate, Map<String, KeyConfig> keys) {
        this(anonymous, anonymousRate, RateConfig.NONE, keys);
    }

    @Override
    public void check(Block block) {
        anonymousRate.checkWhole(block.lookInto("anonymous-rate"));
        boolean same = addressRate.weighted() == anonymousRate.weighted()
                && addressRate.costs().equals(anonymousRate.costs());
        if (addressRate.callsPerSecond() > 0 && anonymousRate.callsPerSecond() > 0 && !same) {
            block.look("anonymous").wrong("a rate that is weighted as access.anonymous-rate is");
        }
        Map<String, String> owners = new HashMap<>();
        keys.forEach((name, key) -> {
            Block written = block.lookInto("keys").lookInto(name);
            key.rate.checkWhole(written.lookInto("rate"));
            if (name.equals(ANONYMOUS)) {
                written.wrongName("another name; this one is of callers without a key");
            }
            String owner = key.sha256.isEmpty() ? null : owners.putIfAbsent(key.sha256, name);
            if (owner != null) {
                written.look("sha256").secret().wrong("another key than that of access.keys." + owner);
            }
        });
    }

    /**
     * An API key. Immutable.
     *
     * @param sha256 the SHA-256 of the key's text, 32 bytes in lower-case hex
     * @param networks names, or {@code *}
     * @param methods names or prefixes such as {@code eth_*}; {@code *} is every method but {@code wallet_*}
     */
    public record KeyConfig(
            @About("SHA-256 of the key's text in hex; `java -jar proxy-core/target/weir.jar key new NAME` makes both.")
            @Setting(form = Sha256.class)
            String sha256,

            @About("Networks that the key may use; `*` is all.")
            @Setting(value = "[\"*\"]", pattern = "\\*|" + Forms.NAME, rule = "a network, or *")
            Set<String> networks,

            @About("Methods that the key may call, else 403; `*` is every one but `wallet_*`, which must be named.")
            @Setting(value = "[\"*\"]", pattern = Forms.METHOD, rule = Forms.METHOD_RULE)
            Set<String> methods,

            @About("Lets a request with `Cache-Control: no-cache` skip the cache.") @Setting("false")
            boolean cacheBypass,

            @About(
                    "Lists of logs not proven complete: `refuse` answers with an error, `pass` leaves it to the network.")
            @Setting(value = "pass", path = "verify-logs")
            Unverifiable unprovenLogs,

            @About("The rate of the key.") @Setting RateConfig rate,
            @Setting(path = ".") BoundConfig bounds) {}

    /**
     * Bounds on the requests and calls with a key. Immutable.
     *
     * @param unitsPerDay units of cost within a UTC day; 0 for no bound
     * @param expires the time from which on the key is refused; null for never
     */
    public record BoundConfig(
            @About("Origins of the only pages that may use the key; empty is no bound. Programs can forge the header.")
            @Setting(value = "[]", pattern = Forms.CORS_ORIGIN, rule = Forms.CORS_ORIGIN_RULE)
            Set<String> origins,

            @About("Addresses of the only clients that may use the key, else 403; empty is no bound.")
            @Setting(value = "[]", form = Forms.AddressBlocks.class)
            List<AddressBlock> clients,

            @About("Accounts that calls with the key may reach, else 403 and -32002; empty is no bound.")
            @Setting(value = "[]", pattern = "0x[0-9a-fA-F]{40}", rule = "an address of 20 bytes in hex")
            Set<String> contracts,

            @About(
                    "Units (`defaults.key.rate.weighted`) per UTC day, then 429; 0 is no bound. `server.data` keeps them.")
            @Setting(value = "0", path = "budget.per-day", range = "0 to 1000000000000000")
            long unitsPerDay,

            @About("Time from which the key gets 401 and its WebSockets are closed with code 1008; null is never.")
            @Setting(form = Forms.Time.class)
            @Nullable
            Instant expires) {

        public static final BoundConfig NONE = new BoundConfig(Set.of(), List.of(), Set.of(), 0, null);
    }

    /**
     * A rate. Immutable.
     *
     * @param callsPerSecond 0 for no limit
     * @param burst calls at once after a pause
     * @param weighted whether a call counts its method's cost instead of one
     * @param costs of calls, also in the units of a day and on the bill
     */
    public record RateConfig(
            // Bucket4j refills at most once per nanosecond.
            @About(
                    "Calls per second, each call of a batch included; 0 disables the limit. Set it on the open internet.")
            @Setting(value = "0", range = "0 to 1000000000")
            long callsPerSecond,

            @About("Calls at once after a pause; 0 is as many as per second.")
            @Setting(value = "0", range = "0 to 1000000000")
            long burst,

            @About("Counts a call by its units instead of one; a block sets the units by method.")
            @Setting(value = "false", form = Forms.FlagOrBlock.class)
            boolean weighted,

            @Setting(path = "weighted", form = RateCosts.class)
            MethodCosts costs) {

        public static final RateConfig NONE = new RateConfig(0, 0, false);

        public RateConfig(long callsPerSecond, long burst, boolean weighted) {
            this(callsPerSecond, burst, weighted, MethodCosts.CATALOGUE);
        }

        public RateConfig {
            burst = burst == 0 ? callsPerSecond : burst;
        }

        /** Reports a burst without a rate. A rate that is turned off by its own 0 may keep its burst. */
        void checkWhole(Block block) {
            if (callsPerSecond == 0
                    && burst > 0
                    && !block.look("calls-per-second").isWritten()) {
                block.look("burst").wrong("calls-per-second beside it; without it there is no rate");
            }
        }
    }

    /** The rate in the block that serves calls without a key. */
    static final class AddressRate implements Form<RateConfig> {

        @Override
        public RateConfig read(Binder binder, Block block, String name) {
            if (!block.look(name).isBlock()) {
                return RateConfig.NONE;
            }
            // Nothing is required in a template, and nothing of it is in force by itself.
            block.note(name);
            Block anonymous = block.template(name);
            RateConfig rate = binder.read(RateConfig.class, anonymous.block("rate"));
            rate.checkWhole(anonymous.lookInto("rate"));
            anonymous.end();
            return rate;
        }

        @Override
        public String rule() {
            return "";
        }
    }

    /** The costs in the block that weighs a rate. */
    static final class RateCosts implements Form<MethodCosts> {

        @Override
        public MethodCosts read(Binder binder, Block block, String name) {
            return block.look(name).isBlock()
                    ? CostTable.costs(block.block(name), MethodCosts.CATALOGUE)
                    : MethodCosts.CATALOGUE;
        }

        @Override
        public String rule() {
            return "";
        }
    }
}
