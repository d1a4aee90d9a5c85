package io.weir.devnet.history;

import io.weir.devnet.chain.BlockPlan;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.execution.Token;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Block;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.trie.TrieRoot;
import java.math.BigInteger;
import java.util.List;

/** The first block: every {@link DevAccount} with wei and tokens, and the token. Thread-safe. */
final class Genesis {
    static final long TIMESTAMP = 1_700_000_000;

    private static final long GAS_LIMIT = 15_000_000;
    private static final long DIFFICULTY = 131_072;
    private static final BigInteger WEI = BigInteger.TEN.pow(18).multiply(BigInteger.valueOf(10_000));
    private static final BigInteger TOKENS = BigInteger.TEN.pow(18).multiply(BigInteger.valueOf(100_000));

    private Genesis() {}

    static ChainBlock block() {
        List<Address> holders = DevAccount.ALL.stream().map(DevAccount::address).toList();
        WorldState state = WorldState.EMPTY.change(Token.ADDRESS, none -> Token.genesis(holders, TOKENS));
        for (Address holder : holders) {
            state = state.credit(holder, WEI);
        }
        Block block = new Block(header(state), List.of(), List.of(), null);
        return ChainBlock.of(block, BigInteger.valueOf(DIFFICULTY), List.of(), state);
    }

    private static BlockHeader header(WorldState state) {
        return BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, Hash32.ZERO)
                .set(HeaderField.SHA3_UNCLES, BlockRoots.NO_OMMERS)
                .set(HeaderField.MINER, Address.ZERO)
                .set(HeaderField.STATE_ROOT, state.root())
                .set(HeaderField.TRANSACTIONS_ROOT, TrieRoot.EMPTY)
                .set(HeaderField.RECEIPTS_ROOT, TrieRoot.EMPTY)
                .set(HeaderField.LOGS_BLOOM, Bloom.EMPTY)
                .set(HeaderField.DIFFICULTY, DIFFICULTY)
                .set(HeaderField.NUMBER, 0)
                .set(HeaderField.GAS_LIMIT, GAS_LIMIT)
                .set(HeaderField.GAS_USED, 0)
                .set(HeaderField.TIMESTAMP, TIMESTAMP)
                .set(HeaderField.EXTRA_DATA, BlockPlan.EXTRA_DATA)
                .set(HeaderField.MIX_HASH, Hash32.ZERO)
                .set(HeaderField.NONCE, Bytes.wrap(new byte[8]))
                .build();
    }
}
