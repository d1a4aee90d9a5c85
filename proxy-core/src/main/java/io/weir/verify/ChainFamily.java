package io.weir.verify;

import static io.weir.verify.ChainFamily.Deviation.AURA_SEALS;
import static io.weir.verify.ChainFamily.Deviation.HEADERS_UNTESTED;
import static io.weir.verify.ChainFamily.Deviation.NITRO_HEADERS;
import static io.weir.verify.ChainFamily.Deviation.NO_BLOCK_HASHES;
import static io.weir.verify.ChainFamily.Deviation.NO_HASHES;
import static io.weir.verify.ChainFamily.Deviation.NO_WITHDRAWALS;
import static io.weir.verify.ChainFamily.Deviation.OTHER_BLOB_GAS;
import static io.weir.verify.ChainFamily.Deviation.OTHER_PRICES;
import static io.weir.verify.ChainFamily.Deviation.OTHER_WITHDRAWALS_ROOT;
import static io.weir.verify.ChainFamily.Deviation.RECEIPTS_UNTESTED;
import static io.weir.verify.ChainFamily.Deviation.STATE_SYNC;
import static io.weir.verify.ChainFamily.Deviation.TRANSACTIONS_UNTESTED;

import io.weir.config.NetworkConfig.Family;
import io.weir.verify.TransactionLayout.LayoutField;
import io.weir.verify.TransactionLayout.LayoutField.Kind;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Family of chains with the same rules of hashing. A type of transaction means different things in different families. Immutable.
 */
@SuppressWarnings("ImmutableEnumChecker") // Nothing changes the facts and the members after the constructor.
public enum ChainFamily {
    /** Ethereum, and the chains that hash as it does. */
    ETHEREUM(FamilyFacts.ETHEREUM, Set.of(), ""),
    /** The OP stack: OP Mainnet, Base and others. */
    OP(
            FamilyFacts.ETHEREUM
                    .with(NO_WITHDRAWALS, OTHER_WITHDRAWALS_ROOT, OTHER_BLOB_GAS)
                    .with(OwnTypes.OP)
                    .without(new TransactionGap(0, true, true, "an unsigned transaction from before Bedrock"))
                    .passing(AddedMembers.OP),
            // OP Mainnet, Base, Unichain, World Chain, Mode, Ink, Soneium, Zora, Blast, OP Sepolia, Base Sepolia.
            Set.of("10", "8453", "130", "480", "34443", "57073", "1868", "7777777", "81457", "11155420", "84532"),
            "unsigned transactions from before Bedrock, and their blocks"),
    /** Arbitrum Nitro: One, Nova and chains of Orbit. */
    ARBITRUM(
            FamilyFacts.ETHEREUM
                    .with(NITRO_HEADERS, NO_WITHDRAWALS, OTHER_PRICES)
                    .with(OwnTypes.ARBITRUM)
                    .without(new TransactionGap(
                            0x78, false, true, "a transaction from before Nitro, whose hash is stored"))
                    .passing(AddedMembers.ARBITRUM)
                    .binding("l1BlockNumber", "sendCount", "sendRoot"),
            // Arbitrum One, Nova and Sepolia.
            Set.of("42161", "42170", "421614"),
            "transactions from before Nitro, and their blocks"),
    /** Polygon PoS. */
    POLYGON(
            FamilyFacts.ETHEREUM
                    .with(NO_WITHDRAWALS, STATE_SYNC)
                    .without(new TransactionGap(0x7f, false, false, "the transaction of a state sync (PIP-74)")),
            // Polygon PoS and Amoy.
            Set.of("137", "80002"),
            "receipts of blocks with a state sync, and since PIP-74 the transactions of such blocks"),
    /** BNB Smart Chain. */
    BSC(
            FamilyFacts.ETHEREUM
                    .with(NO_WITHDRAWALS, HEADERS_UNTESTED, RECEIPTS_UNTESTED)
                    .passing(AddedMembers.BSC),
            // BNB Smart Chain and Chapel.
            Set.of("56", "97"),
            ""),
    /** Gnosis Chain, with AuRa's seals in blocks from before its merge. */
    GNOSIS(
            FamilyFacts.ETHEREUM
                    .with(AURA_SEALS, HEADERS_UNTESTED, TRANSACTIONS_UNTESTED, RECEIPTS_UNTESTED)
                    .passing(AddedMembers.GNOSIS)
                    .binding("signature", "step"),
            // Gnosis and Chiado.
            Set.of("100", "10200"),
            ""),
    /** Scroll. */
    SCROLL(
            FamilyFacts.ETHEREUM
                    .with(NO_WITHDRAWALS, RECEIPTS_UNTESTED)
                    .with(OwnTypes.SCROLL)
                    .passing(AddedMembers.SCROLL),
            // Scroll and Scroll Sepolia.
            Set.of("534352", "534351"),
            ""),
    /** Celo as a chain of the OP stack. */
    CELO(
            FamilyFacts.ETHEREUM
                    .with(NO_WITHDRAWALS, OTHER_WITHDRAWALS_ROOT, OTHER_BLOB_GAS, OTHER_PRICES)
                    .with(HEADERS_UNTESTED, TRANSACTIONS_UNTESTED, RECEIPTS_UNTESTED)
                    .with(OwnTypes.CELO)
                    .passing(AddedMembers.OP.and(AddedMembers.CELO)),
            // Celo and Celo Sepolia.
            Set.of("42220", "11142220"),
            ""),
    /** ZKsync Era and its chains. */
    ZKSYNC(
            FamilyFacts.ETHEREUM
                    .with(NO_BLOCK_HASHES, TRANSACTIONS_UNTESTED)
                    .without(
                            new TransactionGap(0x71, false, false, "a transaction with an EIP-712 signature"),
                            new TransactionGap(0xfe, false, false, "an upgrade transaction"),
                            new TransactionGap(0xff, false, false, "a priority transaction"))
                    .passing(AddedMembers.ZKSYNC),
            // ZKsync Era, its Sepolia, and Abstract.
            Set.of("324", "300", "2741"),
            "blocks, receipts, logs, and transactions of the types 0x71, 0xfe and 0xff"),
    /** Chains whose hashes follow none of these rules. */
    NONE(FamilyFacts.ETHEREUM.with(NO_HASHES, NO_BLOCK_HASHES), Set.of(), "all answers");

