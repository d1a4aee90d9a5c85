package io.weir.app.follower;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Blocks with signed transactions and receipts, of which every hash and root is right. Confined to one thread. */
final class CoherentChain {

    private static final JsonMapper JSON = new JsonMapper();
    private static final BigInteger KEY =
            new BigInteger("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", 16);
    private static final String SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    private static final Address TO = new Address(Bytes.fromHex("0x00000000000000000000000000000000deadbeef"));
    private static final Hash32 TOPIC = Hash32.fromHex("0x" + "2a".repeat(32));
    private static final BigInteger PRICE = BigInteger.valueOf(20_000_000_000L);
    private static final long GAS = 30_000;

    private final List<Block> blocks = new ArrayList<>();
    private long nonce;

    /** A block as a node shows it. */
    record Block(String hash, ObjectNode whole, ObjectNode withHashes, ArrayNode receipts) {

        List<String> transactions() {
            return withHashes
                    .get("transactions")
                    .valueStream()
                    .map(hash -> hash.asString())
                    .toList();
        }
    }

    List<Block> blocks() {
        return blocks;
    }

    /** Adds a block with so many payments. */
    void mine(int size) {
        List<Transaction> transactions = new ArrayList<>();
        List<Receipt> receipts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            transactions.add(payment(nonce++));
            receipts.add(Receipt.of(
                    TransactionType.LEGACY,
                    true,
                    GAS * (i + 1),
                    List.of(new Log(TO, List.of(TOPIC), Bytes.fromHex("0x" + "ab".repeat(64))))));
        }
        BlockHeader header = header(transactions, receipts);
        blocks.add(shown(header, transactions, receipts));
    }

    private static Transaction payment(long nonce) {
        return Transaction.builder(TransactionType.LEGACY)
                .chainId(1)
                .nonce(nonce)
                .gas(60_000)
                .gasPrice(PRICE)
                .to(TO)
                .value(BigInteger.valueOf(12_345))
                .input(Bytes.EMPTY)
                .build()
                .sign(KEY);
    }

    private BlockHeader header(List<Transaction> transactions, List<Receipt> receipts) {
        String parent = blocks.isEmpty()
                ? "0x" + "0".repeat(64)
                : blocks.get(blocks.size() - 1).hash();
        return BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, Hash32.fromHex(parent))
                .set(HeaderField.SHA3_UNCLES, BlockRoots.NO_OMMERS)
                .set(HeaderField.MINER, TO)
                .set(HeaderField.STATE_ROOT, TOPIC)
                .set(HeaderField.TRANSACTIONS_ROOT, BlockRoots.transactions(transactions))
                .set(HeaderField.RECEIPTS_ROOT, BlockRoots.receipts(receipts))
                .set(HeaderField.LOGS_BLOOM, Bloom.ofReceipts(receipts))
                .set(HeaderField.DIFFICULTY, BigInteger.ZERO)
                .set(HeaderField.NUMBER, blocks.size())
                .set(HeaderField.GAS_LIMIT, 30_000_000L)
                .set(HeaderField.GAS_USED, GAS * transactions.size())
                .set(HeaderField.TIMESTAMP, 1_700_000_000L + 12L * blocks.size())
                .set(HeaderField.EXTRA_DATA, Bytes.EMPTY)
                .set(HeaderField.MIX_HASH, TOPIC)
                .set(HeaderField.NONCE, Bytes.fromHex("0x" + "0".repeat(16)))
                .set(HeaderField.BASE_FEE_PER_GAS, BigInteger.valueOf(7))
                .build();
    }

    private static Block shown(BlockHeader header, List<Transaction> transactions, List<Receipt> receipts) {
        ObjectNode whole = JSON.createObjectNode();
        header.forEachHex((field, hex) -> whole.put(field.jsonName(), hex));
        whole.put("hash", header.hash().hex());
        whole.put("size", "0x1000");
        whole.putArray("uncles");
        ObjectNode withHashes = whole.deepCopy();
        ArrayNode full = whole.putArray("transactions");
        ArrayNode hashes = withHashes.putArray("transactions");
        ArrayNode list = JSON.createArrayNode();
        for (int i = 0; i < transactions.size(); i++) {
            Transaction transaction = transactions.get(i);
            hashes.add(transaction.hash().hex());
            full.add(shown(placed(header, i), transaction));
            list.add(shown(placed(header, i), transaction, receipts.get(i)));
        }
        return new Block(header.hash().hex(), whole, withHashes, list);
    }

    private static ObjectNode placed(BlockHeader header, int index) {
        return JSON.createObjectNode()
                .put("blockHash", header.hash().hex())
                .put("blockNumber", Quantity.encode(header.number()))
                .put("transactionIndex", Quantity.encode(index));
    }

    private static ObjectNode shown(ObjectNode json, Transaction transaction) {
        Signature signature = Objects.requireNonNull(transaction.signature());
        return json.put("hash", transaction.hash().hex())
                .put("type", "0x0")
                .put("chainId", "0x1")
                .put("nonce", Quantity.encode(transaction.nonce()))
                .put("gas", Quantity.encode(transaction.gas()))
                .put("gasPrice", Quantity.encode(PRICE))
                .put("from", SENDER)
                .put("to", TO.hex())
                .put("value", Quantity.encode(transaction.value()))
                .put("input", "0x")
                .put("v", Quantity.encode(transaction.v()))
                .put("r", Quantity.encode(signature.r()))
                .put("s", Quantity.encode(signature.s()));
    }

    private static ObjectNode shown(ObjectNode json, Transaction transaction, Receipt receipt) {
        Log log = receipt.logs().get(0);
        ObjectNode logged = json.deepCopy();
        logged.put("transactionHash", transaction.hash().hex())
                .put("address", log.address().hex())
                .put("data", log.data().hex())
                .put("logIndex", json.get("transactionIndex").asString())
                .put("removed", false)
                .putArray("topics")
                .add(TOPIC.hex());
        json.put("transactionHash", transaction.hash().hex())
                .put("type", "0x0")
                .put("status", "0x1")
                .put("from", SENDER)
                .put("to", TO.hex())
                .putNull("contractAddress")
                .put("gasUsed", Quantity.encode(GAS))
                .put("cumulativeGasUsed", Quantity.encode(receipt.cumulativeGasUsed()))
                .put("effectiveGasPrice", Quantity.encode(PRICE))
                .put("logsBloom", receipt.bloom().hex())
                .putArray("logs")
                .add(logged);
        return json;
    }
}
