package io.weir.devnet.execution;

import io.weir.devnet.state.Account;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The storage of the token, laid out as Solidity lays out the contract's variables. A plain variable has a slot. An element of a
 * mapping is at the hash of its key and the mapping's slot. Thread-safe.
 */
final class TokenStorage {
    static final Hash32 TOTAL_SUPPLY = slot(0);
    static final Hash32 NAME = slot(3);
    static final Hash32 SYMBOL = slot(4);
    static final Hash32 DECIMALS = slot(5);

    private static final Hash32 BALANCES = slot(1);
    private static final Hash32 ALLOWANCES = slot(2);
    private static final int MAX_SHORT_STRING = 31;

    private TokenStorage() {}

    static Hash32 balance(Address owner) {
        return element(BALANCES, owner);
    }

    static Hash32 allowance(Address owner, Address spender) {
        return element(element(ALLOWANCES, owner), spender);
    }

    /** The bytes of a string of up to 31, which stand in its slot with twice their number as the last byte. */
    static byte[] shortString(Account account, Hash32 slot) {
        byte[] word = Abi.word(account.slot(slot));
        return Arrays.copyOf(word, (word[MAX_SHORT_STRING] & 0xff) / 2);
    }

    static Account withShortString(Account account, Hash32 slot, byte[] text) {
        if (text.length > MAX_SHORT_STRING) {
            throw new IllegalArgumentException("string: " + text.length + " bytes (expected: at most 31)");
        }
        byte[] word = Arrays.copyOf(text, Abi.WORD_BYTES);
        word[MAX_SHORT_STRING] = (byte) (2 * text.length);
        return account.withSlot(slot, Abi.number(word));
    }

    private static Hash32 slot(long number) {
        return Hash32.wrap(Abi.word(BigInteger.valueOf(number)));
    }

    private static Hash32 element(Hash32 mapping, Address key) {
        return Hash32.keccak(Abi.word(key.bytes()), mapping.toArray());
    }
}
