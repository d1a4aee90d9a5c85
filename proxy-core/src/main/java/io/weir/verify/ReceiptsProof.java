package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.ContractAddress;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.verify.ChainFamily.Deviation;
import io.weir.verify.ProvenBlock.ProvenTransaction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Proof of all receipts of a block together, by the header's root and bloom. Members that follow from the block's transactions are
 * compared. One receipt alone cannot be proven. The static methods are thread-safe; an instance is confined to one of them.
 */
public final class ReceiptsProof {

    private static final BigInteger GAS_PER_BLOB = BigInteger.valueOf(131_072);

    /** The highest of Ethereum's types. */
    private static final int LAST_TYPE = Arrays.stream(TransactionType.values())
            .mapToInt(TransactionType::number)
            .max()
            .orElseThrow();

    private final BlockHeader header;
    /** Null if only the header is known. */
    private final @Nullable List<ProvenTransaction> transactions;

    private final ChainFamily family;
    private long gasBefore;
    private int logsBefore;
    private boolean untested;
    /** Whether a receipt has the root of a state, as those from before Byzantium. */
    private boolean hasStateRoots;

    private @Nullable UnprovenException lacking;

    private ReceiptsProof(BlockHeader header, @Nullable List<ProvenTransaction> transactions, ChainFamily family) {
        this.header = header;
        this.transactions = transactions;
        this.family = family;
    }

    private static ReceiptsProof of(ProvenBlock block, ChainFamily family) {
        List<ProvenTransaction> proven = block.transactions();
        return new ReceiptsProof(block.header(), proven == null ? List.of() : proven, family);
    }

    /**
     * Verifies receipts by their block.
     *
     * @param object the list of all receipts
     * @param block with its transactions
     */
    public static Verification<List<ChainReceipt>> check(JsonNode object, ProvenBlock block, ChainFamily family) {
        return Proof.verify(() -> {
            MemberNames.requireNoShadow(object, ObjectForm.RECEIPT, "");
            return of(block, family).prove(object, false);
        });
    }

    /**
     * Verifies what the header of their block says of receipts: their root and bloom cover the status, the gas and the logs of each. Members
     * that follow from the transactions count as they stand.
     *
     * @param object the list of all receipts
     */
    public static Verification<List<ChainReceipt>> byHeader(JsonNode object, BlockHeader header, ChainFamily family) {
        return Proof.verify(() -> {
            MemberNames.requireNoShadow(object, ObjectForm.RECEIPT, "");
            return new ReceiptsProof(header, null, family).prove(object, false);
        });
    }

    /**
     * Compares the members of receipts that follow from the transactions of their block. {@link #byHeader} has verified the rest.
     *
     * @param object the list of all receipts
     * @param block with its transactions
     * @return the block
     */
    static Verification<ProvenBlock> following(JsonNode object, ProvenBlock block, ChainFamily family) {
        return Proof.verify(() -> {
            of(block, family).prove(object, true);
            return block;
        });
    }

