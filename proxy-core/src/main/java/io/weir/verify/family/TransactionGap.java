package io.weir.verify.family;

/**
 * Transactions of a family for which no rule exists. Immutable.
 *
 * @param type their type
 * @param unsigned whether only those without a signature are meant
 * @param old whether only those in blocks without a base fee are meant, or in no known block
 * @param reason the reason, for logs
 */
record TransactionGap(int type, boolean unsigned, boolean old, String reason) {

    boolean covers(int otherType, boolean withoutSignature, boolean inOldBlock) {
        return type == otherType && (!unsigned || withoutSignature) && (!old || inOldBlock);
    }
}
