package io.weir.wallet.page;

import io.weir.wallet.approval.ApprovalRequest;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Fees as a person reads them. Thread-safe. */
final class Fee {

    private static final int DECIMALS = 18;

    private Fee() {}

    /** The most that a request may cost, in whole tokens and in the smallest unit. */
    static String text(ApprovalRequest request) {
        BigInteger fri = request.maxFeeFri();
        return fri == null
                ? "none"
                : new BigDecimal(fri, DECIMALS).toPlainString() + " of the fee token (" + fri + " FRI)";
    }
}
