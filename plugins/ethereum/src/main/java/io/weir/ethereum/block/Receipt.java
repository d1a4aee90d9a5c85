package io.weir.ethereum.block;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hashed part of a transaction's result. Immutable.
 *
 * @param root the state after the transaction: before Byzantium, then null
 * @param succeeded means something only where there is no root
 * @param cumulativeGasUsed by the block's transactions up to this one, the bits of an unsigned long
 */
public record Receipt(
        TransactionType type,
        @Nullable Hash32 root,
        boolean succeeded,
        long cumulativeGasUsed,
        Bloom bloom,
        List<Log> logs) {
    private static final Bytes SUCCESS = Bytes.wrap(new byte[] {1});

    public Receipt {
        logs = List.copyOf(logs);
    }

    /** A receipt since Byzantium, its bloom made from the logs. */
    public static Receipt of(TransactionType type, boolean succeeded, long cumulativeGasUsed, List<Log> logs) {
        return new Receipt(type, null, succeeded, cumulativeGasUsed, Bloom.ofLogs(logs), logs);
    }

    /** A receipt from before Byzantium, its bloom made from the logs. */
    public static Receipt withRoot(Hash32 root, long cumulativeGasUsed, List<Log> logs) {
        return new Receipt(TransactionType.LEGACY, root, true, cumulativeGasUsed, Bloom.ofLogs(logs), logs);
    }

    /** The receipt as it is hashed: type byte and list, or a list alone. */
    public byte[] encoded() {
        return encodedAs(type.number(), List.of());
    }

    /**
     * The receipt as a chain hashes it that has types of its own.
     *
     * @param number the type in place of this receipt's own; 0 for none
     * @param more quantities behind the usual items
     */
    public byte[] encodedAs(int number, List<BigInteger> more) {
        byte[] list = RlpWriter.list(writer -> {
            fields(writer);
            more.forEach(writer::quantity);
        });
        if (number == 0) {
            return list;
        }
        byte[] typed = new byte[list.length + 1];
        typed[0] = (byte) number;
        System.arraycopy(list, 0, typed, 1, list.length);
        return typed;
    }

    private void fields(RlpWriter writer) {
        if (root != null) {
            writer.hash(root);
        } else {
            writer.bytes(succeeded ? SUCCESS : Bytes.EMPTY);
        }
        writer.unsigned(cumulativeGasUsed).bytes(bloom.bytes()).nested(list -> logs.forEach(log -> log.write(list)));
    }

    /** Reads a receipt as it is hashed. */
    public static Receipt decode(byte[] encoded) {
        if (encoded.length == 0) {
            throw new RlpException("receipt: no bytes (expected: a type or a list)");
        }
        int first = encoded[0] & 0xff;
        if (first >= 0xc0) {
            return fields(encoded, TransactionType.LEGACY);
        }
        if (first == 0 || first >= TransactionType.values().length) {
            throw new RlpException("receipt type: " + first + " (expected: 1 to 4, or a list)");
        }
        return fields(Arrays.copyOfRange(encoded, 1, encoded.length), TransactionType.of(first));
    }

    private static Receipt fields(byte[] list, TransactionType type) {
        RlpReader outer = RlpReader.of(list);
        RlpReader fields = outer.list();
        outer.end();
        Bytes outcome = fields.bytes();
        boolean isRoot = outcome.size() == Hash32.SIZE_BYTES;
        if (!isRoot && !outcome.isEmpty() && !outcome.equals(SUCCESS)) {
            throw new RlpException("receipt status: " + outcome + " (expected: 0x, 0x01 or a root)");
        }
        Receipt receipt = new Receipt(
                type,
                isRoot ? new Hash32(outcome) : null,
                !outcome.isEmpty(),
                fields.unsigned(),
                new Bloom(fields.bytes(Bloom.SIZE_BYTES)),
                fields.listOf(Log::read));
        fields.end();
        return receipt;
    }
}
