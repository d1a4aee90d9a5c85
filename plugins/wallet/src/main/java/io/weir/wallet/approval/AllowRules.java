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
 * The actions that a tenant may take without a person. An account that calls itself can give itself away, and a message can be an
 * order to transfer: both are never meant by {@code *}. Immutable.
 *
 * @param contracts that may be called; null for all but the account itself
 * @param functions that may be called; null for all
 * @param maxFeeFri the most that one request may cost
 * @param maxFeePerDayFri the most that all requests of a day may cost
 * @param messages whether messages are signed
 * @param networks on which it may be done, by their names; null for all
 * @param amounts of tokens, by their addresses; transfers of other tokens have no bound of their own
 */
record AllowRules(
        @Nullable Set<Felt> contracts,
        @Nullable Set<String> functions,
        BigInteger maxFeeFri,
        BigInteger maxFeePerDayFri,
        boolean messages,
        @Nullable Set<String> networks,
        Map<Felt, AmountRule> amounts) {

    AllowRules {
        amounts = Map.copyOf(amounts);
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

    /** Whether a request is within the rules; what was spent before is for {@link FeeDays} to say. */
    boolean permit(ApprovalRequest request) {
        if (networks != null && !networks.contains(request.network())) {
            return false;
        }
        BigInteger fee = request.maxFeeFri();
        if (request.typedData() != null) {
            return messages && fee == null && request.calls().isEmpty();
        }
        return fee != null
                && fee.signum() >= 0
                && fee.compareTo(maxFeeFri) <= 0
                && !request.calls().isEmpty()
                && request.calls().stream().allMatch(call -> permit(call, request.account()))
                && amounts.entrySet().stream().allMatch(rule -> permitSum(rule.getKey(), rule.getValue(), request));
    }

    /** The bound of a call holds for all calls of a request: otherwise one request could exceed it by several calls. */
    private static boolean permitSum(Felt token, AmountRule rule, ApprovalRequest request) {
        return request.calls().stream()
                        .filter(call -> call.contract().equals(token))
                        .map(AmountRule::amount)
                        .reduce(BigInteger.ZERO, BigInteger::add)
                        .compareTo(rule.perCall())
                <= 0;
    }

    private boolean permit(RequestedCall call, Felt account) {
        if (functions != null && !functions.contains(call.function())) {
            return false;
        }
        boolean own = call.contract().equals(account);
        if (own && call.function().equals(ApprovalRequest.CONSTRUCTOR)) {
            // Its address is known to nobody beforehand, and it is made with the tenant's own key.
            return true;
        }
        AmountRule amount = amounts.get(call.contract());
        return (contracts == null ? !own : contracts.contains(call.contract()))
                && (amount == null || amount.permits(call));
    }

    /** What a request adds to the sums of its tenant's day: its fee, and what it transfers of the tokens with a rule. */
    List<FeeDays.Charge> charges(ApprovalRequest request) {
        List<FeeDays.Charge> charges = new ArrayList<>();
        if (request.maxFeeFri() != null) {
            charges.add(new FeeDays.Charge(request.tenant(), request.maxFeeFri(), maxFeePerDayFri));
        }
        for (RequestedCall call : request.calls()) {
            AmountRule amount = amounts.get(call.contract());
            if (amount != null && AmountRule.isTransfer(call)) {
                String name = call.contract().toHex() + " of " + request.tenant() + " on " + request.network();
                charges.add(new FeeDays.Charge(name, AmountRule.amount(call), amount.perDay()));
            }
        }
        return charges;
    }
}
