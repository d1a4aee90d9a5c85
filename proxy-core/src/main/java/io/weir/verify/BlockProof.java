package io.weir.verify;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Withdrawal;
import io.weir.ethereum.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Proves blocks and uncles: the hash from the fields of the header, transactions, withdrawals and the absence of uncles from the
 * header's roots, senders from signatures, and everything that names the block's place from the block. Thread-safe.
 *
 * <p>No root covers a list of hashes: a block that holds only its transactions' hashes has only its header proven, and a list of
 * uncles that is not empty is proven by the uncles' headers alone ({@link #uncles}).
 */
public final class BlockProof {

    private BlockProof() {}

    /**
     * Holds a block against its hash and its roots.
     *
     * @param asked the hash that was asked for; null where it was asked for otherwise, and the object's own hash counts
     */
    public static Finding<ProvenBlock> block(JsonNode object, @Nullable Hash32 asked) {
        return check(object, asked, members -> provenBlock(members, TransactionProof::sender));
    }

    /** Reads a block that was proven before, all of it: who signed its transactions is taken from it. */
    public static Finding<ProvenBlock> known(JsonNode object, Hash32 asked) {
        return check(object, asked, members -> provenBlock(members, TransactionProof::knownSender));
    }

    /** Holds an uncle, which has a header and nothing else, against its hash. */
    public static Finding<ProvenBlock> uncle(JsonNode object, @Nullable Hash32 asked) {
        return check(object, asked, BlockProof::provenUncle);
    }

    /**
     * Whether these are a block's uncles, all of them and in order.
     *
     * @param named the hashes as the block's answer lists them
     */
    public static boolean uncles(BlockHeader block, List<BlockHeader> uncles, List<Hash32> named) {
        return named.equals(uncles.stream().map(BlockHeader::hash).toList())
                && BlockRoots.ommers(uncles).equals(block.sha3Uncles());
    }