    /** Ids of geth, besu, erigon and ganache; of anvil and hardhat; and of the development nodes of nitro, zksync and moonbeam. */
    private static final Set<String> OF_DEVELOPERS = Set.of("1337", "31337", "412346", "260", "1281");

    private final FamilyFacts facts;
    private final Set<String> chains;
    private final Set<String> members;
    private final String unprovable;

    /** @param chains the ids of known chains, in decimal; they select names of members only, never rules */
    ChainFamily(FamilyFacts facts, Set<String> chains, String unprovable) {
        this.facts = facts;
        this.chains = chains;
        this.members = facts.members();
        this.unprovable = unprovable;
    }

    /** Returns the family that a network's settings name. */
    public static ChainFamily of(Family family) {
        return valueOf(family.name());
    }

    /**
     * Returns the family of a chain that the proxy knows by its id; Ethereum for any other.
     *
     * @param chainId in decimal
     */
    public static ChainFamily ofKnown(String chainId) {
        for (ChainFamily family : values()) {
            if (family.chains.contains(chainId)) {
                return family;
            }
        }
        return ETHEREUM;
    }

    /**
     * Returns whether a chain's id is one that developers' nodes use.
     *
     * @param chainId in decimal if it is a number
     */
    public static boolean isOfDevelopers(String chainId) {
        return OF_DEVELOPERS.contains(chainId);
    }

    /** Returns whether the family differs from Ethereum in a fact. */
    public boolean has(Deviation deviation) {
        return facts.deviations().contains(deviation);
    }

    /** Returns the layout of a type that Ethereum does not have; null if the family has no such type. */
    public @Nullable TransactionLayout layout(int type) {
        for (TransactionLayout layout : facts.layouts()) {
            if (layout.type() == type) {
                return layout;
            }
        }
        return null;
    }

    /**
     * Returns why no rule covers a transaction; null if a rule does, or if the family has no such transaction.
     *
     * @param unsigned whether it has no signature
     * @param old whether its block has no base fee, or is not known
     */
    public @Nullable String gap(int type, boolean unsigned, boolean old) {
        for (TransactionGap gap : facts.gaps()) {
            if (gap.covers(type, unsigned, old)) {
                return gap.reason();
            }
        }
        return null;
    }

    /** Returns the names of all members that nodes of the family add to Ethereum's, covered or not. */
    public Set<String> members() {
        return members;
    }

    public UncoveredMembers uncovered() {
        return facts.uncovered();
    }

    /** Returns in words the data that no rule covers; empty if every answer has a rule. */
    public String unprovable() {
        return unprovable;
    }

