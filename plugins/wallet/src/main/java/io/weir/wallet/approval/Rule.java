package io.weir.wallet.approval;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalRequest.RequestedCall;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a tenant, and how many persons approve them. An account that calls itself can give itself away, and a message can be
 * an order to transfer: both are never meant by {@code *}. Immutable.
 *
 * @param title its name among the rules of the tenant; null if it is the only one
 * @param approvals the number of persons; 0 if the rule itself approves
 * @param calls that it covers
 * @param maxFeeFri the most that one request may cost; null for any cost
 * @param maxFeePerDayFri the most that all requests of a day may cost; null for no bound
 * @param messages whether it covers messages
 * @param networks that it covers, by their names; null for all
 */
record Rule(
        @Nullable String title,
        int approvals,
        Calls calls,
        @Nullable BigInteger maxFeeFri,
        @Nullable BigInteger maxFeePerDayFri,
        boolean messages,
        @Nullable Set<String> networks) {

    /**
     * Calls of contracts. Immutable.
     *
     * @param contracts that may be called; null for all
     * @param ownAccount whether all contracts include the account itself
     * @param functions that may be called; null for all
     * @param amounts of tokens, by their addresses; transfers of other tokens have no bound of their own
     */
    record Calls(
            @Nullable Set<Felt> contracts,
            boolean ownAccount,
            @Nullable Set<String> functions,
            Map<Felt, AmountRule> amounts) {

        Calls {
            amounts = Map.copyOf(amounts);
        }

        private boolean cover(RequestedCall call, Felt account) {
            if (functions != null && !functions.contains(call.function())) {
                return false;
            }
            boolean own = call.contract().equals(account);
            if (own && call.function().equals(ApprovalRequest.CONSTRUCTOR)) {
                // Its address is known to nobody beforehand, and it is made with the tenant's own key.
                return true;
            }
            AmountRule amount = amounts.get(call.contract());
            return (contracts == null ? ownAccount || !own : contracts.contains(call.contract()))
                    && (amount == null || amount.permits(call));
        }

        /** The bound of a call holds for all calls of a request: otherwise one request could exceed it by several calls. */
        private boolean bound(ApprovalRequest request) {
            return amounts.entrySet().stream().allMatch(amount -> {
                BigInteger most = amount.getValue().perCall();
                return most == null
                        || request.calls().stream()
                                        .filter(call -> call.contract().equals(amount.getKey()))
                                        .map(AmountRule::amount)
                                        .reduce(BigInteger.ZERO, BigInteger::add)
                                        .compareTo(most)
                                <= 0;
            });
        }
    }

    /** Returns the networks that it names and that are not among these, in order. */
    List<String> unknownNetworks(Set<String> known) {
        return networks == null
                ? List.of()
                : networks.stream()
                        .filter(name -> !known.contains(name))
                        .sorted()
                        .toList();
    }

    /** Whether it covers the whole request; what was spent before is for {@link FeeDays} to say. */
    boolean matches(ApprovalRequest request) {
        if (networks != null && !networks.contains(request.network())) {
            return false;
        }
        BigInteger fee = request.maxFeeFri();
        if (request.typedData() != null) {
            return messages && fee == null && request.calls().isEmpty();
        }
        return fee != null
                && fee.signum() >= 0
                && (maxFeeFri == null || fee.compareTo(maxFeeFri) <= 0)
                && !request.calls().isEmpty()
                && request.calls().stream().allMatch(call -> calls.cover(call, request.account()))
                && calls.bound(request);
    }

    /** Returns what a request adds to the rule's sums of the day: its fee, and its amounts of tokens with a bound. */
    List<FeeDays.Charge> charges(ApprovalRequest request) {
        String owner = title == null ? request.tenant() : "rule " + title + " of " + request.tenant();
        List<FeeDays.Charge> charges = new ArrayList<>();
        if (request.maxFeeFri() != null && maxFeePerDayFri != null) {
            charges.add(new FeeDays.Charge(owner, request.maxFeeFri(), maxFeePerDayFri));
        }
        for (RequestedCall call : request.calls()) {
            AmountRule amount = calls.amounts().get(call.contract());
            if (amount != null && amount.perDay() != null && AmountRule.isTransfer(call)) {
                String name = call.contract().toHex() + " of " + owner + " on " + request.network();
                charges.add(new FeeDays.Charge(name, AmountRule.amount(call), amount.perDay()));
            }
        }
        return charges;
    }
}
