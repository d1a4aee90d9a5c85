package io.weir.wallet.testing;

import io.weir.l2.Felt;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.transaction.ContractAddress;
import io.weir.l2.transaction.DataAvailability;
import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.l2.transaction.TransactionFields;
import io.weir.l2.transaction.TransactionHash;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/** Looks at transactions as a node does: fields of version 3, hash, address and signature, all from the JSON alone. Thread-safe. */
public final class TransactionCheck {
    /** The addresses of accounts by what they follow from: their hashes are slow, and few. */
    private static final Map<List<Felt>, Felt> ADDRESSES = new ConcurrentHashMap<>();

    private TransactionCheck() {}

    /** The hash of a transaction, which its signature is for. */
    public static Felt hash(JsonNode transaction, Felt chainId) {
        JsonNode bounds = transaction.path("resource_bounds");
        TransactionFields fields = new TransactionFields(
                chainId,
                felt(transaction, "nonce"),
                BigInteger.ZERO,
                new ResourceBounds(
                        bound(bounds.path("l1_gas")), bound(bounds.path("l2_gas")), bound(bounds.path("l1_data_gas"))),
                List.of(),
                DataAvailability.L1,
                DataAvailability.L1,
                isQuery(transaction));
        return isDeployment(transaction)
                ? TransactionHash.ofDeployAccount(
                        fields,
                        felt(transaction, "class_hash"),
                        felt(transaction, "contract_address_salt"),
                        felts(transaction, "constructor_calldata"))
                : TransactionHash.ofInvoke(
                        fields, felt(transaction, "sender_address"), List.of(), felts(transaction, "calldata"));
    }

    static boolean isDeployment(JsonNode transaction) {
        return transaction.path("type").stringValue().equals("DEPLOY_ACCOUNT");
    }

    static boolean isQuery(JsonNode transaction) {
        return transaction.path("version").stringValue().equals("0x100000000000000000000000000000003");
    }

    /** The account that sends a transaction. */
    public static Felt sender(JsonNode transaction) {
        if (!isDeployment(transaction)) {
            return felt(transaction, "sender_address");
        }
        List<Felt> calldata = felts(transaction, "constructor_calldata");
        List<Felt> origin = new ArrayList<>(calldata);
        origin.add(felt(transaction, "class_hash"));
        origin.add(felt(transaction, "contract_address_salt"));
        return ADDRESSES.computeIfAbsent(
                origin,
                missing -> ContractAddress.ofAccount(
                        felt(transaction, "class_hash"), felt(transaction, "contract_address_salt"), calldata));
    }

    static boolean isSignedBy(JsonNode transaction, Felt hash, Felt publicKey) {
        List<Felt> signature = felts(transaction, "signature");
        return StarkSigner.verify(hash, new Signature(signature.get(0), signature.get(1)), publicKey);
    }

    private static ResourceBound bound(JsonNode node) {
        return new ResourceBound(number(node.path("max_amount")), number(node.path("max_price_per_unit")));
    }

    private static BigInteger number(JsonNode node) {
        return new BigInteger(node.stringValue().substring(2), 16);
    }

    static Felt felt(JsonNode transaction, String name) {
        return Felt.parseHex(transaction.path(name).stringValue());
    }

    static List<Felt> felts(JsonNode transaction, String name) {
        List<Felt> felts = new ArrayList<>();
        transaction.path(name).forEach(element -> felts.add(Felt.parseHex(element.stringValue())));
        return felts;
    }
}
