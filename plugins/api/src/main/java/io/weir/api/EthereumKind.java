package io.weir.api;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Networks whose nodes serve Ethereum's JSON-RPC. A plugin extends it for a network that deviates: it overrides {@link #name}, and what
 * differs. Chain ids are decimal numbers. Thread-safe.
 */
public class EthereumKind implements NetworkKind {

    private static final String CHAIN_ID = "eth_chainId";
    private static final String HEAD_NUMBER = "eth_blockNumber";
    private static final String SYNCING = "eth_syncing";

    /** A number of at most 256 bits. The time to read a longer one grows with the square of its length. */
    private static final Pattern QUANTITY = Pattern.compile("0[xX]([0-9a-fA-F]{1,64})|[0-9]{1,78}");

    /** Creates the kind. */
    public EthereumKind() {}

    @Override
    public String name() {
        return "ethereum";
    }

    @Override
    public String normaliseChainId(String chainId) {
        return quantity("chain id", chainId).toString();
    }

    @Override
    public ProbeCall chainIdCall() {
        return ProbeCall.of(CHAIN_ID);
    }

    @Override
    public ProbeCall headCall() {
        return ProbeCall.of(HEAD_NUMBER);
    }

    @Override
    public ProbeCall syncingCall() {
        return ProbeCall.of(SYNCING);
    }

    @Override
    public String readChainId(JsonNode result) {
        return quantity(CHAIN_ID, text(CHAIN_ID, result)).toString();
    }

    @Override
    public long readHead(JsonNode result) {
        String text = text(HEAD_NUMBER, result);
        BigInteger head = quantity(HEAD_NUMBER, text);
        if (head.bitLength() >= Long.SIZE) {
            throw new IllegalArgumentException(HEAD_NUMBER + ": \"" + text + "\" (expected: a block's number)");
        }
        return head.longValue();
    }

    @Override
    public boolean servesEthereumMethods() {
        return true;
    }

    /**
     * Accepts {@code false}, or an object with the progress of the sync. A node that has all blocks up to the highest may still build
     * an index. It serves what it has.
     */
    @Override
    public boolean readSyncing(JsonNode result) {
        if (result.isBoolean()) {
            return result.booleanValue();
        }
        if (result.isObject()) {
            String highest = result.path("highestBlock").asString("");
            boolean complete = !highest.isEmpty()
                    && highest.equals(result.path("currentBlock").asString(""))
                    && quantity("highestBlock", highest).signum() > 0;
            return !complete;
        }
        throw new IllegalArgumentException(SYNCING + ": " + result.getNodeType() + " (expected: false or an object)");
    }

    private static String text(String what, JsonNode result) {
        if (!result.isString()) {
            throw new IllegalArgumentException(what + ": " + result.getNodeType() + " (expected: a quantity in hex)");
        }
        return result.stringValue();
    }

    private static BigInteger quantity(String what, String text) {
        Matcher quantity = QUANTITY.matcher(text);
        if (!quantity.matches()) {
            throw new IllegalArgumentException(what + ": \"" + text + "\" (expected: a number in decimal or hex)");
        }
        String hex = quantity.group(1);
        return hex == null ? new BigInteger(text) : new BigInteger(hex, 16);
    }
}
