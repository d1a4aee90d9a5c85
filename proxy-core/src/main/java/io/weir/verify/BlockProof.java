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
 * Proofs of blocks and uncles. Thread-safe.
 *
 * <ul>
 *   <li>The fields of the header prove the hash.
 *   <li>The header's roots prove the transactions, the withdrawals and the absence of uncles.
 *   <li>Signatures prove the senders.
 *   <li>Members that name the block's place are compared with the block.
 * </ul>
 *
 * <p>No root covers a list of hashes. Of a block with its transactions' hashes only, the header alone is proven. A list of uncles
 * that is not empty is proven by the uncles' headers alone ({@link #uncles}).
 */
public final class BlockProof {

    private BlockProof() {}

    /**
     * Verifies a block by its hash and its roots.
     *
     * @param asked the requested hash; null if the call names no hash, and the object's own hash counts
     */
    public static Verification<ProvenBlock> block(JsonNode object, @Nullable Hash32 asked) {
        return check(object, asked, members -> provenBlock(members, TransactionProof::sender));
    }

    /** Reads a block that was fully proven before. Its senders are not recomputed. */
    public static Verification<ProvenBlock> known(JsonNode object, Hash32 asked) {
        return check(object, asked, members -> provenBlock(members, TransactionProof::knownSender));
    }

    /** Verifies an uncle, which has a header only, by its hash. */
    public static Verification<ProvenBlock> uncle(JsonNode object, @Nullable Hash32 asked) {
        return check(object, asked, BlockProof::provenUncle);
    }

    /**
     * Returns whether these are all uncles of a block, in order.
     *
     * @param named the hashes as the block's answer lists them
     */
    public static boolean uncles(BlockHeader block, List<BlockHeader> uncles, List<Hash32> named) {
        return named.equals(uncles.stream().map(BlockHeader::hash).toList())
                && BlockRoots.ommers(uncles).equals(block.sha3Uncles());
    }

    /**
     * Compares a transaction from an answer of its own with its block, its position included.
     *
     * @param block with its transactions
     * @return the transaction's index
     */
    public static Verification<Integer> transaction(JsonNode object, ProvenBlock block) {
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
            return new Verification.Proven<>(index);
        } catch (UnknownPartException e) {
            return new Verification.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            return new Verification.Wrong<>(e.getMessage());
        }
    }

    /** Returns the hashes that a block's answer lists as its uncles; null if the list is malformed. */
    public static @Nullable List<Hash32> namedUncles(JsonNode object) {
        try {
            return new ObjectMembers(object, "").listOf("uncles", TransactionFields::hash);
        } catch (DifferenceException e) {
            return null;
        }
    }

    private static Verification<ProvenBlock> check(JsonNode object, @Nullable Hash32 asked, Prover prover) {
        try {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.BLOCK, "");
            if (asked != null) {
                members.require("hash", asked);
            } else if (!members.has("hash")) {
                return new Verification.Unverifiable<>("a pending block has no hash yet");
            }
            return new Verification.Proven<>(prover.prove(members));
        } catch (UnknownPartException e) {
            return new Verification.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            return new Verification.Wrong<>(e.getMessage());
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

    /** Returns null if the block has hashes only. A block without transactions is proven either way. */
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

    /** Returns whether the list is empty and proven. A list that contradicts the header is a difference. */
    private static boolean uncles(ObjectMembers members, BlockHeader header) throws DifferenceException {
        boolean none = members.listOf("uncles", TransactionFields::hash).isEmpty();
        boolean rootOfNone = Objects.equals(header.sha3Uncles(), BlockRoots.NO_OMMERS);
        if (none != rootOfNone) {
            throw members.difference("uncles", rootOfNone ? "[]" : "the uncles of " + header.sha3Uncles());
        }
        return none;
    }

    /** Finds the sender of a transaction. */
    @FunctionalInterface
    private interface Senders {
        ProvenTransaction find(ObjectMembers members, Transaction transaction) throws DifferenceException;
    }

    @FunctionalInterface
    private interface Prover {
        ProvenBlock prove(ObjectMembers members) throws DifferenceException, UnknownPartException;
    }
}
