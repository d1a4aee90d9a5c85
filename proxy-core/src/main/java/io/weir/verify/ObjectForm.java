package io.weir.verify;

import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.text.JsonString;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Form of a JSON object in answers: the names of its members, and the forms of its inner objects. Immutable.
 *
 * <p>Covered members are proven by a hash or compared with what is proven. Uncovered members pass as sent: nothing
 * proves them, and nodes of every Ethereum chain may send them.
 */
@SuppressWarnings("ImmutableEnumChecker") // Nothing changes the collections after the constructor.
public enum ObjectForm {
    /** An address and its storage keys in a transaction's access list. */
    ACCESS_LIST_ENTRY(Set.of("address", "storageKeys"), Set.of(), Map.of()),
    /** An EIP-7702 authorization in a transaction. */
    AUTHORIZATION(Set.of("address", "chainId", "nonce", "r", "s", "v", "yParity"), Set.of(), Map.of()),
    /** A withdrawal in a block. */
    WITHDRAWAL(Set.of("address", "amount", "index", "validatorIndex"), Set.of(), Map.of()),
    /** A log in a receipt. */
    LOG(
            Set.of(
                    "address",
                    "blockHash",
                    "blockNumber",
                    "blockTimestamp",
                    "data",
                    "logIndex",
                    "removed",
                    "topics",
                    "transactionHash",
                    "transactionIndex"),
            Set.of(),
            Map.of()),
    /** A transaction, alone or in a block. */
    TRANSACTION(
            Set.of(
                    "accessList",
                    "authorizationList",
                    "blobVersionedHashes",
                    "blockHash",
                    "blockNumber",
                    "blockTimestamp",
                    "chainId",
                    "data",
                    "from",
                    "gas",
                    "gasPrice",
                    "hash",
                    "input",
                    "maxFeePerBlobGas",
                    "maxFeePerGas",
                    "maxPriorityFeePerGas",
                    "nonce",
                    "publicKey",
                    "r",
                    "raw",
                    "s",
                    "to",
                    "transactionIndex",
                    "type",
                    "v",
                    "value",
                    "yParity"),
            Set.of(),
            Map.of("accessList", ACCESS_LIST_ENTRY, "authorizationList", AUTHORIZATION)),
    /**
     * A receipt, alone or among all of a block. The price of blob gas follows from parameters of the chain's forks, which the
     * proxy does not know. Nethermind and Besu add the reason of a failure in words.
     */
    RECEIPT(
            Set.of(
                    "blobGasUsed",
                    "blockHash",
                    "blockNumber",
                    "blockTimestamp",
                    "contractAddress",
                    "cumulativeGasUsed",
                    "effectiveGasPrice",
                    "from",
                    "gasUsed",
                    "logs",
                    "logsBloom",
                    "root",
                    "status",
                    "to",
                    "transactionHash",
                    "transactionIndex",
                    "type"),
            Set.of("blobGasPrice", "error", "revertReason"),
            Map.of("logs", LOG)),
    /** A block, an uncle or a header. Nodes differ in how they measure a size and in whether they know the total difficulty. */
    BLOCK(
            Stream.concat(
                            Stream.of("hash", "transactions", "uncles", "withdrawals"),
                            Arrays.stream(HeaderField.values()).map(HeaderField::jsonName))
                    .collect(Collectors.toUnmodifiableSet()),
            Set.of("size", "totalDifficulty"),
            Map.of("transactions", TRANSACTION, "withdrawals", WITHDRAWAL));

    private final Set<String> covered;
    private final Map<String, ObjectForm> inside;
    private final Set<String> known;
    private final Map<String, String> folded = new HashMap<>();

    ObjectForm(Set<String> covered, Set<String> uncovered, Map<String, ObjectForm> inside) {
        this.covered = covered;
        this.inside = inside;
        this.known = Stream.concat(covered.stream(), uncovered.stream()).collect(Collectors.toUnmodifiableSet());
        known.forEach(name -> folded.put(JsonString.folded(name), name));
    }

    /** Returns the members that a hash proves or that follow from proven data. */
    public Set<String> covered() {
        return covered;
    }

    /** Returns the members that hold objects, or lists of objects, with their forms. */
    public Map<String, ObjectForm> inside() {
        return inside;
    }

    /** Returns whether a name is one of the form's, covered or uncovered. */
    boolean knows(String name) {
        return known.contains(name);
    }

    /** Returns the known name that equals a name except for case; null if there is none. */
    @Nullable
    String shadowed(String name) {
        return known.contains(name) ? null : folded.get(JsonString.folded(name));
    }
}
