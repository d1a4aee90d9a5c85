package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.ContractAddress;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Proof of all receipts of a block together, by the header's root and bloom. Members that follow from the block's transactions are
 * compared. One receipt alone cannot be proven. The static methods are thread-safe; an instance is confined to one of them.
 */
public final class ReceiptsProof {

    private static final BigInteger GAS_PER_BLOB = BigInteger.valueOf(131_072);

    private final BlockHeader header;
    private final List<ProvenTransaction> transactions;
    private long gasBefore;
    private int logsBefore;

    private ReceiptsProof(BlockHeader header, List<ProvenTransaction> transactions) {
        this.header = header;
        this.transactions = transactions;
    }

    /**
     * Verifies receipts by their block.
     *
     * @param object the list of all receipts
     * @param header the proven header
     * @param transactions the proven transactions
     */
    public static Verification<List<Receipt>> check(
            JsonNode object, BlockHeader header, List<ProvenTransaction> transactions) {
        try {
            MemberNames.requireNoShadow(object, ObjectForm.RECEIPT, "");
            return new Verification.Proven<>(new ReceiptsProof(header, transactions).prove(object));
        } catch (UnknownPartException e) {
            return new Verification.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            return new Verification.Wrong<>(e.getMessage());
        }
    }

    /**
     * Compares a receipt from an answer of its own with all receipts of its block.
     *
     * @param block with its transactions
     * @param proven all its receipts
     * @return the index of its transaction
     */
    public static Verification<Integer> one(JsonNode object, ProvenBlock block, List<Receipt> proven) {
        try {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.RECEIPT, "");
            int index = members.index("transactionIndex", Math.min(block.size(), proven.size()));
            List<ProvenTransaction> transactions = block.transactions();
            ReceiptsProof proof = new ReceiptsProof(block.header(), transactions == null ? List.of() : transactions);
            proof.gasBefore = index == 0 ? 0 : proven.get(index - 1).cumulativeGasUsed();
            proven.subList(0, index)
                    .forEach(before -> proof.logsBefore += before.logs().size());
            if (!proof.receipt(members, index).equals(proven.get(index))) {
                throw new DifferenceException("receipt", "another", "the one of its block");
            }
            return new Verification.Proven<>(index);
        } catch (UnknownPartException e) {
            return new Verification.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            return new Verification.Wrong<>(e.getMessage());
        }
    }

    private List<Receipt> prove(JsonNode object) throws DifferenceException, UnknownPartException {
        if (!object.isArray() || object.size() != transactions.size()) {
            throw new DifferenceException(
                    "receipts", object.isArray() ? object.size() : object, transactions.size() + " in this block");
        }
        List<Receipt> receipts = new ArrayList<>(object.size());
        String unknown = null;
        for (JsonNode item : object) {
            ObjectMembers members = new ObjectMembers(item, "[" + receipts.size() + "]");
            unknown = unknown == null ? members.unknown(ObjectForm.RECEIPT) : unknown;
            receipts.add(receipt(members, receipts.size()));
        }
        try {
            roots(receipts);
        } catch (DifferenceException e) {
            if (unknown == null) {
                throw e;
            }
            throw new UnknownPartException(e.getMessage() + ", with a member that is not known: " + unknown);
        }
        return receipts;
    }

    private void roots(List<Receipt> receipts) throws DifferenceException {
        String root = BlockRoots.receipts(receipts).hex();
        if (!root.equals(header.receiptsRoot().hex())) {
            throw new DifferenceException(
                    "root of the receipts", root, header.receiptsRoot().hex());
        }
        if (!Bloom.ofReceipts(receipts).equals(header.logsBloom())) {
            throw new DifferenceException("bloom of the receipts", "another", "the header's");
        }
    }

    private Receipt receipt(ObjectMembers members, int index) throws DifferenceException, UnknownPartException {
        ProvenTransaction proven = transactions.get(index);
        Transaction transaction = proven.transaction();
        long gas = members.unsigned("cumulativeGasUsed");
        PositionFields.requireType(members, transaction, header);
        Receipt receipt = new Receipt(
                transaction.type(),
                members.has("root") ? members.hash("root") : null,
                succeeded(members),
                gas,
                new Bloom(bloom(members)),
                logs(members, proven, index));
        if (!Bloom.ofLogs(receipt.logs()).equals(receipt.bloom())) {
            throw members.difference("logsBloom", "the bloom of its logs");
        }
        PositionFields.requireOfReceipt(members, header, index);
        members.require("transactionHash", proven.hash());
        members.require("from", proven.sender());
        members.require("to", transaction.to());
        members.requireUnsigned("gasUsed", gas - gasBefore);
        gasBefore = gas;
        followingFees(members, transaction);
        contract(members, proven, receipt);
        return receipt;
    }

    private static boolean succeeded(ObjectMembers members) throws DifferenceException {
        if (members.has("root")) {
            members.requireNone("status", "beside a root");
            return true;
        }
        long status = members.unsigned("status");
        if (status != 0 && status != 1) {
            throw members.difference("status", "0x0 or 0x1");
        }
        return status == 1;
    }

    private static Bytes bloom(ObjectMembers members) throws DifferenceException {
        Bytes bytes = members.bytes("logsBloom");
        if (bytes.size() != Bloom.SIZE_BYTES) {
            throw members.difference("logsBloom", Bloom.SIZE_BYTES + " bytes");
        }
        return bytes;
    }

    private List<Log> logs(ObjectMembers members, ProvenTransaction proven, int index) throws DifferenceException {
        return members.listOf("logs", (item, path) -> log(new ObjectMembers(item, path), proven, index));
    }

    private Log log(ObjectMembers members, ProvenTransaction proven, int index) throws DifferenceException {
        PositionFields.require(members, header, index);
        members.require("transactionHash", proven.hash());
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
    private void followingFees(ObjectMembers members, Transaction transaction)
            throws DifferenceException, UnknownPartException {
        if (header.baseFeePerGas() == null) {
            members.expect("effectiveGasPrice");
        }
        members.require("effectiveGasPrice", PositionFields.effectiveGasPrice(transaction, header));
        if (transaction.type() == TransactionType.BLOB || members.has("blobGasUsed")) {
            int blobs = transaction.blobVersionedHashes().size();
            members.require("blobGasUsed", GAS_PER_BLOB.multiply(BigInteger.valueOf(blobs)));
        }
    }

    /**
     * Compares the address of a created contract. Nodes differ in whether they name it after a failed creation. A receipt with a
     * root does not say whether it failed, so that it is incomplete without the address.
     */
    private static void contract(ObjectMembers members, ProvenTransaction proven, Receipt receipt)
            throws DifferenceException, UnknownPartException {
        Transaction transaction = proven.transaction();
        @Nullable
        Address created =
                transaction.to() == null ? ContractAddress.create(proven.sender(), transaction.nonce()) : null;
        boolean absent = created != null && !members.has("contractAddress");
        if (absent && receipt.root() != null) {
            throw new UnknownPartException("contractAddress of a creation is missing");
        }
        if (!absent || receipt.succeeded()) {
            members.require("contractAddress", created);
        }
    }
}
