package io.weir.bench.subscription.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A signed transaction and the logs that it leaves. Immutable. */
record Transfer(Transaction transaction, Hash32 hash, Address sender, List<Log> logs) {

    static final long GAS_USED = 52_000;
    static final BigInteger PRICE_WEI = BigInteger.valueOf(13_000_000_000L);

    private static final int MAX_LOGS = 3;

    /** Makes a transaction with one to three logs. */
    static Transfer of(int nonce, RandomGenerator random) {
        List<Log> logs = new ArrayList<>();
        int count = 1 + random.nextInt(MAX_LOGS);
        for (int i = 0; i < count; i++) {
            List<Hash32> topics = new ArrayList<>();
            topics.add(Values.EVENTS.get(random.nextInt(Values.EVENTS.size())));
            int parties = random.nextInt(3);
            for (int party = 0; party < parties; party++) {
                topics.add(Values.PARTIES.get(random.nextInt(Values.PARTIES.size())));
            }
            Address token = Values.TOKENS.get(random.nextInt(Values.TOKENS.size()));
            logs.add(new Log(
                    token,
                    topics,
                    Hash32.keccak(new byte[] {(byte) nonce, (byte) i}).bytes()));
        }
        BigInteger key = new BigInteger(
                        1,
                        Hash32.keccak(("key " + nonce).getBytes(StandardCharsets.US_ASCII))
                                .toArray())
                .shiftRight(1);
        Transaction transaction = Transaction.builder(TransactionType.DYNAMIC_FEE)
                .chainId(ForkingChain.CHAIN_ID)
                .nonce(nonce)
                .maxPriorityFeePerGas(BigInteger.valueOf(1_000_000_000L))
                .maxFeePerGas(PRICE_WEI)
                .gas(90_000)
                .to(logs.get(0).address())
                .value(BigInteger.ZERO)
                .input(Bytes.EMPTY)
                .build()
                .sign(key);
        return new Transfer(transaction, transaction.hash(), transaction.sender(), List.copyOf(logs));
    }
}