    /**
     * Compares a receipt from an answer of its own with all receipts of its block.
     *
     * @param block with its transactions
     * @param proven all its receipts
     * @return the index of its transaction
     */
    public static Verification<Integer> one(
            JsonNode object, ProvenBlock block, List<ChainReceipt> proven, ChainFamily family) {
        return Proof.verify(() -> {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.RECEIPT, "");
            int index = members.index("transactionIndex", Math.min(block.size(), proven.size()));
            ReceiptsProof proof = of(block, family);
            proof.gasBefore = index == 0 ? 0 : proven.get(index - 1).content().cumulativeGasUsed();
            proven.subList(0, index)
                    .forEach(before ->
                            proof.logsBefore += before.content().logs().size());
            if (!proof.receipt(members, index).equals(proven.get(index))) {
                throw new UnprovenException("receipt", "another", "the one of its block");
            }
            return index;
        });
    }

    private List<ChainReceipt> follow(JsonNode object) throws UnprovenException {
        List<ProvenTransaction> all = requireOneOfEach(object, object.size());
        for (int i = 0; i < all.size(); i++) {
            ObjectMembers members = new ObjectMembers(object.get(i), "[" + i + "]");
            int type = all.get(i).transaction().type();
            noteUntested(family.layout(type));
            members.requireTypeOfReceipt(type, header);
            following(members, all.get(i), succeeded(members));
        }
        return List.of();
    }

    private void noteUntested(@Nullable TransactionLayout layout) {
        untested |= layout != null && !layout.receiptTested();
    }

    /** Returns the block's transactions, for each of which there must be a receipt; none if only the header is known. */
    private List<ProvenTransaction> requireOneOfEach(JsonNode object, int rooted) throws UnprovenException {
        if (!object.isArray() || (transactions != null && rooted != transactions.size())) {
            String expected = transactions == null ? "a list" : transactions.size() + " in this block";
            throw new UnprovenException("receipts", object.isArray() ? object.size() : object, expected);
        }
        return transactions == null ? List.of() : transactions;
    }

    /** @param rooted whether the root of the header was proven before */
    private List<ChainReceipt> prove(JsonNode object, boolean rooted) throws UnprovenException {
        try {
            if (rooted) {
                return follow(object);
            }
            boolean stateSync = object.isArray() && StateSync.isLast(object, "transactionHash", header, family);
            List<ChainReceipt> receipts = rooted(object, object.size() - (stateSync ? 1 : 0));
            if (stateSync) {
                throw UnprovenException.withoutRule("the receipt of a state sync is in no root");
            }
            return receipts;
        } catch (UnprovenException e) {
            throw e.orUnknown(null, untested || family.has(Deviation.RECEIPTS_UNTESTED));
        }
    }

    /** @param rooted how many of the receipts the header's root covers */
    private List<ChainReceipt> rooted(JsonNode object, int rooted) throws UnprovenException {
        requireOneOfEach(object, rooted);
        List<ChainReceipt> receipts = new ArrayList<>(rooted);
        String unknown = null;
        for (int i = 0; i < rooted; i++) {
            ObjectMembers members = new ObjectMembers(object.get(i), "[" + i + "]");
            unknown = unknown == null ? members.unknown(ObjectForm.RECEIPT, family) : unknown;
            receipts.add(receipt(members, i));
        }
        try {
            roots(receipts);
        } catch (UnprovenException e) {
            if (lacking != null) {
                throw lacking;
            }
            if (!hasStateRoots && header.baseFeePerGas() == null) {
                // Nodes that keep no roots of states write none of before Byzantium either.
                throw new UnprovenException(e.getMessage() + ", perhaps without the roots of states");
            }
            throw e.orUnknown(unknown, false);
        }
        return receipts;
    }

    private void roots(List<ChainReceipt> receipts) throws UnprovenException {
        String root = TrieRoot.ofList(
                        receipts.stream().map(ChainReceipt::encoded).toList())
                .hex();
        if (!root.equals(header.receiptsRoot().hex())) {
            throw new UnprovenException(
                    "root of the receipts", root, header.receiptsRoot().hex());
        }
        List<Receipt> contents = receipts.stream().map(ChainReceipt::content).toList();
        if (!Bloom.ofReceipts(contents).equals(header.logsBloom())) {
            throw new UnprovenException("bloom of the receipts", "another", "the header's");
        }
    }

    private ChainReceipt receipt(ObjectMembers members, int index) throws UnprovenException {
        ProvenTransaction proven = transactions == null ? null : transactions.get(index);
        int type = proven == null ? typeOf(members) : proven.transaction().type();
        TransactionLayout layout = family.layout(type);
        noteUntested(layout);
        long gas = members.unsigned("cumulativeGasUsed");
        if (members.has("root") && members.text("root").equals("0x")) {
            throw members.form("root", "a hash, or none");
        }
        members.requireTypeOfReceipt(type, header);
        Receipt content = new Receipt(
                TransactionType.LEGACY,
                members.has("root") ? members.hash("root") : null,
                succeeded(members),
                gas,
                new Bloom(bloom(members)),
                logs(members, proven == null ? members.hash("transactionHash") : proven.hash(), index));
        if (!Bloom.ofLogs(content.logs()).equals(content.bloom())) {
            throw members.difference("logsBloom", "the bloom of its logs");
        }
        members.requirePlaceOfReceipt(header, index);
        members.requireUnsigned("gasUsed", gas - gasBefore);
        gasBefore = gas;
        if (proven != null) {
            following(members, proven, content.succeeded());
        }
        if (layout == null) {
            return new ChainReceipt(type, content, List.of());
        }
        List<BigInteger> items = TransactionFields.receiptItems(members, layout);
        noteLacking(members, layout, items);
        return new ChainReceipt(type, content, items);
    }

    /** Returns the type that a receipt names, if a rule covers it. */
    private int typeOf(ObjectMembers members) throws UnprovenException {
        int type = TransactionFields.number(members);
        String gap = family.gap(type, false, false);
        if (gap != null) {
            throw UnprovenException.withoutRule("a receipt of type 0x" + Integer.toHexString(type) + ": " + gap);
        }
        if (type > LAST_TYPE && family.layout(type) == null) {
            throw new UnprovenException("a receipt of type 0x" + Integer.toHexString(type) + " is not known");
        }
        return type;
    }

    /** Compares the members that follow from the transaction. */
    private void following(ObjectMembers members, ProvenTransaction proven, boolean succeeded)
            throws UnprovenException {
        members.require("transactionHash", proven.hash());
        members.require("from", proven.sender());
        if (proven.transaction() instanceof ChainTransaction.OfFamily own) {
            if (own.layout().has("to")) {
                members.require("to", own.to());
                contractOfFamily(members, own, proven.sender());
            }
            return;
        }
        Transaction fields = ((ChainTransaction.OfEthereum) proven.transaction()).transaction();
        members.require("to", fields.to());
        followingFees(members, fields);
        contract(members, fields, proven.sender(), succeeded);
    }

    /** Notes that a receipt lacks items without which its hash is unknown. */
    private void noteLacking(ObjectMembers members, TransactionLayout layout, List<BigInteger> items) {
        List<String> names = layout.receiptItems();
        // All chains that hash such items have a root of withdrawals.
        if (items.size() < names.size() && header.withdrawalsRoot() != null) {
            lacking = members.missing(names.get(names.size() - 1));
        }
    }

    /** Compares the address of a contract that a transaction of the family's own creates, if the receipt has the nonce. */
    private static void contractOfFamily(ObjectMembers members, ChainTransaction.OfFamily own, Address sender)
            throws UnprovenException {
        if (own.to() != null) {
            members.require("contractAddress", (Address) null);
        } else if (members.has("contractAddress") && members.has("depositNonce")) {
            members.require("contractAddress", ContractAddress.create(sender, members.unsigned("depositNonce")));
        }
    }

    private boolean succeeded(ObjectMembers members) throws UnprovenException {
        boolean hasRoot = members.has("root");
        hasStateRoots |= hasRoot;
        if (hasRoot && !members.has("status")) {
            return true;
        }
        long status = members.unsigned("status");
        if (status != 0 && status != 1) {
            throw members.difference("status", "0x0 or 0x1");
        }
        if (hasRoot) {
            // From before Byzantium. Some nodes write both.
            throw new UnprovenException("a status beside the root of the state, which alone is hashed");
        }
        return status == 1;
    }

    private static Bytes bloom(ObjectMembers members) throws UnprovenException {
        Bytes bytes = members.bytes("logsBloom");
        if (bytes.size() != Bloom.SIZE_BYTES) {
            throw members.difference("logsBloom", Bloom.SIZE_BYTES + " bytes");
        }
        return bytes;
    }

    private List<Log> logs(ObjectMembers members, Hash32 transaction, int index) throws UnprovenException {
        return members.listOf("logs", (item, path) -> log(new ObjectMembers(item, path), transaction, index));
    }

    private Log log(ObjectMembers members, Hash32 transaction, int index) throws UnprovenException {
        members.requirePlace(header, index);
        members.require("transactionHash", transaction);
        members.requireUnsigned("logIndex", logsBefore++);
        members.requireFalse("removed");
        try {
            return new Log(
                    members.address("address"),
                    members.listOf("topics", TransactionFields::hash),
                    members.bytes("data"));
        } catch (IllegalArgumentException e) {
            throw members.difference("topics", String.valueOf(e.getMessage()));
        }
    }

    /** All nodes that know base fees write the effective price; older nodes do not. */
    private void followingFees(ObjectMembers members, Transaction transaction) throws UnprovenException {
        if (!family.has(Deviation.OTHER_PRICES)) {
            if (header.baseFeePerGas() == null) {
                members.expect("effectiveGasPrice");
            }
            members.require("effectiveGasPrice", BlockProof.effectiveGasPrice(transaction, header));
        }
        boolean blobs = transaction.type() == TransactionType.BLOB || members.has("blobGasUsed");
        if (blobs && !family.has(Deviation.OTHER_BLOB_GAS)) {
            int count = transaction.blobVersionedHashes().size();
            members.require("blobGasUsed", GAS_PER_BLOB.multiply(BigInteger.valueOf(count)));
        }
    }

    /**
     * Compares the address of a created contract. Nodes differ in whether they name it after a failed creation. A receipt with a
     * root does not say whether it failed, so that it is incomplete without the address.
     */
    private static void contract(ObjectMembers members, Transaction transaction, Address sender, boolean succeeded)
            throws UnprovenException {
        @Nullable
        Address created = transaction.to() == null ? ContractAddress.create(sender, transaction.nonce()) : null;
        boolean absent = created != null && !members.has("contractAddress");
        if (absent && members.has("root")) {
            throw new UnprovenException("contractAddress of a creation is missing");
        }
        if (!absent || succeeded) {
            members.require("contractAddress", created);
        }
    }

    /**
     * Receipt of a transaction of any type. Immutable.
     *
     * @param type of the transaction
     * @param content the items that every receipt has; its own type is not used
     * @param items quantities of the family behind these
     */
    public record ChainReceipt(int type, Receipt content, List<BigInteger> items) {

        public ChainReceipt {
            items = List.copyOf(items);
        }

        /** Returns the bytes that are hashed. */
        byte[] encoded() {
            return content.encodedAs(type, items);
        }
    }
}
