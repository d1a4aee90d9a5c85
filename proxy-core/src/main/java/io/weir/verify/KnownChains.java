package io.weir.verify;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Families of chains that the proxy knows by id. They select names of members only, never rules. Stateless. */
public final class KnownChains {

    /** Ids of geth, besu, erigon and ganache; of anvil and hardhat; and of the development nodes of nitro, zksync and moonbeam. */
    private static final Set<String> OF_DEVELOPERS = Set.of("1337", "31337", "412346", "260", "1281");

    private static final Map<String, ChainFamily> FAMILIES = families();

    private KnownChains() {}

    /**
     * Returns a chain's family; Ethereum if the chain is not known.
     *
     * @param chainId in decimal
     */
    public static ChainFamily family(String chainId) {
        return FAMILIES.getOrDefault(chainId, ChainFamily.ETHEREUM);
    }

    /**
     * Returns whether a chain's id is one that developers' nodes use.
     *
     * @param chainId in decimal if it is a number
     */
    public static boolean isOfDevelopers(String chainId) {
        return OF_DEVELOPERS.contains(chainId);
    }

    private static Map<String, ChainFamily> families() {
        Map<String, ChainFamily> chains = new HashMap<>();
        // OP Mainnet, Base, Unichain, World Chain, Mode, Ink, Soneium, Zora, Blast, OP Sepolia, Base Sepolia.
        List.of("10", "8453", "130", "480", "34443", "57073", "1868", "7777777", "81457", "11155420", "84532")
                .forEach(id -> chains.put(id, ChainFamily.OP));
        // Celo and Celo Sepolia.
        List.of("42220", "11142220").forEach(id -> chains.put(id, ChainFamily.CELO));
        // Arbitrum One, Nova and Sepolia.
        List.of("42161", "42170", "421614").forEach(id -> chains.put(id, ChainFamily.ARBITRUM));
        // Polygon PoS and Amoy.
        List.of("137", "80002").forEach(id -> chains.put(id, ChainFamily.POLYGON));
        // Scroll and Scroll Sepolia.
        List.of("534352", "534351").forEach(id -> chains.put(id, ChainFamily.SCROLL));
        // BNB Smart Chain and Chapel.
        List.of("56", "97").forEach(id -> chains.put(id, ChainFamily.BSC));
        // Gnosis and Chiado.
        List.of("100", "10200").forEach(id -> chains.put(id, ChainFamily.GNOSIS));
        // ZKsync Era, its Sepolia, and Abstract.
        List.of("324", "300", "2741").forEach(id -> chains.put(id, ChainFamily.ZKSYNC));
        return Map.copyOf(chains);
    }
}
