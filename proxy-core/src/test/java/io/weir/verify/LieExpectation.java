package io.weir.verify;

import io.weir.verify.ChainFamily.Deviation;
import io.weir.verify.Verification.Kind;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * What becomes of a lie about recorded data: {@code PROVEN} if nothing covers the member, {@code WRONG} if something does,
 * {@code UNVERIFIABLE} if the rule that covers it was only read.
 */
record LieExpectation(FamilyVectors vectors, ChainFamily family) {

    private static final Pattern TRANSACTION = Pattern.compile("^\\.transactions\\[(\\d+)](?:\\.(\\w+))?.*");
    private static final Pattern RECEIPT = Pattern.compile("^\\[(\\d+)](?:\\.(\\w+))?.*");
    private static final Pattern MEMBER = Pattern.compile("^\\.(\\w+).*");
    private static final Set<String> POSITION =
            Set.of("blockHash", "blockNumber", "transactionIndex", "blockTimestamp");
    private static final Set<String> NAMED = Set.of("hash", "type");
    private static final Set<String> SIGNED = Set.of("from", "v", "yParity", "r", "s");
    private static final Set<String> LISTS = Set.of("transactions", "uncles", "withdrawals");

    Kind inBlock(Lie lie) {
        Matcher path = TRANSACTION.matcher(lie.path());
        if (path.matches()) {
            String member = path.group(2);
            JsonNode transaction = vectors.transactions().path(Integer.parseInt(path.group(1)));
            return member == null || POSITION.contains(member)
                    ? Kind.WRONG
                    : inTransaction(lie, member, transaction, true);
        }
        if (Lie.UNCOVERED.contains(lie.member()) || family.uncovered().block().contains(lie.member())) {
            return Kind.PROVEN;
        }
        boolean onlyRead =
                family.has(Deviation.HEADERS_UNTESTED) && !vectors.block().has("step");
        Matcher own = MEMBER.matcher(lie.path());
        return onlyRead && own.matches() && !LISTS.contains(own.group(1)) ? Kind.UNVERIFIABLE : Kind.WRONG;
    }

    /** Of a transaction without its block. */
    Kind alone(Lie lie, JsonNode transaction) {
        Matcher path = MEMBER.matcher(lie.path());
        return path.matches() && !POSITION.contains(path.group(1))
                ? inTransaction(lie, path.group(1), transaction, false)
                : Kind.PROVEN;
    }

    private Kind inTransaction(Lie lie, String member, JsonNode transaction, boolean priced) {
        TransactionLayout layout = layout(transaction);
        if (layout != null) {
            return isCovered(member, layout) && !hasOther(lie, layout) ? Kind.WRONG : Kind.PROVEN;
        }
        boolean dynamic = !transaction.path("type").asString("0x0").matches("0x[01]");
        boolean price = member.equals("gasPrice") && dynamic;
        boolean uncovered = !ObjectForm.TRANSACTION.covered().contains(member)
                || (price && (!priced || family.uncovered().transaction().contains(member)));
        if (uncovered) {
            return Kind.PROVEN;
        }
        return family.has(Deviation.TRANSACTIONS_UNTESTED) ? Kind.UNVERIFIABLE : Kind.WRONG;
    }

    private static boolean isCovered(String member, TransactionLayout layout) {
        return layout.has(member)
                || NAMED.contains(member)
                || (layout.signed() && SIGNED.contains(member))
                || (layout.sender() != null && member.equals("from"))
                || (layout.has("retryData") && member.equals("input"));
    }

    /** Returns whether other members say the same as the one that is taken away. */
    private static boolean hasOther(Lie lie, TransactionLayout layout) {
        boolean repeats = lie.member().equals("input") && !layout.has("input");
        return lie.kind() == Lie.Kind.ABSENT
                && (repeats
                        || layout.fields().stream()
                                .anyMatch(field ->
                                        field.other() != null && field.name().equals(lie.member())));
    }

    private TransactionLayout layout(JsonNode transaction) {
        return family.layout(Integer.decode(transaction.path("type").asString("0x0")));
    }

    Kind inReceipts(Lie lie) {
        Matcher path = RECEIPT.matcher(lie.path());
        if (!path.matches() || path.group(2) == null) {
            return Kind.WRONG;
        }
        String member = path.group(2);
        TransactionLayout layout = layout(vectors.transaction(Integer.parseInt(path.group(1))));
        boolean called = layout != null
                && !layout.has("to")
                && Set.of("to", "contractAddress").contains(member);
        boolean ownPrice = layout != null && member.equals("effectiveGasPrice");
        boolean passes = called
                || ownPrice
                || Lie.UNCOVERED.contains(member)
                || family.uncovered().receipt().contains(member);
        return passes ? Kind.PROVEN : Kind.WRONG;
    }
}