    /**
     * Facts about one family. Immutable.
     *
     * @param layouts the types of transactions that Ethereum does not have
     * @param gaps the transactions without a rule
     * @param uncovered the members that nothing covers
     * @param bound members that nodes add to blocks, and that the header covers
     */
    private record FamilyFacts(
            Set<Deviation> deviations,
            List<TransactionLayout> layouts,
            List<TransactionGap> gaps,
            UncoveredMembers uncovered,
            Set<String> bound) {

        /** The facts of Ethereum. */
        static final FamilyFacts ETHEREUM =
                new FamilyFacts(Set.of(), List.of(), List.of(), UncoveredMembers.NONE, Set.of());

        FamilyFacts {
            deviations = Set.copyOf(deviations);
            layouts = List.copyOf(layouts);
            gaps = List.copyOf(gaps);
            bound = Set.copyOf(bound);
        }

        FamilyFacts with(Deviation... more) {
            Set<Deviation> all = EnumSet.noneOf(Deviation.class);
            all.addAll(deviations);
            all.addAll(List.of(more));
            return new FamilyFacts(all, layouts, gaps, uncovered, bound);
        }

        FamilyFacts with(List<TransactionLayout> ownTypes) {
            return new FamilyFacts(deviations, ownTypes, gaps, uncovered, bound);
        }

        FamilyFacts without(TransactionGap... withoutRule) {
            return new FamilyFacts(deviations, layouts, List.of(withoutRule), uncovered, bound);
        }

        FamilyFacts passing(UncoveredMembers members) {
            return new FamilyFacts(deviations, layouts, gaps, members, bound);
        }

        FamilyFacts binding(String... members) {
            return new FamilyFacts(deviations, layouts, gaps, uncovered, Set.of(members));
        }

        /** Returns the names of all members that nodes of the family add. */
        Set<String> members() {
            Set<String> names = new HashSet<>(bound);
            names.addAll(uncovered.block());
            names.addAll(uncovered.transaction());
            names.addAll(uncovered.receipt());
            for (TransactionLayout layout : layouts) {
                layout.fields().forEach(field -> names.add(field.name()));
                names.addAll(layout.receiptItems());
            }
            return Set.copyOf(names);
        }
    }

    /** Types of transactions that single families have besides Ethereum's: the members that show their fields, in order. Stateless. */
    private static final class OwnTypes {

        private static final Map<Kind, String> MEMBERS = Map.of(
                Kind.HASH, "requestId sourceHash ticketId",
                Kind.ADDRESS, "beneficiary from refundTo sender",
                Kind.OPTIONAL_ADDRESS, "feeCurrency gatewayFeeRecipient retryTo to",
                Kind.QUANTITY,
                        "chainId depositValue l1BaseFee maxFeeInFeeCurrency maxFeePerGas maxPriorityFeePerGas maxRefund"
                                + " maxSubmissionFee retryValue submissionFeeRefund value",
                Kind.OPTIONAL_QUANTITY, "gatewayFee mint",
                Kind.UNSIGNED, "gas nonce queueIndex",
                Kind.FLAG, "isSystemTx",
                Kind.BYTES, "input retryData",
                Kind.ACCESS_LIST, "accessList");

        /** The deposit of the OP stack. Its receipt has a nonce since Regolith, which is hashed since Canyon. */
        static final List<TransactionLayout> OP =
                List.of(unsigned(0x7e, "from", "sourceHash from to mint value gas isSystemTx input")
                        .withTestedReceipts()
                        .withReceiptItems("depositNonce", "depositReceiptVersion"));

        /** Nodes that leave out the maximum fee show it as the price; in blocks they show the base fee there. */
        static final List<TransactionLayout> ARBITRUM = List.of(
                unsigned(0x64, "from", "chainId requestId from to! value").onlyRead(),
                unsigned(0x65, "from", "chainId from nonce maxFeePerGas|gasPrice gas to value input")
                        .onlyRead(),
                unsigned(0x66, "from", "chainId requestId from maxFeePerGas|gasPrice gas to value input")
                        .onlyRead(),
                unsigned(
                        0x68,
                        "from",
                        "chainId nonce from maxFeePerGas|gasPrice gas to value input ticketId refundTo maxRefund"
                                + " submissionFeeRefund"),
                unsigned(
                        0x69,
                        "from",
                        "chainId requestId from l1BaseFee depositValue maxFeePerGas|gasPrice gas retryTo retryValue"
                                + " beneficiary maxSubmissionFee refundTo retryData"),
                unsigned(0x6a, null, "chainId input").withTestedReceipts());

