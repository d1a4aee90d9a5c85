package io.weir.l2.deploy;

import io.weir.api.BlockForm;
import io.weir.api.NetworkKind;
import io.weir.api.NetworkMethod;
import io.weir.api.RpcException;
import io.weir.api.SubscriptionForm;
import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Networks whose nodes serve the layer-2 network's JSON-RPC. Chain ids are text such as {@code SN_SEPOLIA}, or the same in hex,
 * which is the normal form. Pure and thread-safe.
 */
final class LayerTwoKind implements NetworkKind {
    static final String NAME = "l2";

    private static final String CHAIN_ID = "starknet_chainId";
    private static final String BLOCK_NUMBER = "starknet_blockNumber";
    private static final String SYNCING = "starknet_syncing";

    private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{1,64}");
    private static final Pattern TEXT = Pattern.compile("(?!0[xX])(?=.*[^0-9])[\\x21-\\x7e]{1,31}");

    private static final Pattern READ = Pattern.compile("starknet_(?:get|trace|estimate|simulate)[A-Za-z]+"
            + "|starknet_(?:blockHashAndNumber|blockNumber|call|chainId|specVersion|syncing)");

    private static final Pattern WRITE = Pattern.compile("starknet_add[A-Za-z]+Transaction");

    /** Codes of errors of a contract's code: no entry point, an error in it, a transaction that fails. */
    private static final Set<Integer> EXECUTION_ERRORS = Set.of(21, 40, 41);

    /** Codes of errors about what is not there: a block, a class, a transaction. */
    private static final Set<Integer> NOT_FOUND = Set.of(24, 28, 29);

    private static final int MAX_CODE = 99;

    private final Set<String> writes;
    private final Set<String> deployments;

    /**
     * The kind.
     *
     * @param writes methods that send transactions, beside those that the network names so
     * @param deployments methods whose calls the plugin answers itself
     */
    LayerTwoKind(Set<String> writes, Set<String> deployments) {
        this.writes = Set.copyOf(writes);
        this.deployments = Set.copyOf(deployments);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String normaliseChainId(String chainId) {
        if (HEX.matcher(chainId).matches()) {
            return Felt.parseHex(chainId).toHex();
        }
        if (TEXT.matcher(chainId).matches()) {
            return ShortString.encode(chainId).toHex();
        }
        throw new IllegalArgumentException(
                "chain id: " + shown(chainId) + " (expected: text such as SN_SEPOLIA, or hex)");
    }

    @Override
    public ProbeCall chainIdCall() {
        return ProbeCall.of(CHAIN_ID);
    }

    @Override
    public ProbeCall headCall() {
        return ProbeCall.of(BLOCK_NUMBER);
    }

    @Override
    public ProbeCall syncingCall() {
        return ProbeCall.of(SYNCING);
    }

    @Override
    public String readChainId(JsonNode result) {
        if (!result.isString() || !HEX.matcher(result.stringValue()).matches()) {
            throw unexpected(CHAIN_ID, result, "hex");
        }
        return Felt.parseHex(result.stringValue()).toHex();
    }

    @Override
    public long readHead(JsonNode result) {
        if (!result.isIntegralNumber() || !result.canConvertToLong() || result.longValue() < 0) {
            throw unexpected(BLOCK_NUMBER, result, "a block's number");
        }
        return result.longValue();
    }

    /** {@code false}, or an object with the sync's progress, which some nodes still give when they are at its end. */
    @Override
    public boolean readSyncing(JsonNode result) {
        if (result.isBoolean()) {
            return result.booleanValue();
        }
        if (!result.isObject()) {
            throw unexpected(SYNCING, result, "false or an object");
        }
        JsonNode current = result.path("current_block_num");
        JsonNode highest = result.path("highest_block_num");
        boolean told = current.isIntegralNumber() && highest.isIntegralNumber();
        return !told || current.bigIntegerValue().compareTo(highest.bigIntegerValue()) < 0;
    }

    @Override
    public List<NetworkMethod> methods() {
        return LayerTwoMethods.all(writes, deployments);
    }

    @Override
    public BlockForm blockForm() {
        return LayerTwoMethods.BLOCKS;
    }

    @Override
    public SubscriptionForm subscriptionForm() {
        return LayerTwoSubscriptions.FORM;
    }

    @Override
    public boolean isRepeatable(String method) {
        return READ.matcher(method).matches();
    }

    /**
     * All codes that the network has for a transaction that is not taken, and those for contracts whose code fails. Other codes
     * of reads, such as that of a block that a node does not have yet, may be answered otherwise by another node.
     */
    @Override
    public boolean isFinalError(String method, int code) {
        if (isWrite(method)) {
            return code > 0 && code <= MAX_CODE;
        }
        return EXECUTION_ERRORS.contains(code) && READ.matcher(method).matches();
    }

    /**
     * Nodes differ in the forms that they take: older ones take resource bounds that are single hex strings, and do not know the tags
     * {@code l1_accepted} and {@code pre_confirmed}.
     */
    @Override
    public boolean isUnread(String method, int code) {
        return code == RpcException.INVALID_PARAMS
                && (isWrite(method) || READ.matcher(method).matches());
    }

    /** A node that lags does not have newer blocks, their transactions and their classes. */
    @Override
    public boolean isNotFound(String method, int code) {
        return !isWrite(method) && NOT_FOUND.contains(code);
    }

    private boolean isWrite(String method) {
        return writes.contains(method) || WRITE.matcher(method).matches();
    }

    private static IllegalArgumentException unexpected(String method, JsonNode result, String expected) {
        return new IllegalArgumentException(method + ": " + result.getNodeType() + " (expected: " + expected + ")");
    }

    private static String shown(String text) {
        return text.length() > 80 ? text.length() + " characters" : text;
    }
}
