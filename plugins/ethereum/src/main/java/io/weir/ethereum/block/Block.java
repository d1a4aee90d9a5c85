package io.weir.ethereum.block;

import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole block. Immutable.
 *
 * @param withdrawals null before Shanghai
 */
public record Block(
        BlockHeader header,
        List<Transaction> transactions,
        List<BlockHeader> ommers,
        @Nullable List<Withdrawal> withdrawals) {
    public Block {
        transactions = List.copyOf(transactions);
        ommers = List.copyOf(ommers);
        withdrawals = withdrawals == null ? null : List.copyOf(withdrawals);
    }

    /** Reads a block that stands alone. */
    public static Block decode(byte[] rlp) {
        RlpReader reader = RlpReader.of(rlp);
        Block block = read(reader);
        reader.end();
        return block;
    }

    /** Reads the next of several blocks. */
    public static Block read(RlpReader reader) {
        RlpReader fields = reader.list();
        Block block = new Block(
                BlockHeader.read(fields),
                fields.listOf(Block::readTransaction),
                fields.listOf(BlockHeader::read),
                fields.hasNext() ? fields.listOf(Withdrawal::read) : null);
        fields.end();
        return block;
    }

    /** The block as nodes exchange it; its length is the {@code size} of JSON-RPC. */
    public byte[] rlp() {
        return RlpWriter.list(fields -> {
            fields.encoded(header.rlp());
            fields.nested(list -> transactions.forEach(transaction -> write(transaction, list)));
            fields.nested(list -> ommers.forEach(ommer -> list.encoded(ommer.rlp())));
            if (withdrawals != null) {
                fields.nested(list -> withdrawals.forEach(withdrawal -> withdrawal.write(list)));
            }
        });
    }

    /** A typed transaction begins with its type byte and so is no RLP item; in a block it is wrapped in a string. */
    private static void write(Transaction transaction, RlpWriter list) {
        if (transaction.type() == TransactionType.LEGACY) {
            list.encoded(transaction.encoded());
        } else {
            list.bytes(transaction.encoded());
        }
    }

    private static Transaction readTransaction(RlpReader reader) {
        return Transaction.decode((reader.nextIsList() ? reader.encoded() : reader.bytes()).toArray());
    }
}
