package io.weir.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Form;
import io.weir.config.NetworkConfig.Family;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of well-known chains. They count below a network's own settings, and above {@code defaults.network}. Immutable.
 *
 * <p>Block times come from the timestamps of recorded blocks, or from the documentation that the comment names. Depths are used
 * only if no node has the {@code finalized} tag; the comment says what they follow from.
 */
public enum ChainPreset {
    // Two epochs of 32 slots (consensus-specs, finality).
    MAINNET("1", Family.ETHEREUM, 12_000, 64),
    SEPOLIA("11155111", Family.ETHEREUM, 12_000, 64),
    HOODI("560048", Family.ETHEREUM, 12_000, 64),
    // Final 20 to 30 minutes after the submission to L1 (docs.optimism.io): an hour of blocks.
    OP("10", Family.OP, 2_000, 1_800),
    BASE("8453", Family.OP, 2_000, 1_800),
    // Final with its batch on L1 (docs.arbitrum.io, finality): an hour of blocks.
    ARBITRUM("42161", Family.ARBITRUM, 250, 14_400),
    // A checkpoint without milestones (PIP-11).
    POLYGON("137", Family.POLYGON, 2_000, 512),
    // Final after about two blocks by votes, else probabilistic (docs.bnbchain.org; block time since Fermi).
    BSC("56", Family.BSC, 450, 64),
    // Final after about 2.7 minutes, two epochs of 16 slots (docs.gnosischain.com): twice that.
    GNOSIS("100", Family.GNOSIS, 5_000, 64),
    // Final once its batch is proven, about an hour later (docs.scroll.io): an hour of the fastest blocks.
    SCROLL("534352", Family.SCROLL, 1_000, 3_600),
    // Final with a proof on a final block of L1 (docs.linea.build): a day of blocks.
    LINEA("59144", Family.ETHEREUM, 1_000, 86_400),
    // As the OP stack, with a block a second (docs.celo.org).
    CELO("42220", Family.CELO, 1_000, 3_600),
    // Final once its batch is executed on L1, hours later (docs.zksync.io): a day of blocks.
    ZKSYNC("324", Family.ZKSYNC, 1_000, 86_400),
    // Mines a block for each transaction, and is often reset.
    ANVIL("31337", Family.ETHEREUM, 0, 64);

    private static final long MAX_HEAD_AGE_MILLIS = 1_000;
    private static final long MIN_LAG = 8;

    /** The time in which an honest node's polled height may fall behind, with some polls lost. */
    private static final long LAG_MILLIS = 30_000;

    private final String chainId;
    private final Family family;
    private final long blockMillis;
    private final long finalityDepth;

    /** @param blockMillis average time between blocks; 0 if there is none */
    ChainPreset(String chainId, Family family, long blockMillis, long finalityDepth) {
        this.chainId = chainId;
        this.family = family;
        this.blockMillis = blockMillis;
        this.finalityDepth = finalityDepth;
    }

    /** Returns a network over the presets that it names. The preset of its upstreams wins over that of the chain. */
    static Block over(Block network, Block upstreamDefaults) {
        String name = network.setting(HostedPreset.SETTING).wordOrNull(names());
        Block preset = name == null ? network : network.over(of(name).settings());
        return HostedPreset.serves(network, upstreamDefaults) ? preset.over(HostedPreset.network()) : preset;
    }

    static ChainPreset of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Returns the name of a chain's preset; null if it has none. */
    public static @Nullable String nameOf(String chainId) {
        return Arrays.stream(values())
                .filter(preset -> preset.chainId.equals(chainId))
                .map(ChainPreset::word)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a preset is of nodes for development, which serve any chain id. */
    public static boolean isForDevelopment(String name) {
        return of(name) == ANVIL;
    }

    static List<String> names() {
        return Arrays.stream(values()).map(ChainPreset::word).toList();
    }

    /** Returns the average time between blocks; 0 if there is none. */
    long blockMillis() {
        return blockMillis;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    ConfigObject settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("chain-id", chainId);
        settings.put("family", family.name().toLowerCase(Locale.ROOT));
        settings.put("finality.depth", finalityDepth);
        if (blockMillis > 0) {
            settings.put("head.max-age", Math.min(blockMillis, MAX_HEAD_AGE_MILLIS) + " ms");
            settings.put("health.max-lag", Math.max(MIN_LAG, (LAG_MILLIS + blockMillis - 1) / blockMillis));
        }
        if (this == ANVIL) {
            settings.put("verify", "off");
        }
        return ConfigFactory.parseMap(settings, "preset " + word()).root();
    }

    static final class Name implements Form<String> {

        @Override
        public @Nullable String read(Binder binder, Block block, String name) {
            return block.look(name).isNull() ? null : block.look(name).asText();
        }

        @Override
        public String rule() {
            return String.join(", ", names());
        }
    }

    /** Settings for providers that bill by the call: they save calls. Stateless. */
    static final class HostedPreset {

        static final String WORD = "hosted";

        /** The setting that names a preset, of an upstream or of a chain. */
        static final String SETTING = "preset";

        private HostedPreset() {}

        static Block over(Block upstream) {
            boolean hosted = upstream.setting(SETTING).wordOrNull(List.of(WORD)) != null;
            return hosted ? upstream.over(upstream()) : upstream;
        }

        /** Returns whether a network has upstreams, and all of them are hosted. */
        static boolean serves(Block network, Block upstreamDefaults) {
            Collection<Block> upstreams =
                    network.lookInto("upstreams").entries(upstreamDefaults).values();
            return !upstreams.isEmpty()
                    && upstreams.stream()
                            .allMatch(upstream -> upstream.look(SETTING).is(WORD));
        }

        private static ConfigObject upstream() {
            Map<String, Object> settings = Map.of("batch.size", 1, "subscribe", false);
            return ConfigFactory.parseMap(settings, "preset hosted").root();
        }

        /** Returns the settings of a network whose upstreams are all hosted. */
        static ConfigObject network() {
            Map<String, Object> settings = Map.of(
                    "balance.hedge-percent",
                    0,
                    "gather.enabled",
                    false,
                    "head.max-age",
                    "3 s",
                    "health.interval",
                    "15 s");
            return ConfigFactory.parseMap(settings, "preset hosted").root();
        }

        static final class Name implements Form<String> {

            @Override
            public @Nullable String read(Binder binder, Block block, String name) {
                return block.look(name).is(WORD) ? WORD : null;
            }

            @Override
            public String rule() {
                return WORD;
            }
        }
    }
}