        static final List<TransactionLayout> SCROLL =
                List.of(unsigned(0x7e, "sender", "queueIndex gas to value input sender"));

        static final List<TransactionLayout> CELO = List.of(
                OP.get(0),
                celo(0x7b, "to value input accessList feeCurrency").withReceiptItems("baseFee"),
                celo(0x7a, "to value input accessList feeCurrency maxFeeInFeeCurrency")
                        .onlyRead(),
                celo(0x7c, "feeCurrency gatewayFeeRecipient gatewayFee to value input accessList")
                        .onlyRead());

        private OwnTypes() {}

        private static TransactionLayout unsigned(int type, @Nullable String sender, String fields) {
            return TransactionLayout.unsigned(type, sender, fields(fields));
        }

        private static TransactionLayout celo(int type, String rest) {
            String first = "chainId nonce maxPriorityFeePerGas maxFeePerGas gas ";
            return TransactionLayout.signed(type, fields(first + rest));
        }

        private static List<LayoutField> fields(String names) {
            return Stream.of(names.split(" ")).map(OwnTypes::field).toList();
        }

        /** Returns the field of a member. Behind a bar stands another one to read. Before an exclamation mark, an address is required. */
        private static LayoutField field(String text) {
            String[] names = text.split("[|!]", 2);
            Kind kind = MEMBERS.entrySet().stream()
                    .filter(members -> List.of(members.getValue().split(" ")).contains(names[0]))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            boolean required = text.endsWith("!");
            return new LayoutField(names[0], text.contains("|") ? names[1] : null, required ? Kind.ADDRESS : kind);
        }
    }

    /** Members that nodes of single families add, and that no root covers. Stateless. */
    private static final class AddedMembers {

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

    /**
     * Transactions of a family for which no rule exists. Immutable.
     *
     * @param type their type
     * @param unsigned whether only those without a signature are meant
     * @param old whether only those in blocks without a base fee are meant, or in no known block
     * @param reason the reason, for logs
     */
    private record TransactionGap(int type, boolean unsigned, boolean old, String reason) {

        boolean covers(int otherType, boolean withoutSignature, boolean inOldBlock) {
            return type == otherType && (!unsigned || withoutSignature) && (!old || inOldBlock);
        }
    }

    /**
     * Members that no root and no comparison covers in a family, by the object that holds them. They pass as sent. Immutable.
     *
     * @param transaction of Ethereum's types; of a family's own types, only the fields of the encoding are covered
     */
    public record UncoveredMembers(Set<String> block, Set<String> transaction, Set<String> receipt) {

        static final UncoveredMembers NONE = new UncoveredMembers(Set.of(), Set.of(), Set.of());

        public UncoveredMembers {
            block = Set.copyOf(block);
            transaction = Set.copyOf(transaction);
            receipt = Set.copyOf(receipt);
        }

        UncoveredMembers and(UncoveredMembers more) {
            return new UncoveredMembers(
                    union(block, more.block), union(transaction, more.transaction), union(receipt, more.receipt));
        }

        private static Set<String> union(Collection<String> one, Collection<String> other) {
            Set<String> all = new TreeSet<>(one);
            all.addAll(other);
            return all;
        }
    }

    /** Fact in which a family's hashes or members differ from Ethereum's. */
    public enum Deviation {
        /** No hash covers anything that the proxy knows. */
        NO_HASHES,
        /** No hash covers a block or its receipts; transactions have hashes. */
        NO_BLOCK_HASHES,
        /** Old headers end in AuRa's step and signature, in place of {@code mixHash} and {@code nonce}. */
        AURA_SEALS,
        /** {@code extraData} and {@code mixHash} repeat {@code sendRoot}, {@code sendCount} and {@code l1BlockNumber}. */
        NITRO_HEADERS,
        /** Blocks have no withdrawals, and nodes may leave out the list. */
        NO_WITHDRAWALS,
        /** {@code withdrawalsRoot} is the root of something else. */
        OTHER_WITHDRAWALS_ROOT,
        /** The price that was paid does not follow from the transaction and the base fee. */
        OTHER_PRICES,
        /** {@code blobGasUsed} of a receipt does not follow from the transaction's blobs. */
        OTHER_BLOB_GAS,
        /** A block may list the transaction of a state sync at its end, which is in no root. */
        STATE_SYNC,
        /** The header's rule was only read. */
        HEADERS_UNTESTED,
        /** The rule of Ethereum's types of transactions was only read. */
        TRANSACTIONS_UNTESTED,
        /** The receipts' rule was only read. */
        RECEIPTS_UNTESTED
    }
}
