package io.weir.ethereum.transaction;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpReader;
import java.util.Arrays;

/**
 * The form in which transactions travel between clients and nodes. A transaction takes its blobs along, which are neither hashed
 * nor part of a block. Thread-safe.
 */
public final class NetworkForm {
    private NetworkForm() {}

    /**
     * Returns the transaction as it is hashed. With blobs it travels as {@code 0x03 || rlp([transaction, blobs, commitments,
     * proofs])} (EIP-4844), or with a version before the blobs (EIP-7594). Returns it unread if it has no blobs or is of another
     * type.
     *
     * @throws RlpException where a blob transaction is neither
     */
    public static byte[] withoutBlobs(byte[] sent) {
        if (sent.length == 0 || sent[0] != TransactionType.BLOB.number()) {
            return sent;
        }
        RlpReader outer = RlpReader.of(Arrays.copyOfRange(sent, 1, sent.length));
        RlpReader items = outer.list();
        outer.end();
        if (!items.nextIsList()) {
            return sent;
        }
        Bytes transaction = items.encoded();
        if (!items.nextIsList()) {
            items.unsigned();
        }
        items.list();
        items.list();
        items.list();
        items.end();
        byte[] hashed = new byte[1 + transaction.size()];
        hashed[0] = sent[0];
        transaction.copyTo(hashed, 1);
        return hashed;
    }
}
