package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The chains as this wallet knew them last. Thread-safe; blocks. */
public record ChainTable(WalletDatabase database, InstantSource clock) {
    private static final int SAMPLE = 5;
    private static final int MAX_NEWEST = 200;
    /** What is stored of an account, but for its kind. */
    private static final String ACCOUNT = "(tenant || address || public_key || deploy_hash)";

    /** A row of its table. Immutable. */
    record Block(long number, Felt hash) {}

    /** Returns the hashes of the blocks of a chain that are remembered, by their numbers. */
    public Map<Long, Felt> blocks(Felt chainId) {
        Map<Long, Felt> blocks = new TreeMap<>();
        database.list(Block.class, "SELECT number, hash FROM chain_block WHERE chain_id = ?", chainId)
                .forEach(block -> blocks.put(block.number(), block.hash()));
        return blocks;
    }

    /** Remembers a block of a chain; one above the beginning, which has a last block, in place of all others there. */
    public void keepBlock(Felt chainId, long number, Felt hash, long last) {
        database.inTransaction(() -> {
            String others = "DELETE FROM chain_block WHERE chain_id = ? AND number > ? AND ? > ?";
            database.change(others, chainId, last, number, last);
            database.change("INSERT OR REPLACE INTO chain_block VALUES (?, ?, ?)", chainId, number, hash);
        });
    }

    /** Returns a few transactions that were in blocks of the chain at a time, the newest first. */
    public List<StoredTransaction> settled(Felt chainId, Instant time) {
        return TransactionTable.select(
                database,
                "chain_id = ? AND state = 'ACCEPTED_ON_L2' AND changed_millis <= ? ORDER BY number DESC LIMIT ?",
                chainId,
                time,
                SAMPLE);
    }

    /** Returns the newest transactions of a chain, two hundred at most. */
    public List<StoredTransaction> newest(Felt chainId) {
        return TransactionTable.select(database, "chain_id = ? ORDER BY number DESC LIMIT ?", chainId, MAX_NEWEST);
    }

    /**
     * Everything that was stored at one time. Immutable.
     *
     * @param number of the newest transaction
     * @param accounts those of the chain, as they were
     */
    public record Mark(Instant time, long number, String accounts) {}

    /** Returns what is stored now. */
    public Mark mark(Felt chainId) {
        String sql = "SELECT ? AS time, (SELECT IFNULL(MAX(number), 0) FROM account_transaction) AS number,"
                + " (SELECT json_group_array(" + ACCOUNT + ") FROM account WHERE chain_id = ?) AS accounts";
        return database.first(Mark.class, sql, clock.instant(), chainId).orElseThrow();
    }

    /**
     * Puts away what was on a chain which began again: its transactions go to the archive, its accounts are not deployed,
     * and its requests and blocks are forgotten. The decisions of persons stay as what they were.
     *
     * @param mark later transactions, accounts and requests may be of the new chain, and stay
     * @param kept transactions that are on the new chain: they and their requests stay
     */
    public void archive(Felt chainId, Mark mark, List<StoredTransaction> kept) {
        String hashes = kept.stream()
                .map(transaction -> '"' + transaction.hash().toHex() + '"')
                .collect(Collectors.joining(",", "[", "]"));
        Map<String, ?> values = Map.of("chainId", chainId, "kept", hashes, "now", clock.instant());
        // A transaction that is signed again after a refusal may get the number of the refused one. Found ones are as
        // old as blocks.
        String old = " WHERE chain_id = :chainId AND number <= :number AND (created_millis <= :time OR body = '')"
                + " AND hash NOT IN (SELECT value FROM json_each(:kept))";
        database.inTransaction(() -> {
            database.change("""
                    INSERT INTO archived_transaction (archived_millis, tenant, chain_id, hash, sender, nonce, body, state,
                        approval, created_millis)
                    SELECT :now, tenant, chain_id, hash, sender, nonce, body, state, approval, created_millis
                    FROM account_transaction""" + old, values, mark);
            database.change("DELETE FROM account_transaction" + old, values, mark);
            String reset = "UPDATE account SET deploy_hash = '0x0', public_key = '0x0' WHERE chain_id = :chainId AND ";
            String unchanged = ACCOUNT + " IN (SELECT value FROM json_each(:accounts))";
            String gone = " AND deploy_hash NOT IN (SELECT hash FROM account_transaction)";
            database.change(reset + unchanged + gone, values, mark);
            database.change("""
                    UPDATE request SET request_id = NULL
                    WHERE chain_id = :chainId AND state NOT IN ('WAITING', 'APPROVED') AND created_millis <= :time
                        AND approval NOT IN (SELECT approval FROM account_transaction)
                    """, values, mark);
            database.change("""
                    DELETE FROM request
                    WHERE chain_id = :chainId AND request_id IS NULL AND decided_by IS NULL AND created_millis <= :time
                    """, values, mark);
            database.change("DELETE FROM chain_block WHERE chain_id = ?", chainId);
            database.change("DELETE FROM searched_blocks WHERE chain_id = ?", chainId);
        });
    }
}
