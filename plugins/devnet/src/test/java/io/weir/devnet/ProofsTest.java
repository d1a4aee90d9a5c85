package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.trie.StateAccount;
import io.weir.ethereum.trie.StateProof;
import io.weir.ethereum.trie.TrieRoot;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Accounts and slots are proven under the state root of their block. */
class ProofsTest {
    private static final String BALANCE = "0xa3c1274aadd82e4d12c8004c33fb244ca686dad4fcc8957fc5668588c11d9502";
    private static final List<String> POSITIONS =
            List.of("0x0", BALANCE, "0x3", "0x5", "0xffff", "0x" + "12".repeat(32));

    private final TestNode node = TestNode.start();

    private static List<Bytes> nodes(JsonNode proof) {
        return proof.valueStream()
                .map(each -> Bytes.fromHex(each.stringValue()))
                .toList();
    }

    private static BigInteger number(JsonNode quantity) {
        return Quantity.decode(quantity.stringValue());
    }

    private static Hash32 hash(JsonNode hash) {
        return Hash32.fromHex(hash.stringValue());
    }

    private JsonNode proof(String address, String block) {
        return node.call("eth_getProof", address, POSITIONS, block);
    }

    /** Holds a proof against the header and the other methods of the node. */
    private StateAccount checked(String address, String block) {
        JsonNode header = node.call("eth_getBlockByNumber", block, false);
        JsonNode proof = proof(address, block);
        StateAccount account = StateProof.account(
                hash(header.get("stateRoot")), Address.fromHex(address), nodes(proof.get("accountProof")));
        assertThat(proof.get("address").stringValue()).isEqualTo(address);
        assertThat(number(proof.get("balance")))
                .isEqualTo(account.balance())
                .isEqualTo(node.number("eth_getBalance", address, block));
        assertThat(number(proof.get("nonce")))
                .isEqualTo(BigInteger.valueOf(account.nonce()))
                .isEqualTo(node.number("eth_getTransactionCount", address, block));
        assertThat(hash(proof.get("codeHash")))
                .isEqualTo(account.codeHash())
                .isEqualTo(
                        Bytes.fromHex(node.text("eth_getCode", address, block)).keccak());
        assertThat(hash(proof.get("storageHash"))).isEqualTo(account.storageRoot());
        assertThat(proof.get("storageProof").size()).isEqualTo(POSITIONS.size());
        for (int i = 0; i < POSITIONS.size(); i++) {
            JsonNode slot = proof.get("storageProof").get(i);
            String stored = node.text("eth_getStorageAt", address, POSITIONS.get(i), block);
            assertThat(slot.get("key").stringValue()).isEqualTo(POSITIONS.get(i));
            assertThat(number(slot.get("value")))
                    .isEqualTo(StateProof.slot(
                            account.storageRoot(),
                            Hash32.ofNumber(Quantity.decode(POSITIONS.get(i))),
                            nodes(slot.get("proof"))))
                    .isEqualTo(new BigInteger(stored.substring(2), 16));
        }
        return account;
    }

    @Test
    void everyAccountOfTheHistoryIsProven() {
        TreeSet<String> addresses = new TreeSet<>(List.of(TestNode.TOKEN, TestNode.ACCOUNT_0));
        for (int number = 0; number <= 128; number++) {
            JsonNode block = node.call("eth_getBlockByNumber", Quantity.encode(number), true);
            addresses.add(block.get("miner").stringValue());
            for (JsonNode transaction : block.get("transactions")) {
                addresses.add(transaction.get("from").stringValue());
                if (transaction.get("to").isString()) {
                    addresses.add(transaction.get("to").stringValue());
                }
            }
        }
        for (String block : List.of("0x0", "0x12", "0x80", "latest", "safe")) {
            for (String address : addresses) {
                checked(address, block);
            }
        }
        assertThat(checked(TestNode.TOKEN, "latest").storageRoot()).isNotEqualTo(TrieRoot.EMPTY);
        assertThat(checked(TestNode.ACCOUNT_0, "latest").storageRoot()).isEqualTo(TrieRoot.EMPTY);
    }

    @Test
    void anAbsentAccountIsProvenToBeAbsent() {
        Random random = new Random(11);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[Address.SIZE_BYTES];
            random.nextBytes(bytes);
            assertThat(checked(Address.wrap(bytes).hex(), "latest")).isEqualTo(StateAccount.ABSENT);
        }
        JsonNode absent = proof(TestNode.STRANGER, "latest");
        assertThat(absent.get("accountProof").isEmpty()).isFalse();
        assertThat(absent.get("storageProof").get(0).toString())
                .isEqualTo("{\"key\":\"0x0\",\"value\":\"0x0\",\"proof\":[]}");
    }

    @Test
    void anAccountOfALiveBlockIsProven() {
        node.send(node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1000).build().sign(TestNode.KEY_0));
        node.mine();
        assertThat(checked(TestNode.STRANGER, "latest").balance()).isEqualTo(BigInteger.valueOf(1000));
        assertThat(checked(TestNode.STRANGER, "0x80")).isEqualTo(StateAccount.ABSENT);
    }

    @Test
    void theBlockIsFoundByNumberHashAndObject() {
        String hash =
                node.call("eth_getBlockByNumber", "0x10", false).get("hash").stringValue();
        JsonNode expected = proof(TestNode.TOKEN, "0x10");
        assertThat(proof(TestNode.TOKEN, hash)).isEqualTo(expected);
        assertThat(proof(TestNode.TOKEN, "{\"blockHash\":\"" + hash + "\"}")).isEqualTo(expected);
        assertThat(node.call("eth_getProof", TestNode.TOKEN, POSITIONS))
                .isEqualTo(proof(TestNode.TOKEN, "latest"))
                .isNotEqualTo(expected);
        assertThat(node.error("eth_getProof", TestNode.TOKEN, POSITIONS, "0xffff"))
                .hasMessage("header not found")
                .extracting("code")
                .isEqualTo(-32000);
    }

    @Test
    void aPositionOfThirtyTwoBytesIsNamedSoAndAnyOtherAsANumber() {
        String padded = "0x" + "0".repeat(63) + "5";
        JsonNode slots = node.call("eth_getProof", TestNode.TOKEN, List.of("0x05", "5", padded, "0x"), "latest")
                .get("storageProof");
        assertThat(slots.valueStream().map(slot -> slot.get("key").stringValue()))
                .containsExactly("0x5", "0x5", padded, "0x0");
    }

    @Test
    void wrongPositionsAreRefused() {
        refused("invalid argument 1: json: cannot unmarshal string into Go value of type []string", "0x0");
        refused("invalid argument 1: json: cannot unmarshal number into Go value of type string", List.of(1));
        refused("unable to decode storage key: hex string invalid", List.of("0xg"));
        refused("too many slots (max 1024)", Collections.nCopies(1025, "0x0"));
        assertThat(node.call("eth_getProof", TestNode.TOKEN, Collections.nCopies(1024, "0x0"), "latest")
                        .get("storageProof")
                        .size())
                .isEqualTo(1024);
        assertThat(node.error("eth_getProof", "0x12", List.of(), "latest"))
                .hasMessage("invalid argument 0: hex string has length 2, want 40 for common.Address");
    }

    private void refused(String message, Object positions) {
        assertThat(node.error("eth_getProof", TestNode.TOKEN, positions, "latest"))
                .hasMessage(message)
                .extracting("code")
                .isEqualTo(-32602);
    }
}
