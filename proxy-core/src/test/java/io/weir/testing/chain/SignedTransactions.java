package io.weir.testing.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions of every type but the last, each signed once however many chains it stands in: signing is the dear part of a
 * chain. Thread-safe.
 */
public final class SignedTransactions {

    /** The chain that they are signed for. */
    public static final long CHAIN_ID = 1;

    private static final BigInteger GWEI = BigInteger.valueOf(1_000_000_000);
    private static final int ACCOUNTS = 5;

    /**
     * A transaction, what follows from it, and what came of it.
     *
     * @param logs that it leaves, in whichever block it stands
     */
    public record Signed(Transaction transaction, Hash32 hash, Address sender, List<Log> logs) {}

    private final List<Signed> made = new ArrayList<>();
    private final int kinds;

    /** Their logs are of few contracts, and have few topics. */
    public SignedTransactions() {
        this(ACCOUNTS);
    }

    /** @param kinds of contracts, and of topics, that their logs have */
    public SignedTransactions(int kinds) {
        this.kinds = kinds;
    }

    /** The transaction of a number, from 0 up; the same at every call. */
    public synchronized Signed at(int number) {
        while (made.size() <= number) {
            made.add(make(made.size()));
        }
        return made.get(number);
    }

    /** One of a few contracts that logs are of. */
    public static Address contract(int number) {
        return contract(number, ACCOUNTS);
    }

    private static Address contract(int number, int kinds) {
        return Address.ofHash(hash("contract " + number % kinds));
    }

    /** One of a few topics that logs have. */
    public static Hash32 topic(int number) {
        return topic(number, ACCOUNTS);
    }

    private static Hash32 topic(int number, int kinds) {
        return hash("topic " + number % kinds);
    }

    private static Hash32 hash(String text) {
        return Hash32.keccak(text.getBytes(StandardCharsets.UTF_8));
    }

    private Signed make(int number) {
        BigInteger key = new BigInteger(1, hash("key " + number % ACCOUNTS).toArray()).mod(Secp256k1.ORDER);
        Transaction transaction = unsigned(number).sign(key);
        return new Signed(transaction, transaction.hash(), Secp256k1.address(key), logs(number));
    }

    private static Transaction unsigned(int number) {
        TransactionType type = TransactionType.of(number % 4);
        boolean creates = number % 7 == 3 && type != TransactionType.BLOB;
        TransactionBuilder builder = Transaction.builder(type)
                .chainId(number % 8 == 0 ? null : BigInteger.valueOf(CHAIN_ID))
                .nonce(number / ACCOUNTS)
                .gas(100_000)
                .to(creates ? null : contract(number))
                .value(BigInteger.valueOf(number))
                .input(Bytes.wrap(new byte[number % 70]));
        if (type != TransactionType.LEGACY) {
            builder.accessList(List.of(new AccessListEntry(contract(number + 1), List.of(topic(number)))));
        }
        if (type == TransactionType.BLOB) {
            builder.maxFeePerBlobGas(GWEI).blobVersionedHashes(List.of(hash("blob " + number)));
        }
        return type.hasDynamicFee()
                ? builder.maxFeePerGas(GWEI.multiply(BigInteger.TEN))
                        .maxPriorityFeePerGas(GWEI)
                        .build()
                : builder.gasPrice(GWEI.multiply(BigInteger.TWO)).build();
    }

    private List<Log> logs(int number) {
        List<Log> logs = new ArrayList<>();
        for (int i = 0; i < number % 3; i++) {
            logs.add(new Log(
                    contract(number + i, kinds),
                    List.of(topic(number, kinds), hash("of " + number)),
                    Bytes.wrap(new byte[i * 40])));
        }
        return logs;
    }
}
