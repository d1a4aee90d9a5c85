package io.weir.ethereum.block;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Objects as JSON-RPC shows them, filled into the types of this library. */
final class JsonObjects {
    private JsonObjects() {}

    static BlockHeader header(JsonNode json) {
        BlockHeaderBuilder builder = BlockHeader.builder();
        for (HeaderField field : HeaderField.values()) {
            if (json.has(field.jsonName())) {
                builder.hex(field, text(json, field.jsonName()));
            }
        }
        return builder.build();
    }

    static Transaction transaction(JsonNode json) {
        TransactionType type = TransactionType.of((int) unsigned(json, "type"));
        TransactionBuilder builder = Transaction.builder(type)
                .nonce(unsigned(json, "nonce"))
                .gas(unsigned(json, "gas"))
                .to(json.get("to").isNull() ? null : address(json, "to"))
                .value(quantity(json, "value"))
                .input(bytes(json, "input"));
        if (type == TransactionType.LEGACY) {
            return builder.gasPrice(quantity(json, "gasPrice"))
                    .legacySignature(quantity(json, "v"), quantity(json, "r"), quantity(json, "s"))
                    .build();
        }
        builder.chainId(quantity(json, "chainId"))
                .accessList(list(json.get("accessList"), JsonObjects::accessListEntry))
                .signature(new Signature((int) unsigned(json, "yParity"), quantity(json, "r"), quantity(json, "s")));
        // A mined transaction's gasPrice is what it paid in the end, and in these types no part of it.
        if (type.hasDynamicFee()) {
            builder.maxFeePerGas(quantity(json, "maxFeePerGas"))
                    .maxPriorityFeePerGas(quantity(json, "maxPriorityFeePerGas"));
        } else {
            builder.gasPrice(quantity(json, "gasPrice"));
        }
        if (type == TransactionType.BLOB) {
            builder.maxFeePerBlobGas(quantity(json, "maxFeePerBlobGas"))
                    .blobVersionedHashes(list(json.get("blobVersionedHashes"), JsonObjects::hash));
        }
        if (type == TransactionType.SET_CODE) {
            builder.authorizationList(list(json.get("authorizationList"), JsonObjects::authorization));
        }
        return builder.build();
    }

    static Receipt receipt(JsonNode json) {
        return new Receipt(
                TransactionType.of((int) unsigned(json, "type")),
                json.has("root") ? hash(json.get("root")) : null,
                !json.has("status") || text(json, "status").equals("0x1"),
                unsigned(json, "cumulativeGasUsed"),
                Bloom.fromHex(text(json, "logsBloom")),
                list(json.get("logs"), JsonObjects::log));
    }

    static Withdrawal withdrawal(JsonNode json) {
        return new Withdrawal(
                unsigned(json, "index"),
                unsigned(json, "validatorIndex"),
                address(json, "address"),
                unsigned(json, "amount"));
    }

    static <T> List<T> list(JsonNode array, Function<JsonNode, T> item) {
        List<T> items = new ArrayList<>();
        array.forEach(node -> items.add(item.apply(node)));
        return items;
    }

    static Hash32 hash(JsonNode json) {
        return Hash32.fromHex(json.stringValue());
    }

    static Hash32 hash(JsonNode json, String name) {
        return Hash32.fromHex(text(json, name));
    }

    static Address address(JsonNode json, String name) {
        return Address.fromHex(text(json, name));
    }

    static String text(JsonNode json, String name) {
        return json.get(name).stringValue();
    }

    private static Log log(JsonNode json) {
        return new Log(address(json, "address"), list(json.get("topics"), JsonObjects::hash), bytes(json, "data"));
    }

    private static AccessListEntry accessListEntry(JsonNode json) {
        return new AccessListEntry(address(json, "address"), list(json.get("storageKeys"), JsonObjects::hash));
    }

    private static Authorization authorization(JsonNode json) {
        return new Authorization(
                quantity(json, "chainId"),
                address(json, "address"),
                unsigned(json, "nonce"),
                (int) unsigned(json, "yParity"),
                quantity(json, "r"),
                quantity(json, "s"));
    }

    private static BigInteger quantity(JsonNode json, String name) {
        return Quantity.decode(text(json, name));
    }

    private static long unsigned(JsonNode json, String name) {
        return Quantity.decodeUnsignedLong(text(json, name));
    }

    private static Bytes bytes(JsonNode json, String name) {
        return Bytes.fromHex(text(json, name));
    }
}
