package io.weir.devnet.state;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.List;
import java.util.function.UnaryOperator;

/** All accounts at one moment of the chain. A change gives a new state. Immutable. */
public final class WorldState {
    /** A state without accounts. */
    public static final WorldState EMPTY = new WorldState(SecureTrie.empty(), 0);

    private final SecureTrie<Account> accounts;
    private final long slots;

    private WorldState(SecureTrie<Account> accounts, long slots) {
        this.accounts = accounts;
        this.slots = slots;
    }

    /** The account at an address; {@link Account#EMPTY} where there is none. */
    public Account account(Address address) {
        Account account = accounts.get(address.bytes().keccak());
        return account == null ? Account.EMPTY : account;
    }

    /** The state with one account changed; an account left empty is not kept. */
    public WorldState change(Address address, UnaryOperator<Account> step) {
        Account before = account(address);
        Account after = step.apply(before);
        Hash32 key = address.bytes().keccak();
        SecureTrie<Account> changed = after.isEmpty() ? accounts.without(key) : accounts.with(key, after);
        return new WorldState(changed, slots - before.slots() + after.slots());
    }

    /** The state with wei given to an account. */
    public WorldState credit(Address address, BigInteger wei) {
        return wei.signum() == 0 ? this : change(address, account -> account.plus(wei));
    }

    /** The state with wei taken from an account that has them. */
    public WorldState debit(Address address, BigInteger wei) {
        return credit(address, wei.negate());
    }

    /** How many accounts and written slots there are: what the state's memory grows with. */
    public long entries() {
        return accounts.size() + slots;
    }

    /** The root of the secure trie over all accounts: a block's {@code stateRoot}. */
    public Hash32 root() {
        return accounts.root();
    }

    /** The nodes that prove an account under the root, or that there is none. */
    public List<Bytes> proof(Address address) {
        return accounts.proof(address.bytes().keccak());
    }
}
