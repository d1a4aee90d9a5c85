package io.weir.verify;

import io.weir.ethereum.block.Receipt;
import java.math.BigInteger;
import java.util.List;

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
