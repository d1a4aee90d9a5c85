package io.weir.ethereum.transaction;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.Signature;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills a {@link Transaction} field by field, and checks at the end that they suit its type. Confined to one thread. */
public final class TransactionBuilder {
    private final TransactionType type;
    private @Nullable BigInteger chainId;
    private long nonce;
    private @Nullable BigInteger gasPrice;
    private @Nullable BigInteger maxPriorityFeePerGas;
    private @Nullable BigInteger maxFeePerGas;
    private long gas;
    private @Nullable Address to;
    private BigInteger value = BigInteger.ZERO;
    private Bytes input = Bytes.EMPTY;
    private List<AccessListEntry> accessList = List.of();
    private @Nullable BigInteger maxFeePerBlobGas;
    private List<Hash32> blobVersionedHashes = List.of();
    private List<Authorization> authorizationList = List.of();
    private @Nullable Signature signature;

    TransactionBuilder(TransactionType type) {
        this.type = type;
    }

    TransactionBuilder(Transaction from) {
        type = from.type();
        chainId = from.chainId();
        nonce = from.nonce();
        gasPrice = from.gasPrice();
        maxPriorityFeePerGas = from.maxPriorityFeePerGas();
        maxFeePerGas = from.maxFeePerGas();
        gas = from.gas();
        to = from.to();
        value = from.value();
        input = from.input();
        accessList = from.accessList();
        maxFeePerBlobGas = from.maxFeePerBlobGas();
        blobVersionedHashes = from.blobVersionedHashes();
        authorizationList = from.authorizationList();
        signature = from.signature();
    }

    public TransactionBuilder chainId(@Nullable BigInteger chainId) {
        this.chainId = chainId;
        return this;
    }

    public TransactionBuilder chainId(long chainId) {
        return chainId(BigInteger.valueOf(chainId));
    }

    /** The bits of an unsigned long. */
    public TransactionBuilder nonce(long nonce) {
        this.nonce = nonce;
        return this;
    }

    /** In wei. */
    public TransactionBuilder gasPrice(@Nullable BigInteger gasPrice) {
        this.gasPrice = gasPrice;
        return this;
    }

    /** In wei. */
    public TransactionBuilder maxPriorityFeePerGas(@Nullable BigInteger maxPriorityFeePerGas) {
        this.maxPriorityFeePerGas = maxPriorityFeePerGas;
        return this;
    }

    /** In wei. */
    public TransactionBuilder maxFeePerGas(@Nullable BigInteger maxFeePerGas) {
        this.maxFeePerGas = maxFeePerGas;
        return this;
    }

    /** The most gas that it may use, the bits of an unsigned long. */
    public TransactionBuilder gas(long gas) {
        this.gas = gas;
        return this;
    }

    /** Sets the called address; null creates a contract. */
    public TransactionBuilder to(@Nullable Address to) {
        this.to = to;
        return this;
    }

    /** In wei. */
    public TransactionBuilder value(BigInteger value) {
        this.value = value;
        return this;
    }

    public TransactionBuilder input(Bytes input) {
        this.input = input;
        return this;
    }

    public TransactionBuilder accessList(List<AccessListEntry> accessList) {
        this.accessList = accessList;
        return this;
    }

    /** In wei. */
    public TransactionBuilder maxFeePerBlobGas(@Nullable BigInteger maxFeePerBlobGas) {
        this.maxFeePerBlobGas = maxFeePerBlobGas;
        return this;
    }

    public TransactionBuilder blobVersionedHashes(List<Hash32> blobVersionedHashes) {
        this.blobVersionedHashes = blobVersionedHashes;
        return this;
    }

    public TransactionBuilder authorizationList(List<Authorization> authorizationList) {
        this.authorizationList = authorizationList;
        return this;
    }

    public TransactionBuilder signature(@Nullable Signature signature) {
        this.signature = signature;
        return this;
    }

    /** Takes the signature of a legacy transaction, and the chain id that is hidden in its {@code v}. */
    public TransactionBuilder legacySignature(BigInteger v, BigInteger r, BigInteger s) {
        LegacyV parsed = LegacyV.parse(v);
        return chainId(parsed.chainId()).signature(new Signature(parsed.yParity(), r, s));
    }

    /**
     * The transaction.
     *
     * @throws IllegalArgumentException when a field that the type needs is missing or one is there that it has not
     */
    public Transaction build() {
        return new Transaction(
                type,
                chainId,
                nonce,
                gasPrice,
                maxPriorityFeePerGas,
                maxFeePerGas,
                gas,
                to,
                value,
                input,
                accessList,
                maxFeePerBlobGas,
                blobVersionedHashes,
                authorizationList,
                signature);
    }
}
