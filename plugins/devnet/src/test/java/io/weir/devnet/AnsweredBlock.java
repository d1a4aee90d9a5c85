package io.weir.devnet;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.block.Withdrawal;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rebuilds from JSON answers, and from nothing else, what their hashes are over. */
final class AnsweredBlock {
    private AnsweredBlock() {}

    static BlockHeader header(JsonNode block) {
        BlockHeaderBuilder header = BlockHeader.builder();
        for (HeaderField field : HeaderField.values()) {
            JsonNode value = block.get(field.jsonName());
            if (value != null) {
                header.hex(field, value.stringValue());
            }
        }
        return header.build();
    }

    static Transaction transaction(JsonNode json) {
        TransactionType type = TransactionType.of((int) Quantity.decodeLong(text(json, "type")));
        TransactionBuilder builder = Transaction.builder(type)
                .nonce(Quantity.decodeLong(text(json, "nonce")))
                .gas(Quantity.decodeLong(text(json, "gas")))
                .to(json.get("to").isNull() ? null : Address.fromHex(text(json, "to")))
                .value(number(json, "value"))
                .input(Bytes.fromHex(text(json, "input")));
        if (type.hasDynamicFee()) {
            builder.maxFeePerGas(number(json, "maxFeePerGas"))
                    .maxPriorityFeePerGas(number(json, "maxPriorityFeePerGas"));
        } else {
            builder.gasPrice(number(json, "gasPrice"));
        }
        if (type == TransactionType.BLOB) {
            builder.maxFeePerBlobGas(number(json, "maxFeePerBlobGas"))
                    .blobVersionedHashes(hashes(json.get("blobVersionedHashes")));
        }
        if (type == TransactionType.LEGACY) {
            return builder.legacySignature(number(json, "v"), number(json, "r"), number(json, "s"))
                    .build();
        }
        int parity = (int) Quantity.decodeLong(text(json, "yParity"));
        return builder.chainId(number(json, "chainId"))
                .accessList(json.get("accessList")
                        .valueStream()
                        .map(entry -> new AccessListEntry(
                                Address.fromHex(text(entry, "address")), hashes(entry.get("storageKeys"))))
                        .toList())
                .signature(new Signature(parity, number(json, "r"), number(json, "s")))
                .build();
    }

    static Receipt receipt(JsonNode json) {
        return new Receipt(
                TransactionType.of((int) Quantity.decodeLong(text(json, "type"))),
                json.has("root") ? Hash32.fromHex(text(json, "root")) : null,
                json.has("status") && text(json, "status").equals("0x1"),
                Quantity.decodeLong(text(json, "cumulativeGasUsed")),
                Bloom.fromHex(text(json, "logsBloom")),
                json.get("logs").valueStream().map(AnsweredBlock::log).toList());
    }

    static Log log(JsonNode json) {
        return new Log(
                Address.fromHex(text(json, "address")), hashes(json.get("topics")), Bytes.fromHex(text(json, "data")));
    }

    static @Nullable List<Withdrawal> withdrawals(JsonNode block) {
        if (!block.has("withdrawals")) {
            return null;
        }
        return block.get("withdrawals")
                .valueStream()
                .map(json -> new Withdrawal(
                        Quantity.decodeLong(text(json, "index")),
                        Quantity.decodeLong(text(json, "validatorIndex")),
                        Address.fromHex(text(json, "address")),
                        Quantity.decodeLong(text(json, "amount"))))
                .toList();
    }

    static String text(JsonNode json, String name) {
        return json.get(name).stringValue();
    }

    static BigInteger number(JsonNode json, String name) {
        return Quantity.decode(text(json, name));
    }

    private static List<Hash32> hashes(JsonNode array) {
        return array.valueStream()
                .map(each -> Hash32.fromHex(each.stringValue()))
                .toList();
    }
}
