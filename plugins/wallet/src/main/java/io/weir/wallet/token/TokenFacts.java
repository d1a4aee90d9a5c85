package io.weir.wallet.token;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The symbol and the decimals of a token. Immutable.
 *
 * @param symbol of at most {@link #MAX_SYMBOL} characters; may hold anything if it is foreign
 * @param isForeign whether the token's contract names itself so, as any contract can; the wallet knows all others by their addresses
 */
public record TokenFacts(String symbol, int decimals, boolean isForeign) {

    /** The token of the fees: the protocol defines its name and its unit. */
    public static final TokenFacts FEE_TOKEN = new TokenFacts("STRK", 18, false);

    /** The tokens that have one address on all public networks. */
    private static final Map<Felt, TokenFacts> OF_ALL = Map.of(
            Felt.parseHex("0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d"),
            FEE_TOKEN,
            Felt.parseHex("0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7"),
            new TokenFacts("ETH", 18, false));

    /** The others that the wallet knows, by the ids of the public networks. */
    private static final Map<Felt, Map<Felt, TokenFacts>> OF_CHAIN = Map.of(
            ShortString.encode("SN_MAIN"),
            Map.of(
                    Felt.parseHex("0x33068f6539f8e6e6b131e6b2b814e6c34a5224bc66947c47dab9dfee93b35fb"),
                    new TokenFacts("USDC", 6, false),
                    Felt.parseHex("0x53c91253bc9682c04929ca02ed00b3e423f6710d2ee7e0d5ebb06f3ecf368a8"),
                    new TokenFacts("USDC.e", 6, false)),
            ShortString.encode("SN_SEPOLIA"),
            Map.of(
                    Felt.parseHex("0x512feac6339ff7889822cb5aa2a86c848e9d392bb0e3e237c008674feed8343"),
                    new TokenFacts("USDC", 6, false)));

    /** The form of decimals and symbol in the configuration. */
    public static final String NAMED = "([0-9]|[1-6][0-9]|7[0-7]) [^\\s].{0,31}";

    /** Number of characters of a symbol. */
    static final int MAX_SYMBOL = 32;

    /** No amount of 256 bits has more digits. */
    private static final int MAX_DECIMALS = 77;

    private static final int WORD_BYTES = 31;

    /** Reads what the configuration says of a token, of the form {@link #NAMED}. */
    public static TokenFacts named(String text) {
        String[] parts = text.split(" ", 2);
        return new TokenFacts(parts[1], Integer.parseInt(parts[0]), false);
    }

    /** Returns the facts about a token that the wallet knows by its address, without asking its contract. */
    static Optional<TokenFacts> known(Felt chainId, Felt token) {
        return Optional.ofNullable(OF_CHAIN.get(chainId)).map(own -> own.getOrDefault(token, OF_ALL.get(token)));
    }

    /**
     * Reads the answers of a contract: the symbol is one short string, or a byte array of whole words and a rest.
     *
     * @throws IllegalArgumentException if they are something else
     */
    static TokenFacts read(List<Felt> symbol, List<Felt> decimals) {
        BigInteger number = decimals.size() == 1 ? decimals.get(0).toBigInteger() : BigInteger.ONE.negate();
        if (number.signum() < 0 || number.compareTo(BigInteger.valueOf(MAX_DECIMALS)) > 0) {
            throw new IllegalArgumentException("decimals: unusable (expected: a number up to " + MAX_DECIMALS + ")");
        }
        String text = symbol.size() == 1 ? ShortString.decode(symbol.get(0)) : byteArray(symbol);
        int characters = Math.min(text.codePointCount(0, text.length()), MAX_SYMBOL);
        return new TokenFacts(text.substring(0, text.offsetByCodePoints(0, characters)), number.intValue(), true);
    }

    private static String byteArray(List<Felt> felts) {
        int whole = felts.size() - 3;
        if (whole < 0 || !felts.get(0).equals(Felt.of(whole))) {
            throw new IllegalArgumentException("symbol: unusable (expected: a short string or a byte array)");
        }
        BigInteger rest = felts.get(whole + 2).toBigInteger();
        if (rest.compareTo(BigInteger.valueOf(WORD_BYTES)) >= 0) {
            throw new IllegalArgumentException("symbol: unusable (expected: a rest of less than 31 bytes)");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // More words than the symbol may have characters are not read: a character has at most four bytes.
        for (int word = 0; word < Math.min(whole, 1 + MAX_SYMBOL * 4 / WORD_BYTES); word++) {
            bytes.write(felts.get(1 + word).toBytes(), Felt.SIZE_BYTES - WORD_BYTES, WORD_BYTES);
        }
        bytes.write(felts.get(whole + 1).toBytes(), Felt.SIZE_BYTES - rest.intValue(), rest.intValue());
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Returns an amount of the smallest unit in whole tokens, with the symbol. */
    public String text(BigInteger amount) {
        return new BigDecimal(amount, decimals).stripTrailingZeros().toPlainString() + " " + symbol;
    }
}
