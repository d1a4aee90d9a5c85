package io.weir.ethereum.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proofs that real nodes have made, of mainnet, of test networks and of development chains. */
class RecordedProofsTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mainnet-uni",
                "mainnet-17463226",
                "mainnet-21925176",
                "ropsten",
                "execution-apis",
                "geth",
                "anvil"
            })
    void accountsAndSlotsAreAsTheNodeSaysTheyAre(String name) {
        for (RecordedProof recorded : RecordedProof.of(name)) {
            StateAccount account = account(recorded);
            assertThat(account.nonce()).isEqualTo(recorded.nonce());
            assertThat(account.balance()).isEqualTo(recorded.balance());
            if (account.exists()) {
                assertThat(account.storageRoot()).isEqualTo(recorded.storageHash());
                assertThat(account.codeHash()).isEqualTo(recorded.codeHash());
            }
            for (RecordedProof.Slot slot : recorded.slots()) {
                assertThat(StateProof.slot(account.storageRoot(), slot.slot(), slot.nodes()))
                        .as("slot %s of %s", slot.slot(), recorded.address())
                        .isEqualTo(slot.value());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mainnet-uni", "ropsten", "execution-apis", "geth"})
    void theyAreRefusedWithAnyMutation(String name) {
        for (RecordedProof recorded : RecordedProof.of(name)) {
            for (List<Bytes> wrong : ProofMutations.of(recorded.nodes(), random)) {
                assertRefused(() -> StateProof.account(recorded.stateRoot(), recorded.address(), wrong));
            }
            for (RecordedProof.Slot slot : recorded.slots()) {
                for (List<Bytes> wrong : ProofMutations.of(slot.nodes(), random)) {
                    assertRefused(() -> StateProof.slot(recorded.storageHash(), slot.slot(), wrong));
                }
            }
        }
    }

    @Test
    void theyAreRefusedForAnotherAccountOrSlot() {
        RecordedProof uni = RecordedProof.of("mainnet-uni").get(0);
        RecordedProof absent = RecordedProof.of("ropsten").get(1);
        RecordedProof present = RecordedProof.of("ropsten").get(0);

        assertRefused(() -> StateProof.account(uni.stateRoot(), absent.address(), uni.nodes()));
        assertRefused(() -> StateProof.account(present.stateRoot(), absent.address(), present.nodes()));
        assertRefused(() -> StateProof.account(present.stateRoot(), present.address(), absent.nodes()));
        assertRefused(() -> StateProof.slot(
                uni.storageHash(), uni.slots().get(0).slot(), uni.slots().get(1).nodes()));
        assertRefused(() -> StateProof.slot(
                uni.storageHash(), uni.slots().get(1).slot(), uni.slots().get(0).nodes()));
    }

    /** The contract's constructor wrote these slots. */
    @Test
    void aTrieOfTheSameContentHasTheRootAndTheProofsThatGethGives() {
        Map<Hash32, Bytes> values = new HashMap<>();
        for (int slot = 0; slot < 24; slot++) {
            store(values, slot, BigInteger.valueOf(slot + 1L).shiftLeft(8 * slot));
        }
        store(values, 100, BigInteger.valueOf(0x7f));
        store(values, 101, BigInteger.valueOf(0x80));
        store(values, 102, BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE));
        store(values, 40_364, BigInteger.valueOf(1));
        store(values, 105_566, BigInteger.valueOf(0x55));
        store(values, 50_541, BigInteger.valueOf(2));
        store(values, 125_299, BigInteger.valueOf(0x56));
        Trie storage = Trie.of(values);
        RecordedProof contract = RecordedProof.of("geth").get(0);

        assertThat(storage.root()).isEqualTo(contract.storageHash());
        assertThat(contract.slots())
                .hasSize(11)
                .allSatisfy(slot ->
                        assertThat(storage.proof(slot.slot().bytes().keccak())).isEqualTo(slot.nodes()));
    }

    private static void store(Map<Hash32, Bytes> values, int slot, BigInteger value) {
        Hash32 key = RecordedProof.word(BigInteger.valueOf(slot)).bytes().keccak();
        values.put(key, Bytes.wrap(new RlpWriter().quantity(value).toByteArray()));
    }

    @Test
    void anAccountThatTheStateDoesNotHaveReadsAsAnEmptyOne() {
        RecordedProof absent = RecordedProof.of("ropsten").get(1);
        StateAccount account = account(absent);

        assertThat(account.exists()).isFalse();
        assertThat(account.storageRoot()).isEqualTo(absent.storageHash());
        assertThat(account.codeHash()).isEqualTo(absent.codeHash());
        assertThat(account(RecordedProof.of("ropsten").get(0)).exists()).isTrue();
    }

    /** The hashes of two slots share eight nibbles, and their values are small: the leaves stand inside a branch. */
    @Test
    void anvilListsANodeInsideItsParentAndGethDoesNot() {
        List<Bytes> geth = deepSlot("geth").nodes();
        List<Bytes> anvil = deepSlot("anvil").nodes();

        assertThat(anvil).startsWith(geth.toArray(new Bytes[0])).hasSize(geth.size() + 1);
        assertThat(anvil.get(geth.size()).size()).isLessThan(Hash32.SIZE_BYTES);
    }

    @Test
    void aNodeInsideItsParentIsListedOnlyOnceAndInItsPlace() {
        RecordedProof.Slot slot = deepSlot("anvil");
        Bytes inside = slot.nodes().get(slot.nodes().size() - 1);
        for (int at = 0; at <= slot.nodes().size(); at++) {
            List<Bytes> more = new ArrayList<>(slot.nodes());
            more.add(at, inside);
            assertRefused(() -> StateProof.slot(storageRoot("anvil"), slot.slot(), more));
        }
    }

    @Test
    void anvilProvesEmptyStorageByItsOneNodeAndGethByNone() {
        assertThat(emptyStorage("geth")).isEmpty();
        assertThat(emptyStorage("anvil")).containsExactly(Bytes.fromHex("0x80"));
    }

    private static RecordedProof.Slot deepSlot(String name) {
        return RecordedProof.of(name).get(0).slots().stream()
                .filter(slot -> slot.slot().equals(RecordedProof.word(BigInteger.valueOf(40_364))))
                .findFirst()
                .orElseThrow();
    }

    private static Hash32 storageRoot(String name) {
        return RecordedProof.of(name).get(0).storageHash();
    }

    private static List<Bytes> emptyStorage(String name) {
        return RecordedProof.of(name).get(1).slots().get(0).nodes();
    }

    private static StateAccount account(RecordedProof recorded) {
        return StateProof.account(recorded.stateRoot(), recorded.address(), recorded.nodes());
    }

    private void assertRefused(Runnable proof) {
        assertThatExceptionOfType(TrieProofException.class)
                .as("seed %d", seed)
                .isThrownBy(proof::run)
                .withMessageMatching("trie proof at depth \\d+: .+ \\(expected: .+\\)");
    }
}
