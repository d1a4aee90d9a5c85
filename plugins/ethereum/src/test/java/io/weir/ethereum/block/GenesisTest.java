package io.weir.ethereum.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.trie.TrieRoot;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The state at the chain's beginning, whose root is in the genesis header, whose hash is in the first block. */
class GenesisTest {
    private final JsonNode genesis = ChainVectors.genesis();

    @Test
    void theFirstBlockNamesTheGenesisBlockAsItsParent() {
        BlockHeader header = BlockHeader.builder()
                .hex(HeaderField.PARENT_HASH, text("parentHash"))
                .set(HeaderField.SHA3_UNCLES, BlockRoots.NO_OMMERS)
                .hex(HeaderField.MINER, text("coinbase"))
                .set(HeaderField.STATE_ROOT, stateRoot())
                .set(HeaderField.TRANSACTIONS_ROOT, TrieRoot.EMPTY)
                .set(HeaderField.RECEIPTS_ROOT, TrieRoot.EMPTY)
                .set(HeaderField.LOGS_BLOOM, Bloom.EMPTY)
                .hex(HeaderField.DIFFICULTY, text("difficulty"))
                .set(HeaderField.NUMBER, 0)
                .hex(HeaderField.GAS_LIMIT, text("gasLimit"))
                .set(HeaderField.GAS_USED, 0)
                .hex(HeaderField.TIMESTAMP, text("timestamp"))
                .hex(HeaderField.EXTRA_DATA, text("extraData"))
                .hex(HeaderField.MIX_HASH, text("mixHash"))
                .set(HeaderField.NONCE, Bytes.wrap(new byte[8]))
                .build();
        assertThat(header.hash()).isEqualTo(ChainVectors.chain().get(0).header().parentHash());
    }

    private Hash32 stateRoot() {
        Map<Bytes, Bytes> accounts = new HashMap<>();
        for (Map.Entry<String, JsonNode> account : genesis.get("alloc").properties()) {
            accounts.put(Bytes.fromHex("0x" + account.getKey()), account(account.getValue()));
        }
        return TrieRoot.ofSecureMap(accounts);
    }

    private static Bytes account(JsonNode account) {
        Map<Bytes, Bytes> storage = new HashMap<>();
        if (account.has("storage")) {
            for (Map.Entry<String, JsonNode> slot : account.get("storage").properties()) {
                BigInteger value = new BigInteger(slot.getValue().stringValue().substring(2), 16);
                storage.put(
                        Bytes.fromHex(slot.getKey()),
                        Bytes.wrap(new RlpWriter().quantity(value).toByteArray()));
            }
        }
        return Bytes.wrap(RlpWriter.list(fields -> fields.quantity(number(account.path("nonce")))
                .quantity(number(account.path("balance")))
                .hash(TrieRoot.ofSecureMap(storage))
                .hash(
                        account.has("code")
                                ? Bytes.fromHex(account.get("code").stringValue())
                                        .keccak()
                                : Bytes.EMPTY.keccak())));
    }

    private static BigInteger number(JsonNode node) {
        return node.isString() ? new BigInteger(node.stringValue().substring(2), 16) : BigInteger.ZERO;
    }

    private String text(String name) {
        return genesis.get(name).stringValue();
    }
}
