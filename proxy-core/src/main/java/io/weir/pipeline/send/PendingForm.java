package io.weir.pipeline.send;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.send.AcceptedTransactions.Accepted;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writer of a transaction as geth shows it while it is in no block. Confined to one call. */
final class PendingForm {

    private final StringBuilder text = new StringBuilder("{\"blockHash\":null,\"blockNumber\":null");

    private PendingForm() {}

    static RawJson of(Accepted accepted) {
        return RawJson.of(new PendingForm().write(accepted));
    }

    private String write(Accepted accepted) {
        Transaction transaction = accepted.transaction();
        // While nobody knows the base fee, the gas price is the most that the transaction may pay.
        BigInteger price = transaction.gasPrice() == null ? transaction.maxFeePerGas() : transaction.gasPrice();
        string("from", accepted.sender().hex());
        string("gas", Quantity.encodeUnsigned(transaction.gas()));
        quantity("gasPrice", price);
        quantity("maxFeePerGas", transaction.maxFeePerGas());
        quantity("maxPriorityFeePerGas", transaction.maxPriorityFeePerGas());
        quantity("maxFeePerBlobGas", transaction.maxFeePerBlobGas());
        string("hash", accepted.hash().hex());
        string("input", transaction.input().hex());
        string("nonce", Quantity.encodeUnsigned(transaction.nonce()));
        if (transaction.to() == null) {
            text.append(",\"to\":null");
        } else {
            string("to", transaction.to().hex());
        }
        text.append(",\"transactionIndex\":null");
        quantity("value", transaction.value());
        string("type", Quantity.encode(transaction.type().number()));
        lists(transaction);
        quantity("chainId", transaction.chainId());
        signature(transaction);
        return text.append('}').toString();
    }

    private void lists(Transaction transaction) {
        TransactionType type = transaction.type();
        if (type != TransactionType.LEGACY) {
            list("accessList", transaction.accessList(), PendingForm::entry);
        }
        if (type == TransactionType.BLOB) {
            list("blobVersionedHashes", transaction.blobVersionedHashes(), PendingForm::quoted);
        }
        if (type == TransactionType.SET_CODE) {
            list("authorizationList", transaction.authorizationList(), PendingForm::authorization);
        }
    }

    private void signature(Transaction transaction) {
        Signature signature = Objects.requireNonNull(transaction.signature());
        quantity("v", transaction.v());
        quantity("r", signature.r());
        quantity("s", signature.s());
        if (transaction.type() != TransactionType.LEGACY) {
            string("yParity", Quantity.encode(signature.yParity()));
        }
    }

    private static String entry(AccessListEntry entry) {
        return entry.storageKeys().stream()
                .map(PendingForm::quoted)
                .collect(Collectors.joining(
                        ",", "{\"address\":\"" + entry.address().hex() + "\",\"storageKeys\":[", "]}"));
    }

    private static String authorization(Authorization authorization) {
        return "{\"chainId\":\"" + Quantity.encode(authorization.chainId())
                + "\",\"address\":\"" + authorization.address().hex()
                + "\",\"nonce\":\"" + Quantity.encodeUnsigned(authorization.nonce())
                + "\",\"yParity\":\"" + Quantity.encode(authorization.yParity())
                + "\",\"r\":\"" + Quantity.encode(authorization.r())
                + "\",\"s\":\"" + Quantity.encode(authorization.s()) + "\"}";
    }

    private static String quoted(Hash32 hash) {
        return '"' + hash.hex() + '"';
    }

    private <T> void list(String name, Collection<T> items, Function<T, String> item) {
        text.append(items.stream().map(item).collect(Collectors.joining(",", ",\"" + name + "\":[", "]")));
    }

    private void quantity(String name, @Nullable BigInteger value) {
        if (value != null) {
            string(name, Quantity.encode(value));
        }
    }

    private void string(String name, String value) {
        text.append(",\"").append(name).append("\":\"").append(value).append('"');
    }
}
