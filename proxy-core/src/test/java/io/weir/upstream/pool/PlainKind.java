package io.weir.upstream.pool;

import io.weir.api.NetworkKind;
import tools.jackson.databind.JsonNode;

/** A kind of network that answers probes with plain text, numbers and truth values. */
final class PlainKind implements NetworkKind {

    private final boolean showsBlocks;
    private final boolean takesMethods;

    PlainKind() {
        this(true, false);
    }

    /**
     * @param showsBlocks whether nodes show their newest block; else they only name its number
     * @param takesMethods whether nodes take Ethereum's methods
     */
    PlainKind(boolean showsBlocks, boolean takesMethods) {
        this.showsBlocks = showsBlocks;
        this.takesMethods = takesMethods;
    }

    @Override
    public String name() {
        return "plain";
    }

    @Override
    public String normaliseChainId(String chainId) {
        return chainId.strip();
    }

    @Override
    public ProbeCall chainIdCall() {
        return ProbeCall.of("chain");
    }

    @Override
    public ProbeCall headCall() {
        return ProbeCall.of("head");
    }

    @Override
    public boolean servesEthereumBlocks() {
        return showsBlocks;
    }

    @Override
    public boolean servesEthereumMethods() {
        return takesMethods;
    }

    @Override
    public ProbeCall syncingCall() {
        return ProbeCall.of("syncing");
    }

    @Override
    public String readChainId(JsonNode result) {
        return result.asString();
    }

    @Override
    public long readHead(JsonNode result) {
        if (!result.isIntegralNumber()) {
            throw new IllegalArgumentException("head: " + result + " (expected: a number)");
        }
        return result.asLong();
    }

    @Override
    public boolean readSyncing(JsonNode result) {
        if (!result.isBoolean()) {
            throw new IllegalArgumentException("syncing: " + result + " (expected: true or false)");
        }
        return result.asBoolean();
    }

    @Override
    public boolean isFinalError(String method, int code) {
        return code == 61;
    }
}
