package io.weir.verify;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Withdrawal;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.verify.ChainFamily.Deviation;
import io.weir.verify.ProvenBlock.ProvenTransaction;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
 * that is not empty is proven by the uncles' headers alone ({@link AnswerProof#withUncles}).
 */
public final class BlockProof {

    private BlockProof() {}

    /**
     * Verifies a block by its hash and its roots.
     *
     * @param asked the requested hash; null if the call names no hash, and the object's own hash counts
     */
    public static Verification<ProvenBlock> block(JsonNode object, @Nullable Hash32 asked, ChainFamily family) {
        return known(object, asked, family).then(block -> senders(block, family));
    }

    /** Verifies the header of a block by its hash. Its lists are not looked at. */
    public static Verification<ProvenBlock> header(JsonNode object, @Nullable Hash32 asked, ChainFamily family) {
        return check(object, asked, family, members -> headerAlone(HeaderProof.prove(members, family)));
    }

    /** Verifies a block by its hash and its roots, without the senders of its transactions. They count as they stand. */
    public static Verification<ProvenBlock> known(JsonNode object, @Nullable Hash32 asked, ChainFamily family) {
        return check(object, asked, family, members -> provenBlock(members, family));
    }

    /** Verifies the senders of a block whose hash and roots are proven. They are the expensive part of its proof. */
    public static Verification<ProvenBlock> senders(ProvenBlock block, ChainFamily family) {
        return Proof.verify(() -> {
            for (int i = 0; i < block.size(); i++) {
                TransactionProof.requireSender("transactions[" + i + "].", block.transaction(i), family);
            }
            return block;
        });
    }

    /** Verifies an uncle, which has a header only, by its hash. */
    public static Verification<ProvenBlock> uncle(JsonNode object, @Nullable Hash32 asked, ChainFamily family) {
        return check(object, asked, family, members -> provenUncle(members, family));
    }