    /**
     * Holds a transaction that was sent alone against its block, its place in it among the rest. Gives the transaction's index.
     *
     * @param block with its transactions
     */
    public static Finding<Integer> transaction(JsonNode object, ProvenBlock block) {
        try {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.TRANSACTION, "");
            int index = members.index("transactionIndex", block.size());
            Transaction transaction = hashed(members, block.header(), index);
            ProvenTransaction proven = block.transaction(index);
            if (!transaction.hash().equals(proven.hash())) {
                throw members.difference("hash", proven.hash().hex() + " at this place");
            }
            members.require("from", proven.sender());
            return new Finding.Proven<>(index);
        } catch (UnknownPartException e) {
            return new Finding.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            return new Finding.Wrong<>(e.getMessage());
        }
    }

    /** The hashes that a block's answer lists as its uncles, or null where the list is malformed. */
    public static @Nullable List<Hash32> namedUncles(JsonNode object) {
        try {
            return new ObjectMembers(object, "").listOf("uncles", TransactionFields::hash);
        } catch (DifferenceException e) {
            return null;
        }
    }

    private static Finding<ProvenBlock> check(JsonNode object, @Nullable Hash32 asked, Prover prover) {
        try {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.BLOCK, "");
            if (asked != null) {
                members.require("hash", asked);
            } else if (!members.has("hash")) {
                return new Finding.Unverifiable<>("a pending block has no hash yet");
            }
            return new Finding.Proven<>(prover.prove(members));
        } catch (UnknownPartException e) {
            return new Finding.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            return new Finding.Wrong<>(e.getMessage());
        }
    }

    private static ProvenBlock provenBlock(ObjectMembers members, Senders senders)
            throws DifferenceException, UnknownPartException {
        BlockHeader header = HeaderProof.prove(members);
        List<ProvenTransaction> transactions = transactions(members, header, senders);
        boolean withdrawals = withdrawals(members, header);
        return new ProvenBlock(header, header.hash(), transactions, withdrawals, uncles(members, header));
    }

    private static ProvenBlock provenUncle(ObjectMembers members) throws DifferenceException, UnknownPartException {
        BlockHeader header = HeaderProof.prove(members);
        for (String name : List.of("transactions", "uncles", "withdrawals")) {
            if (members.has(name) && !members.list(name).isEmpty()) {
                throw members.difference(name, "none in an uncle");
            }
        }
        return new ProvenBlock(header, header.hash(), null, false, false);
    }

    /** Null where the block holds hashes only. A block without transactions is proven either way. */
    private static @Nullable List<ProvenTransaction> transactions(
            ObjectMembers members, BlockHeader header, Senders senders)
            throws DifferenceException, UnknownPartException {
        JsonNode list = members.list("transactions");
        if (!list.isEmpty() && list.get(0).isString()) {
            members.listOf("transactions", TransactionFields::hash);
            return null;
        }
        List<Transaction> hashed = new ArrayList<>(list.size());
        for (JsonNode item : list) {
            hashed.add(hashed(item(item, hashed.size()), header, hashed.size()));
        }
        members.require("transactionsRoot", BlockRoots.transactions(hashed));
        List<ProvenTransaction> proven = new ArrayList<>(list.size());
        for (Transaction transaction : hashed) {
            proven.add(senders.find(item(list.get(proven.size()), proven.size()), transaction));
        }
        return proven;
    }

    private static ObjectMembers item(JsonNode transaction, int index) throws DifferenceException {
        return new ObjectMembers(transaction, "transactions[" + index + "]");
    }

    private static Transaction hashed(ObjectMembers members, BlockHeader header, int index)
            throws DifferenceException, UnknownPartException {
        try {
            Transaction transaction = TransactionProof.hashed(members);
            PositionFields.require(members, header, index);
            PositionFields.requireType(members, transaction, header);
            members.expect("gasPrice");
            members.require("gasPrice", PositionFields.effectiveGasPrice(transaction, header));
            return transaction;
        } catch (DifferenceException e) {
            String unknown = members.unknown(ObjectForm.TRANSACTION);
            if (unknown == null) {
                throw e;
            }
            throw new UnknownPartException(e.getMessage() + ", with a member that is not known: " + unknown);
        }
    }

    private static boolean withdrawals(ObjectMembers members, BlockHeader header) throws DifferenceException {
        if (header.withdrawalsRoot() == null) {
            members.requireNone("withdrawals", "in a block without a root of them");
            return false;
        }
        List<Withdrawal> withdrawals = members.listOf("withdrawals", BlockProof::withdrawal);
        members.require("withdrawalsRoot", BlockRoots.withdrawals(withdrawals));
        return true;
    }

    private static Withdrawal withdrawal(JsonNode item, String path) throws DifferenceException {
        ObjectMembers members = new ObjectMembers(item, path);
        return new Withdrawal(
                members.unsigned("index"),
                members.unsigned("validatorIndex"),
                members.address("address"),
                members.unsigned("amount"));
    }

    /** Whether the list is empty and proven; where the header says that it is not as it stands here, that is a difference. */
    private static boolean uncles(ObjectMembers members, BlockHeader header) throws DifferenceException {
        boolean none = members.listOf("uncles", TransactionFields::hash).isEmpty();
        boolean rootOfNone = Objects.equals(header.sha3Uncles(), BlockRoots.NO_OMMERS);
        if (none != rootOfNone) {
            throw members.difference("uncles", rootOfNone ? "[]" : "the uncles of " + header.sha3Uncles());
        }
        return none;
    }

    /** How it is found who signed a transaction. */
    @FunctionalInterface
    private interface Senders {
        ProvenTransaction find(ObjectMembers members, Transaction transaction) throws DifferenceException;
    }

    @FunctionalInterface
    private interface Prover {
        ProvenBlock prove(ObjectMembers members) throws DifferenceException, UnknownPartException;
    }
}
