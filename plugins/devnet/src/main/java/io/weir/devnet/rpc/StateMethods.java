package io.weir.devnet.rpc;

import io.weir.devnet.mining.Mempool;
import io.weir.devnet.parameter.BlockParameter;
import io.weir.devnet.parameter.BlockParameter.Tag;
import io.weir.devnet.parameter.Parameters;
import io.weir.devnet.parameter.StoragePosition;
import io.weir.devnet.state.Account;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import java.math.BigInteger;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
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
        table.add("eth_getProof", 2, 3, this::proof);
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
        Hash32 position = parameters.storagePosition(1).slot();
        String digits = account(address, parameters.block(2)).slot(position).toString(16);
        return StringNode.valueOf("0x" + "0".repeat(2 * Hash32.SIZE_BYTES - digits.length()) + digits);
    }

    private JsonNode proof(Parameters parameters) {
        Address address = parameters.address(0);
        List<StoragePosition> positions = parameters.storagePositions(1);
        WorldState state = blocks.require(parameters.block(2)).state();
        Account account = state.account(address);
        ObjectNode proof = JsonNodeFactory.instance.objectNode();
        proof.put("address", address.hex());
        add(proof.putArray("accountProof"), state.proof(address));
        proof.set("balance", quantity(account.balance()));
        proof.put("codeHash", account.code().keccak().hex());
        proof.put("nonce", Quantity.encode(account.nonce()));
        proof.put("storageHash", account.storageRoot().hex());
        ArrayNode slots = proof.putArray("storageProof");
        for (StoragePosition position : positions) {
            ObjectNode slot = slots.addObject();
            slot.put("key", position.text());
            slot.set("value", quantity(account.slot(position.slot())));
            add(slot.putArray("proof"), account.proof(position.slot()));
        }
        return proof;
    }

    private static void add(ArrayNode array, List<Bytes> nodes) {
        nodes.forEach(node -> array.add(node.hex()));
    }

    private Account account(Address address, BlockParameter block) {
        return blocks.require(block).state().account(address);
    }

    private static JsonNode quantity(BigInteger value) {
        return StringNode.valueOf(Quantity.encode(value));
    }
}
