package io.weir.devnet.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.trie.TrieRoot;
import java.math.BigInteger;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorldStateTest {
    private static final Address ONE = Address.fromHex("0x0000000000000000000000000000000000000001");
    private static final Address TWO = Address.fromHex("0x0000000000000000000000000000000000000002");

    @Test
    void theRootIsThatOfTheSecureTrieOverAccountsOfFourFields() {
        Bytes code = Bytes.fromHex("0x6001");
        WorldState state = WorldState.EMPTY
                .credit(ONE, BigInteger.TEN)
                .change(TWO, none -> none.withNonce(1).withCode(code).withSlot(Hash32.ZERO, BigInteger.TWO));
        Hash32 storage = TrieRoot.ofSecureMap(Map.of(Hash32.ZERO.bytes(), Bytes.fromHex("0x02")));
        assertThat(state.root())
                .isEqualTo(TrieRoot.ofSecureMap(Map.of(
                        ONE.bytes(), account(0, 10, TrieRoot.EMPTY, Bytes.EMPTY),
                        TWO.bytes(), account(1, 0, storage, code))));
    }

    @Test
    void anAccountLeftEmptyIsNotKept() {
        WorldState state = WorldState.EMPTY.credit(ONE, BigInteger.TEN);
        assertThat(state.entries()).isEqualTo(1);
        assertThat(state.debit(ONE, BigInteger.TEN).root()).isEqualTo(WorldState.EMPTY.root());
        assertThat(state.debit(ONE, BigInteger.TEN).entries()).isZero();
    }

    @Test
    void aSlotSetToZeroIsNotKept() {
        WorldState one = WorldState.EMPTY.change(ONE, none -> none.withSlot(Hash32.ZERO, BigInteger.ONE));
        assertThat(one.entries()).isEqualTo(2);
        assertThat(one.change(ONE, some -> some.withSlot(Hash32.ZERO, BigInteger.ZERO))
                        .entries())
                .isZero();
    }

    @Test
    void aChangeLeavesTheStateBeforeAsItWas() {
        WorldState before = WorldState.EMPTY.credit(ONE, BigInteger.TEN);
        WorldState after = before.credit(ONE, BigInteger.ONE);
        assertThat(before.account(ONE).balance()).isEqualTo(10);
        assertThat(after.account(ONE).balance()).isEqualTo(11);
    }

    @Test
    void nobodyOwnsLessThanNothing() {
        assertThatThrownBy(() -> WorldState.EMPTY.debit(ONE, BigInteger.ONE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected: not below zero");
    }

    private static Bytes account(long nonce, long balance, Hash32 storage, Bytes code) {
        return Bytes.wrap(RlpWriter.list(
                list -> list.unsigned(nonce).unsigned(balance).hash(storage).hash(code.keccak())));
    }
}