    /**
     * Compares a transaction from an answer of its own with its block, its position included.
     *
     * @param block with its transactions
     * @return the transaction's index
     */
    public static Verification<Integer> transaction(JsonNode object, ProvenBlock block, ChainFamily family) {
        return Proof.verify(() -> {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.TRANSACTION, "");
            int index = members.index("transactionIndex", block.size());
            ChainTransaction transaction = hashed(members, block.header(), index, family);
            ProvenTransaction proven = block.transaction(index);
            if (!transaction.hash().equals(proven.hash())) {
                throw members.difference("hash", proven.hash().hex() + " at this place");
            }
            members.require("from", proven.sender());
            return index;
        });
    }

    /** Returns the hashes that a block's answer lists as its uncles; null if the list is malformed. */
    public static @Nullable List<Hash32> namedUncles(JsonNode object) {
        try {
            return new ObjectMembers(object, "").listOf("uncles", TransactionFields::hash);
        } catch (UnprovenException e) {
            return null;
        }
    }

    private static Verification<ProvenBlock> check(
            JsonNode object, @Nullable Hash32 asked, ChainFamily family, Prover prover) {
        return Proof.verify(() -> {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.BLOCK, "");
            if (asked != null) {
                members.require("hash", asked);
            } else if (!members.has("hash")) {
                throw new UnprovenException("a pending block has no hash yet");
            }
            if (family.has(Deviation.NO_BLOCK_HASHES)) {
                throw UnprovenException.withoutRule("no hash of the chain covers a block");
            }
            return prover.prove(members);
        });
    }

    private static ProvenBlock provenBlock(ObjectMembers members, ChainFamily family) throws UnprovenException {
        BlockHeader header = HeaderProof.prove(members, family);
        JsonNode list = members.list("transactions");
        int unrooted = StateSync.isLast(list, "hash", header, family) ? 1 : 0;
        List<ProvenTransaction> transactions = transactions(members, list.size() - unrooted, header, family);
        if (unrooted > 0) {
            int last = list.size() - 1;
            StateSync.requireEmpty(item(list.get(last), last), header, last);
        }
        withdrawals(members, header, family, transactions == null);
        return new ProvenBlock(header, header.hash(), transactions, uncles(members, header));
    }

    private static ProvenBlock provenUncle(ObjectMembers members, ChainFamily family) throws UnprovenException {
        BlockHeader header = HeaderProof.prove(members, family);
        for (String name : List.of("transactions", "uncles", "withdrawals")) {
            if (members.has(name) && !members.list(name).isEmpty()) {
                throw members.difference(name, "none in an uncle");
            }
        }
        return headerAlone(header);
    }

    private static ProvenBlock headerAlone(BlockHeader header) {
        return new ProvenBlock(header, header.hash(), null, List.of());
    }

    /**
     * Returns null if the block has hashes only. A block without transactions is proven either way.
     *
     * @param rooted how many of the listed transactions the header's root covers
     */
    private static @Nullable List<ProvenTransaction> transactions(
            ObjectMembers members, int rooted, BlockHeader header, ChainFamily family) throws UnprovenException {
        JsonNode list = members.list("transactions");
        if (!list.isEmpty() && list.get(0).isString()) {
            requireRooted(members, members.listOf("transactions", TransactionFields::hash), header, family);
            return null;
        }
        List<ChainTransaction> hashed = new ArrayList<>(rooted);
        for (int i = 0; i < rooted; i++) {
            hashed.add(hashed(item(list.get(i), i), header, i, family));
        }
        List<byte[]> leaves = hashed.stream().map(ChainTransaction::encoded).toList();
        members.require("transactionsRoot", TrieRoot.ofList(leaves));
        List<ProvenTransaction> proven = new ArrayList<>(rooted);
        for (ChainTransaction transaction : hashed) {
            proven.add(TransactionProof.known(item(list.get(proven.size()), proven.size()), transaction, family));
        }
        return proven;
    }

    /** Requires a list of hashes to be of a block with transactions. Only a state sync is in a block whose root is of none. */
    private static void requireRooted(
            ObjectMembers members, List<Hash32> hashes, BlockHeader header, ChainFamily family)
            throws UnprovenException {
        boolean none = TrieRoot.EMPTY.equals(header.transactionsRoot());
        if (none && !(hashes.size() == 1 && StateSync.isHash(hashes.get(0), header, family))) {
            throw members.difference("transactions", "[]");
        }
    }

    private static ObjectMembers item(JsonNode transaction, int index) throws UnprovenException {
        return new ObjectMembers(transaction, "transactions[" + index + "]");
    }

    private static ChainTransaction hashed(ObjectMembers members, BlockHeader header, int index, ChainFamily family)
            throws UnprovenException {
        try {
            ChainTransaction transaction = TransactionProof.hashed(members, family, header.baseFeePerGas() == null);
            members.requirePlace(header, index);
            members.requireType(transaction.type(), header);
            if (transaction instanceof ChainTransaction.OfEthereum ethereum) {
                members.expect("gasPrice");
                Transaction fields = ethereum.transaction();
                if (!family.has(Deviation.OTHER_PRICES) || !fields.type().hasDynamicFee()) {
                    members.require("gasPrice", effectiveGasPrice(fields, header));
                }
            }
            return transaction;
        } catch (UnprovenException e) {
            throw e.orUnknown(members.unknown(ObjectForm.TRANSACTION, family), false);
        }
    }

    /** Returns the effective price of a unit of gas, in wei (EIP-1559). */
    static BigInteger effectiveGasPrice(Transaction transaction, BlockHeader header) {
        BigInteger price = transaction.gasPrice();
        if (price != null) {
            return price;
        }
        BigInteger most = transaction.maxFeePerGas();
        BigInteger tip = transaction.maxPriorityFeePerGas();
        BigInteger base = header.baseFeePerGas();
        if (most == null || tip == null) {
            throw new IllegalStateException("fees: none (expected: in type " + transaction.type() + ")");
        }
        return most.min((base == null ? BigInteger.ZERO : base).add(tip));
    }

    /** @param hashesOnly whether the block has no transactions that would show its family */
    private static void withdrawals(ObjectMembers members, BlockHeader header, ChainFamily family, boolean hashesOnly)
            throws UnprovenException {
        if (header.withdrawalsRoot() == null) {
            members.requireNone("withdrawals", "in a block without a root of them");
            return;
        }
        boolean none = family.has(Deviation.NO_WITHDRAWALS) && !members.has("withdrawals");
        List<Withdrawal> withdrawals = none ? List.of() : members.listOf("withdrawals", BlockProof::withdrawal);
        if (!family.has(Deviation.OTHER_WITHDRAWALS_ROOT)) {
            if (hashesOnly && withdrawals.isEmpty() && !TrieRoot.EMPTY.equals(header.withdrawalsRoot())) {
                throw new UnprovenException("withdrawals are missing, or their root is another one in this family");
            }
            members.require("withdrawalsRoot", BlockRoots.withdrawals(withdrawals));
        } else if (!withdrawals.isEmpty()) {
            throw members.difference("withdrawals", "[]");
        }
    }

    private static Withdrawal withdrawal(JsonNode item, String path) throws UnprovenException {
        ObjectMembers members = new ObjectMembers(item, path);
        return new Withdrawal(
                members.unsigned("index"),
                members.unsigned("validatorIndex"),
                members.address("address"),
                members.unsigned("amount"));
    }

    /** Returns the listed uncles. An empty list is proven; a list that contradicts the header is a difference. */
    private static List<Hash32> uncles(ObjectMembers members, BlockHeader header) throws UnprovenException {
        List<Hash32> listed = members.listOf("uncles", TransactionFields::hash);
        boolean none = listed.isEmpty();
        boolean rootOfNone = Objects.equals(header.sha3Uncles(), BlockRoots.NO_OMMERS);
        if (none != rootOfNone) {
            throw members.difference("uncles", rootOfNone ? "[]" : "the uncles of " + header.sha3Uncles());
        }
        return listed;
    }

    @FunctionalInterface
    private interface Prover {
        ProvenBlock prove(ObjectMembers members) throws UnprovenException;
    }

    /** Proof of headers of any fork: recomputes the hash from the fields. Stateless. */
    private static final class HeaderProof {

        private HeaderProof() {}

        /**
         * Returns the header, whose hash is the one that the object names.
         *
         * @throws UnprovenException if the hash differs or a field is missing, and an unknown member may be the cause
         */
        static BlockHeader prove(ObjectMembers members, ChainFamily family) throws UnprovenException {
            boolean aura = family.has(Deviation.AURA_SEALS) && AuraSeal.isIn(members);
            try {
                BlockHeader header = header(members, aura);
                members.require("hash", header.hash());
                if (family.has(Deviation.NITRO_HEADERS)) {
                    NitroHeader.require(members, header);
                }
                return header;
            } catch (UnprovenException e) {
                // A recorded block has shown the rule of AuRa's headers.
                boolean untested = family.has(Deviation.HEADERS_UNTESTED) && !aura;
                throw e.orUnknown(members.unknown(ObjectForm.BLOCK, family), untested);
            }
        }

        private static BlockHeader header(ObjectMembers members, boolean aura) throws UnprovenException {
            BlockHeaderBuilder builder = BlockHeader.builder();
            if (aura) {
                AuraSeal.read(members, builder);
            }
            for (HeaderField field : HeaderField.values()) {
                String name = field.jsonName();
                boolean sealed = aura && (field == HeaderField.MIX_HASH || field == HeaderField.NONCE);
                if (members.has(name) && !sealed) {
                    String text = members.text(name);
                    try {
                        builder.hex(field, field == HeaderField.MINER ? text : ObjectMembers.lowerCase(text));
                    } catch (IllegalArgumentException e) {
                        throw members.difference(name, String.valueOf(e.getMessage()));
                    }
                }
            }
            try {
                return builder.build();
            } catch (IllegalArgumentException e) {
                throw members.difference("hash", "of a header: " + e.getMessage());
            }
        }

        /** Reader of the seal of AuRa's headers, which stands in place of {@code mixHash} and {@code nonce}. Stateless. */
        private static final class AuraSeal {

            private static final int MAX_DIGITS = 20;

            private AuraSeal() {}

            /** Returns whether a block has such a seal. */
            static boolean isIn(ObjectMembers members) {
                return members.has("step") && members.has("signature") && !members.has("mixHash");
            }

            /** Reads the seal. Nodes write the step in decimal, and the signature without a prefix. */
            static void read(ObjectMembers members, BlockHeaderBuilder builder) throws UnprovenException {
                String step = members.text("step");
                String signature = members.text("signature");
                if (step.isEmpty()
                        || step.length() > MAX_DIGITS
                        || !step.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
                    throw members.difference("step", "a whole number");
                }
                try {
                    String hex = signature.startsWith("0x") ? signature : "0x" + signature;
                    builder.auraSeal(new BigInteger(step), Bytes.fromHex(ObjectMembers.lowerCase(hex)));
                } catch (IllegalArgumentException e) {
                    throw members.difference("signature", String.valueOf(e.getMessage()));
                }
            }
        }

        /** Comparison of the members that Arbitrum adds to blocks with the fields of the header that hold them. Stateless. */
        private static final class NitroHeader {

            private NitroHeader() {}

            /** Requires the members that are present. Headers from before Nitro do not hold them. */
            static void require(ObjectMembers members, BlockHeader header) throws UnprovenException {
                Bytes mixHash = header.get(HeaderField.MIX_HASH);
                if (mixHash == null || !isNitro(header)) {
                    return;
                }
                ByteBuffer numbers = ByteBuffer.wrap(mixHash.toArray());
                if (members.given("sendRoot")) {
                    members.require("sendRoot", new Hash32(header.extraData()));
                }
                if (members.given("sendCount")) {
                    members.requireUnsigned("sendCount", numbers.getLong(0));
                }
                if (members.given("l1BlockNumber")) {
                    members.requireUnsigned("l1BlockNumber", numbers.getLong(Long.BYTES));
                }
            }

            private static boolean isNitro(BlockHeader header) {
                BigInteger baseFee = header.baseFeePerGas();
                return baseFee != null
                        && baseFee.signum() > 0
                        && header.extraData().size() == Hash32.SIZE_BYTES
                        && header.difficulty().equals(BigInteger.ONE);
            }
        }
    }
}
