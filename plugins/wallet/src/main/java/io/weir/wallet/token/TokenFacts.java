package io.weir.wallet.token;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The symbol and the decimals of a token. Immutable.
 *
 * @param symbol of at most {@link #MAX_SYMBOL} characters; may hold anything, unless the protocol defines it
 * @param isForeign whether the token's contract names itself so, as any contract can
 */
public record TokenFacts(String symbol, int decimals, boolean isForeign) {

    /** The token of the fees: the protocol defines its name and its unit. */
    public static final TokenFacts FEE_TOKEN = new TokenFacts("STRK", 18, false);

    /** Number of characters of a symbol. */
    static final int MAX_SYMBOL = 32;

    /** No amount of 256 bits has more digits. */
    private static final int MAX_DECIMALS = 77;

    private static final int WORD_BYTES = 31;

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
