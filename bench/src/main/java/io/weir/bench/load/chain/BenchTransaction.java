package io.weir.bench.load.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A transfer of a token: a signed transaction with its hash and its sender, which take long to find. Immutable. */
record BenchTransaction(Transaction transaction, Hash32 hash, Address sender) {

    static final long GAS_USED = 52_000;
    static final BigInteger TIP_WEI = BigInteger.valueOf(1_000_000_000);
    static final Address TOKEN = Address.ofHash(Hash32.keccak(new byte[] {1}));
    private static final int TRANSFER = 0xa9059cbb;
    private static final int SELECTOR_AND_TWO_WORDS = 68;

    /** The transactions of a block. */
    static List<BenchTransaction> of(int block, int count) {
        return IntStream.range(0, count).mapToObj(index -> one(block, index)).toList();
    }

    private static BenchTransaction one(int block, int index) {
        byte[] seed = ByteBuffer.allocate(8).putInt(block).putInt(index).array();
        BigInteger key = new BigInteger(1, Hash32.keccak(seed).toArray()).shiftRight(1);
        ByteBuffer input = ByteBuffer.allocate(SELECTOR_AND_TWO_WORDS);
        input.putInt(0, TRANSFER);
        input.put(16, Address.ofHash(Hash32.keccak(seed, seed)).toArray());
        input.putLong(SELECTOR_AND_TWO_WORDS - Long.BYTES, index + 1L);
        Transaction transaction = Transaction.builder(TransactionType.DYNAMIC_FEE)
                .chainId(BenchChain.CHAIN_ID)
                .nonce(index)
                .maxPriorityFeePerGas(TIP_WEI)
                .maxFeePerGas(BigInteger.valueOf(40_000_000_000L))
                .gas(90_000)
                .to(TOKEN)
                .value(BigInteger.ZERO)
                .input(Bytes.wrap(input.array()))
                .build()
                .sign(key);
        return new BenchTransaction(transaction, transaction.hash(), transaction.sender());
    }

    /** The event that the transfer leaves in its receipt: token, names of both sides, amount. */
    List<Hash32> topics() {
        byte[] from = new byte[Hash32.SIZE_BYTES];
        System.arraycopy(sender.toArray(), 0, from, Hash32.SIZE_BYTES - Address.SIZE_BYTES, Address.SIZE_BYTES);
        Hash32 to = Hash32.wrap(Arrays.copyOfRange(transaction.input().toArray(), 4, 36));
        Hash32 transfer = Hash32.keccak("Transfer(address,address,uint256)".getBytes(StandardCharsets.US_ASCII));
        return List.of(transfer, Hash32.wrap(from), to);
    }

    /** The amount of the transfer, as a word. */
    Bytes amount() {
        return Bytes.copyOf(transaction.input().toArray(), 36, SELECTOR_AND_TWO_WORDS);
    }

    Address token() {
        return TOKEN;
    }
}
