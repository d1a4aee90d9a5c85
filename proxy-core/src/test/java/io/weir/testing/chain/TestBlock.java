package io.weir.testing.chain;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Log;
import io.weir.testing.chain.SignedTransactions.Signed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A block and every form in which JSON-RPC shows it or a part of it. Immutable. */
public final class TestBlock {

    private final BlockHeader header;
    private final String hash;
    private final List<Signed> transactions;
    private final List<BlockHeader> uncles;
    private final List<String> transactionTexts;
    private final List<String> receiptTexts;
    private final List<LogText> logs;
    private final String withdrawals;

    /** A log and its text. */
    record LogText(Log log, String text) {}

    /** @param withdrawals as JSON */
    TestBlock(BlockHeader header, List<Signed> transactions, List<BlockHeader> uncles, String withdrawals) {
        this.header = header;
        this.hash = header.hash().hex();
        this.transactions = List.copyOf(transactions);
        this.uncles = List.copyOf(uncles);
        this.withdrawals = withdrawals;
        this.logs = new ArrayList<>();
        this.transactionTexts = new ArrayList<>();
        this.receiptTexts = new ArrayList<>();
        for (int i = 0; i < transactions.size(); i++) {
            TransactionText text = new TransactionText(transactions.get(i), header, hash, i);
            transactionTexts.add(text.mined());
            List<LogText> own = text.logs(logs.size());
            logs.addAll(own);
            receiptTexts.add(text.receipt(own));
        }
    }

    /** Its number. */
    public long number() {
        return header.number();
    }

    /** Its hash. */
    public String hash() {
        return hash;
    }

    /** Its header. */
    public BlockHeader header() {
        return header;
    }

    /** Its transactions, in order. */
    public List<Signed> transactions() {
        return transactions;
    }

    /** How many uncles it has. */
    public int uncles() {
        return uncles.size();
    }

    /** As {@code eth_getBlockByHash} shows it, with full transactions or their hashes. */
    public String text(boolean full) {
        String list = full
                ? String.join(",", transactionTexts)
                : transactions.stream()
                        .map(signed -> quoted(signed.hash().hex()))
                        .collect(Collectors.joining(","));
        return "{" + headerMembers(header) + ",\"size\":\"0x400\",\"totalDifficulty\":\"0x0\",\"transactions\":[" + list
                + "],\"uncles\":["
                + uncles.stream().map(uncle -> quoted(uncle.hash().hex())).collect(Collectors.joining(","))
                + "],\"withdrawals\":" + withdrawals + "}";
    }

    /** As {@code eth_getHeaderByHash} shows it. */
    public String headerText() {
        return "{" + headerMembers(header) + "}";
    }

    /** An uncle, or null as JSON where there is none. */
    public String uncle(long index) {
        return index < uncles.size()
                ? "{" + headerMembers(uncles.get((int) index)) + ",\"size\":\"0x200\",\"uncles\":[]}"
                : "null";
    }

    /** A transaction, or null as JSON where there is none. */
    public String transaction(long index) {
        return index < transactionTexts.size() ? transactionTexts.get((int) index) : "null";
    }

    /** A transaction's bytes; of one that is not there {@code 0x}. */
    public String raw(long index) {
        return index < transactions.size()
                ? quoted(Bytes.wrap(transactions.get((int) index).transaction().encoded())
                        .hex())
                : "\"0x\"";
    }

    /** A receipt. */
    public String receipt(int index) {
        return receiptTexts.get(index);
    }

    /** All receipts. */
    public String receipts() {
        return "[" + String.join(",", receiptTexts) + "]";
    }

    /** Its logs as a node shows them, in order. */
    public List<String> logTexts() {
        return logs.stream().map(LogText::text).toList();
    }

    List<LogText> logs() {
        return logs;
    }

    static String headerMembers(BlockHeader header) {
        StringBuilder text =
                new StringBuilder("\"hash\":").append(quoted(header.hash().hex()));
        header.forEachHex((field, value) ->
                text.append(",\"").append(field.jsonName()).append("\":").append(quoted(value)));
        return text.toString();
    }

    static String quoted(String text) {
        return '"' + text + '"';
    }

    @Override
    public String toString() {
        return number() + " " + hash.substring(0, 10);
    }
}
