package io.weir.bench.subscription.chain;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.TransactionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The transactions of a block and the fields of the header that depend on them. Several blocks have the same. Immutable. */
record Body(List<Transfer> transfers, Hash32 transactionsRoot, Hash32 receiptsRoot, Bloom bloom) {

    static final Body EMPTY = of(List.of());

    private static final int TRANSFERS = 48;
    private static final int BODIES = 64;
    private static final int MAX_TRANSFERS = 4;

    private static Body of(List<Transfer> transfers) {
        List<Receipt> receipts = new ArrayList<>();
        for (Transfer transfer : transfers) {
            long gas = (receipts.size() + 1) * Transfer.GAS_USED;
            receipts.add(Receipt.of(TransactionType.DYNAMIC_FEE, true, gas, transfer.logs()));
        }
        return new Body(
                List.copyOf(transfers),
                BlockRoots.transactions(
                        transfers.stream().map(Transfer::transaction).toList()),
                BlockRoots.receipts(receipts),
                Bloom.ofReceipts(receipts));
    }

    /** Makes bodies to choose from. A third of them is empty. */
    static List<Body> some(long seed) {
        RandomGenerator random = new Random(seed);
        List<Transfer> transfers = new ArrayList<>();
        for (int nonce = 0; nonce < TRANSFERS; nonce++) {
            transfers.add(Transfer.of(nonce, random));
        }
        List<Body> bodies = new ArrayList<>();
        for (int i = 0; i < BODIES; i++) {
            int first = random.nextInt(TRANSFERS - MAX_TRANSFERS);
            bodies.add(i % 3 == 0 ? EMPTY : of(transfers.subList(first, first + 1 + random.nextInt(MAX_TRANSFERS))));
        }
        return bodies;
    }
}
