package io.weir.devnet.rpc;

import io.weir.devnet.mining.Mempool;
import io.weir.devnet.parameter.BlockParameter;
import io.weir.devnet.parameter.BlockParameter.Tag;
import io.weir.devnet.parameter.Parameters;
import io.weir.devnet.state.Account;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import java.math.BigInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** Accounts and storage after a block. Thread-safe. */
final class StateMethods {
    private final BlockLookup blocks;
    private final Mempool pool;

    StateMethods(BlockLookup blocks, Mempool pool) {
        this.blocks = blocks;
        this.pool = pool;
    }

    void addTo(MethodSink table) {
        table.add("eth_getBalance", 1, 2, this::balance);
        table.add("eth_getTransactionCount", 1, 2, this::nonce);
        table.add("eth_getCode", 1, 2, this::code);
        table.add("eth_getStorageAt", 2, 3, this::storage);
    }

    private JsonNode balance(Parameters parameters) {
        Address address = parameters.address(0);
        return quantity(account(address, parameters.block(1)).balance());
    }

    private JsonNode nonce(Parameters parameters) {
        Address address = parameters.address(0);
        BlockParameter block = parameters.block(1);
        long nonce = block.tag() == Tag.PENDING
                ? pool.nextNonce(address, blocks.head().state())
                : account(address, block).nonce();
        return StringNode.valueOf(Quantity.encode(nonce));
    }

    private JsonNode code(Parameters parameters) {
        Address address = parameters.address(0);
        return StringNode.valueOf(account(address, parameters.block(1)).code().hex());
    }

    private JsonNode storage(Parameters parameters) {
        Address address = parameters.address(0);
        Hash32 position = parameters.storagePosition(1);
        String digits = account(address, parameters.block(2)).slot(position).toString(16);
        return StringNode.valueOf("0x" + "0".repeat(2 * Hash32.SIZE_BYTES - digits.length()) + digits);
    }

    private Account account(Address address, BlockParameter block) {
        return blocks.require(block).state().account(address);
    }

    private static JsonNode quantity(BigInteger value) {
        return StringNode.valueOf(Quantity.encode(value));
    }
}
