package io.weir.verify;

import io.weir.verify.TransactionLayout.LayoutField;
import io.weir.verify.TransactionLayout.LayoutField.Kind;
import java.util.ArrayList;
import java.util.List;

/** Types of transactions that single families have besides Ethereum's. Stateless. */
final class OwnTypes {

    private static final LayoutField CHAIN_ID = LayoutField.of("chainId", Kind.QUANTITY);
    private static final LayoutField NONCE = LayoutField.of("nonce", Kind.UNSIGNED);
    private static final LayoutField FROM = LayoutField.of("from", Kind.ADDRESS);
    private static final LayoutField TO = LayoutField.of("to", Kind.OPTIONAL_ADDRESS);
    private static final LayoutField GAS = LayoutField.of("gas", Kind.UNSIGNED);
    private static final LayoutField VALUE = LayoutField.of("value", Kind.QUANTITY);
    private static final LayoutField INPUT = LayoutField.of("input", Kind.BYTES);
    private static final LayoutField REQUEST_ID = LayoutField.of("requestId", Kind.HASH);
    private static final LayoutField ACCESS_LIST = LayoutField.of("accessList", Kind.ACCESS_LIST);
    private static final LayoutField TIP = LayoutField.of("maxPriorityFeePerGas", Kind.QUANTITY);
    private static final LayoutField FEE_CAP = LayoutField.of("maxFeePerGas", Kind.QUANTITY);
    private static final LayoutField REFUND_TO = LayoutField.of("refundTo", Kind.ADDRESS);
    private static final LayoutField FEE_CURRENCY = LayoutField.of("feeCurrency", Kind.OPTIONAL_ADDRESS);

    /** Nodes that leave out the maximum show it as the price; in blocks they show the base fee there. */
    private static final LayoutField FEE_CAP_OR_PRICE = new LayoutField("maxFeePerGas", "gasPrice", Kind.QUANTITY);

    /** The deposit of the OP stack. Its receipt has a nonce since Regolith, which is hashed since Canyon. */
    private static final TransactionLayout OP_DEPOSIT = TransactionLayout.unsigned(
                    0x7e,
                    "from",
                    LayoutField.of("sourceHash", Kind.HASH),
                    FROM,
                    TO,
                    LayoutField.of("mint", Kind.OPTIONAL_QUANTITY),
                    VALUE,
                    GAS,
                    LayoutField.of("isSystemTx", Kind.FLAG),
                    INPUT)
            .withTestedReceipts()
            .withReceiptItems("depositNonce", "depositReceiptVersion");

    static final List<TransactionLayout> OP = List.of(OP_DEPOSIT);

    static final List<TransactionLayout> ARBITRUM = List.of(
            TransactionLayout.unsigned(
                            0x64, "from", CHAIN_ID, REQUEST_ID, FROM, LayoutField.of("to", Kind.ADDRESS), VALUE)
                    .onlyRead(),
            TransactionLayout.unsigned(0x65, "from", CHAIN_ID, FROM, NONCE, FEE_CAP_OR_PRICE, GAS, TO, VALUE, INPUT)
                    .onlyRead(),
            TransactionLayout.unsigned(
                            0x66, "from", CHAIN_ID, REQUEST_ID, FROM, FEE_CAP_OR_PRICE, GAS, TO, VALUE, INPUT)
                    .onlyRead(),
            TransactionLayout.unsigned(
                    0x68,
                    "from",
                    CHAIN_ID,
                    NONCE,
                    FROM,
                    FEE_CAP_OR_PRICE,
                    GAS,
                    TO,
                    VALUE,
                    INPUT,
                    LayoutField.of("ticketId", Kind.HASH),
                    REFUND_TO,
                    LayoutField.of("maxRefund", Kind.QUANTITY),
                    LayoutField.of("submissionFeeRefund", Kind.QUANTITY)),
            TransactionLayout.unsigned(
                    0x69,
                    "from",
                    CHAIN_ID,
                    REQUEST_ID,
                    FROM,
                    LayoutField.of("l1BaseFee", Kind.QUANTITY),
                    LayoutField.of("depositValue", Kind.QUANTITY),
                    FEE_CAP_OR_PRICE,
                    GAS,
                    LayoutField.of("retryTo", Kind.OPTIONAL_ADDRESS),
                    LayoutField.of("retryValue", Kind.QUANTITY),
                    LayoutField.of("beneficiary", Kind.ADDRESS),
                    LayoutField.of("maxSubmissionFee", Kind.QUANTITY),
                    REFUND_TO,
                    LayoutField.of("retryData", Kind.BYTES)),
            TransactionLayout.unsigned(0x6a, null, CHAIN_ID, INPUT).withTestedReceipts());

    static final List<TransactionLayout> SCROLL = List.of(TransactionLayout.unsigned(
            0x7e,
            "sender",
            LayoutField.of("queueIndex", Kind.UNSIGNED),
            GAS,
            TO,
            VALUE,
            INPUT,
            LayoutField.of("sender", Kind.ADDRESS)));

    static final List<TransactionLayout> CELO = celo();

    private OwnTypes() {}

    private static List<TransactionLayout> celo() {
        List<TransactionLayout> types = new ArrayList<>(OP);
        types.add(TransactionLayout.signed(
                        0x7b, CHAIN_ID, NONCE, TIP, FEE_CAP, GAS, TO, VALUE, INPUT, ACCESS_LIST, FEE_CURRENCY)
                .withReceiptItems("baseFee"));
        types.add(TransactionLayout.signed(
                        0x7a,
                        CHAIN_ID,
                        NONCE,
                        TIP,
                        FEE_CAP,
                        GAS,
                        TO,
                        VALUE,
                        INPUT,
                        ACCESS_LIST,
                        FEE_CURRENCY,
                        LayoutField.of("maxFeeInFeeCurrency", Kind.QUANTITY))
                .onlyRead());
        types.add(TransactionLayout.signed(
                        0x7c,
                        CHAIN_ID,
                        NONCE,
                        TIP,
                        FEE_CAP,
                        GAS,
                        FEE_CURRENCY,
                        LayoutField.of("gatewayFeeRecipient", Kind.OPTIONAL_ADDRESS),
                        LayoutField.of("gatewayFee", Kind.OPTIONAL_QUANTITY),
                        TO,
                        VALUE,
                        INPUT,
                        ACCESS_LIST)
                .onlyRead());
        return List.copyOf(types);
    }
}
