package io.weir.l2.deploy.devnet;

import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.transaction.ContractAddress;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.transaction.DataAvailability;
import io.weir.l2.transaction.ExecuteCalldata;
import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.l2.transaction.TransactionFields;
import io.weir.l2.transaction.TransactionHash;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transaction of version 3 that was sent, or that is to be estimated. Immutable.
 *
 * @param publicKey of the account that it deploys; null if it deploys none
 * @param calls of an account; empty for a deployment
 * @param isQuery whether it may only be estimated
 */
record SentTransaction(
        Felt hash,
        Felt sender,
        BigInteger nonce,
        ResourceBounds bounds,
        List<ContractCall> calls,
        @Nullable Felt publicKey,
        List<Felt> signature,
        boolean isQuery,
        JsonNode body) {

    private static final String VERSION = "0x3";
    private static final String QUERY = "0x100000000000000000000000000000003";

    /**
     * Reads it and computes its hash.
     *
     * @throws IllegalArgumentException when a field is missing or wrong
     * @throws io.weir.api.RpcException when its version or its class is not served
     */
    static SentTransaction read(JsonNode body, Felt chainId) {
        String version = body.path("version").asString("");
        if (!version.equals(VERSION) && !version.equals(QUERY)) {
            throw DevelopmentChain.error(61, "The transaction version is not supported", version);
        }
        Felt nonce = felt(body, "nonce");
        JsonNode resources = body.path("resource_bounds");
        ResourceBounds bounds = new ResourceBounds(
                bound(resources.path("l1_gas")), bound(resources.path("l2_gas")), bound(resources.path("l1_data_gas")));
        TransactionFields fields = new TransactionFields(
                chainId,
                nonce,
                body.has("tip") ? number(body, "tip") : BigInteger.ZERO,
                bounds,
                FeltJson.felts(body.path("paymaster_data")),
                mode(body, "nonce_data_availability_mode"),
                mode(body, "fee_data_availability_mode"),
                version.equals(QUERY));
        return body.path("type").asString("").equals("DEPLOY_ACCOUNT")
                ? deployment(body, fields)
                : invocation(body, fields);
    }

    private static SentTransaction deployment(JsonNode body, TransactionFields fields) {
        Felt classHash = felt(body, "class_hash");
        Felt salt = felt(body, "contract_address_salt");
        List<Felt> calldata = FeltJson.felts(body.path("constructor_calldata"));
        if (!classHash.equals(Ledger.ACCOUNT_CLASS) || calldata.size() != 1) {
            throw DevelopmentChain.error(
                    28,
                    "Class hash not found",
                    "the class of accounts here is " + Ledger.ACCOUNT_CLASS.toHex()
                            + ", and its constructor takes the public key");
        }
        Felt address = ContractAddress.ofAccount(classHash, salt, calldata);
        Felt hash = TransactionHash.ofDeployAccount(fields, address, classHash, salt, calldata);
        return of(hash, address, fields, List.of(), calldata.get(0), body);
    }

    private static SentTransaction invocation(JsonNode body, TransactionFields fields) {
        Felt sender = felt(body, "sender_address");
        List<Felt> calldata = FeltJson.felts(body.path("calldata"));
        List<ContractCall> calls = ExecuteCalldata.read(calldata)
                .orElseThrow(() -> new IllegalArgumentException("calldata: no list of calls"));
        Felt hash = TransactionHash.ofInvoke(
                fields, sender, FeltJson.felts(body.path("account_deployment_data")), calldata);
        return of(hash, sender, fields, calls, null, body);
    }

    private static SentTransaction of(
            Felt hash,
            Felt sender,
            TransactionFields fields,
            List<ContractCall> calls,
            @Nullable Felt publicKey,
            JsonNode body) {
        return new SentTransaction(
                hash,
                sender,
                fields.nonce().toBigInteger(),
                fields.resourceBounds(),
                calls,
                publicKey,
                FeltJson.felts(body.path("signature")),
                fields.queryOnly(),
                body);
    }

    /** Returns whether the owner of a key signed it. */
    boolean isSignedBy(Felt key) {
        return signature.size() == 2
                && StarkSigner.verify(hash, new Signature(signature.get(0), signature.get(1)), key);
    }

    /** Returns the most that it may cost. */
    BigInteger mostFee() {
        ResourceBound data = bounds.l1DataGas();
        return cost(bounds.l1Gas()).add(cost(bounds.l2Gas())).add(data == null ? BigInteger.ZERO : cost(data));
    }

    private static BigInteger cost(ResourceBound bound) {
        return bound.maxAmount().multiply(bound.maxPricePerUnit());
    }

    private static Felt felt(JsonNode body, String name) {
        String text = body.path(name).asString("");
        try {
            return Felt.parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    private static DataAvailability mode(JsonNode body, String name) {
        return DataAvailability.valueOf(body.path(name).asString("L1"));
    }

    private static ResourceBound bound(JsonNode node) {
        return new ResourceBound(number(node, "max_amount"), number(node, "max_price_per_unit"));
    }

    private static BigInteger number(JsonNode node, String name) {
        String text = node.path(name).asString("");
        if (!text.matches("0x[0-9a-fA-F]{1,32}")) {
            throw new IllegalArgumentException(name + ": not usable (expected: hexadecimal)");
        }
        return new BigInteger(text.substring(2), 16);
    }
}
