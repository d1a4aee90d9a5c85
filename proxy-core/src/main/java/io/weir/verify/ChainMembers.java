package io.weir.verify;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Members that nodes of known chains add to Ethereum's, by chain id. No hash covers them. Stateless. */
final class ChainMembers {

    private static final Set<String> OP_STACK = Set.of(
            "daFootprintGasScalar",
            "depositNonce",
            "depositReceiptVersion",
            "isSystemTx",
            "l1BaseFeeScalar",
            "l1BlobBaseFee",
            "l1BlobBaseFeeScalar",
            "l1Fee",
            "l1FeeScalar",
            "l1GasPrice",
            "l1GasUsed",
            "mint",
            "operatorFeeConstant",
            "operatorFeeScalar",
            "sourceHash");

    private static final Set<String> CELO = Set.of("baseFee", "ethCompatible", "feeCurrency", "maxFeeInFeeCurrency");

    private static final Set<String> ARBITRUM = Set.of(
            "beneficiary",
            "depositValue",
            "gasUsedForL1",
            "l1BaseFee",
            "l1BlockNumber",
            "maxRefund",
            "maxSubmissionFee",
            "multiGasUsed",
            "refundTo",
            "requestId",
            "retryData",
            "retryTo",
            "retryValue",
            "sendCount",
            "sendRoot",
            "submissionFeeRefund",
            "ticketId",
            "timeboosted");

    private static final Set<String> SCROLL = Set.of("l1Fee", "queueIndex", "sender");

    private static final Set<String> BSC = Set.of("milliTimestamp");

    private static final Set<String> AURA = Set.of("author", "sealFields", "signature", "step");

    private static final Map<String, Set<String>> BY_CHAIN = byChain();

    private ChainMembers() {}

    /** Returns the names that nodes of a chain add; none if the chain is not known. */
    static Set<String> of(String chainId) {
        return BY_CHAIN.getOrDefault(chainId, Set.of());
    }

    private static Map<String, Set<String>> byChain() {
        Map<String, Set<String>> chains = new HashMap<>();
        // OP Mainnet, Base, Unichain, World Chain, Mode, Ink, Soneium, Zora, Blast, Mantle, OP Sepolia, Base Sepolia.
        List.of("10", "8453", "130", "480", "34443", "57073", "1868", "7777777", "81457", "5000", "11155420", "84532")
                .forEach(id -> chains.put(id, OP_STACK));
        // Celo and Celo Sepolia.
        Set<String> celo = new HashSet<>(OP_STACK);
        celo.addAll(CELO);
        List.of("42220", "11142220").forEach(id -> chains.put(id, Set.copyOf(celo)));
        // Arbitrum One, Nova and Sepolia.
        List.of("42161", "42170", "421614").forEach(id -> chains.put(id, ARBITRUM));
        // Scroll and Scroll Sepolia.
        List.of("534352", "534351").forEach(id -> chains.put(id, SCROLL));
        // BNB Smart Chain and Chapel.
        List.of("56", "97").forEach(id -> chains.put(id, BSC));
        // Gnosis, whose blocks from before its merge have the seals of AuRa.
        chains.put("100", AURA);
        return Map.copyOf(chains);
    }
}
