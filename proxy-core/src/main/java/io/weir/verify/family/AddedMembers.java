package io.weir.verify.family;

import java.util.Set;

/** Members that nodes of single families add, and that no root covers. Stateless. */
final class AddedMembers {

    static final UncoveredMembers OP = new UncoveredMembers(
            Set.of(),
            Set.of("depositReceiptVersion"),
            Set.of(
                    "blobGasUsed",
                    "daFootprintGasScalar",
                    "l1BaseFeeScalar",
                    "l1BlobBaseFee",
                    "l1BlobBaseFeeScalar",
                    "l1Fee",
                    "l1FeeScalar",
                    "l1GasPrice",
                    "l1GasUsed",
                    "operatorFeeConstant",
                    "operatorFeeScalar"));

    static final UncoveredMembers ARBITRUM = new UncoveredMembers(
            Set.of(),
            Set.of("gasPrice"),
            Set.of("effectiveGasPrice", "gasUsedForL1", "l1BlockNumber", "multiGasUsed", "timeboosted"));

    static final UncoveredMembers SCROLL = new UncoveredMembers(Set.of(), Set.of(), Set.of("l1Fee"));

    static final UncoveredMembers BSC = new UncoveredMembers(Set.of("milliTimestamp"), Set.of(), Set.of());

    static final UncoveredMembers GNOSIS = new UncoveredMembers(Set.of("author", "sealFields"), Set.of(), Set.of());

    static final UncoveredMembers ZKSYNC = new UncoveredMembers(
            Set.of("l1BatchNumber", "l1BatchTimestamp", "sealFields"),
            Set.of("l1BatchNumber", "l1BatchTxIndex"),
            Set.of("l1BatchNumber", "l1BatchTxIndex", "l2ToL1Logs"));

    /** Besides those of the OP stack. Prices may be in another currency. */
    static final UncoveredMembers CELO = new UncoveredMembers(
            Set.of(),
            Set.of("ethCompatible", "feeCurrency", "gasPrice", "gatewayFee", "gatewayFeeRecipient"),
            Set.of("effectiveGasPrice"));

    private AddedMembers() {}
}
