package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.trie.StateAccount;
import io.weir.ethereum.trie.StateProof;
import io.weir.ethereum.trie.TrieProofException;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.jsonrpc.RawJson;
import io.weir.verify.Verification.Unanchored;
import java.math.BigInteger;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Proof of an account and of slots of its storage, as {@code eth_getProof} gives it, by the state root of a block (EIP-1186). Thread-safe. */
public final class AccountProof {

    private AccountProof() {}

    /**
     * Verifies the account and the slots of an answer.
     *
     * @param slots that were asked for, in order
     * @return unanchored if the proof begins at another root, as it does for another block; unverifiable if the slots are not those that
     *     were asked for, in order
     */
    public static Verification<StateAccount> check(
            RawJson answer, Address address, List<Hash32> slots, Hash32 stateRoot) {
        JsonNode tree = AnswerProof.parsed(answer);
        if (tree == null) {
            return AnswerProof.unreadable();
        }
        Verification<List<Bytes>> nodes = Proof.verify(() -> nodes(new ObjectMembers(tree, ""), "accountProof"));
        List<Bytes> listed = nodes.value();
        boolean isOfOther = listed != null
                && !stateRoot.equals(
                        listed.isEmpty() ? TrieRoot.EMPTY : listed.get(0).keccak());
        return isOfOther
                ? new Unanchored<>()
                : nodes.then(known -> Proof.verify(() -> account(tree, address, slots, stateRoot, known)));
    }

    private static List<Bytes> nodes(ObjectMembers members, String name) throws UnprovenException {
        return members.listOf(name, (item, path) -> {
            try {
                return Bytes.fromHex(item.isString() ? item.stringValue() : "");
            } catch (IllegalArgumentException e) {
                throw new UnprovenException(path, item, "a node in hex");
            }
        });
    }

    private static StateAccount account(
            JsonNode tree, Address address, List<Hash32> slots, Hash32 stateRoot, List<Bytes> nodes)
            throws UnprovenException {
        ObjectMembers members = new ObjectMembers(tree, "");
        StateAccount account = walked("accountProof", () -> StateProof.account(stateRoot, address, nodes));
        members.require("address", address);
        requireNumber(members, "balance", account.balance());
        requireNumber(members, "nonce", new BigInteger(Long.toUnsignedString(account.nonce())));
        if (account.exists() || !isZero(members)) {
            members.require("codeHash", account.codeHash());
            members.require("storageHash", account.storageRoot());
        }
        List<ObjectMembers> given = members.listOf("storageProof", ObjectMembers::new);
        if (given.size() != slots.size()) {
            throw new UnprovenException("storageProof: " + given.size() + " slots (expected: " + slots.size() + ")");
        }
        for (int i = 0; i < slots.size(); i++) {
            slot(given.get(i), "storageProof[" + i + "]", slots.get(i), account.storageRoot());
        }
        return account;
    }

    /** Returns whether a node writes zeros for the hashes of an account that the state does not have. */
    private static boolean isZero(ObjectMembers members) throws UnprovenException {
        return members.hash("codeHash").equals(Hash32.ZERO)
                && (members.hash("storageHash").equals(Hash32.ZERO)
                        || members.hash("storageHash").equals(TrieRoot.EMPTY));
    }

    private static void slot(ObjectMembers given, String path, Hash32 slot, Hash32 storageRoot)
            throws UnprovenException {
        if (!Hash32.ofNumber(given.paddedQuantity("key")).equals(slot)) {
            throw new UnprovenException(path + ".key: another (expected: the one asked for)");
        }
        List<Bytes> nodes = nodes(given, "proof");
        requireNumber(given, "value", walked(path + ".proof", () -> StateProof.slot(storageRoot, slot, nodes)));
    }

    /** Requires a number. Some nodes write it with leading zeros. */
    private static void requireNumber(ObjectMembers members, String name, BigInteger expected)
            throws UnprovenException {
        if (!members.paddedQuantity(name).equals(expected)) {
            throw members.difference(name, Quantity.encode(expected));
        }
    }

    private static <T> T walked(String path, Proof<T> walk) throws UnprovenException {
        try {
            return walk.value();
        } catch (TrieProofException e) {
            throw UnprovenException.refuted(path + ": " + e.getMessage());
        }
    }
}
