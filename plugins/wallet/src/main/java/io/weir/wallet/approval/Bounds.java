package io.weir.wallet.approval;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Setting;
import io.weir.l2.Felt;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.chain.FeltPattern;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a {@link Rule} covers. An account that calls itself can give itself away, and a message can be an order to transfer:
 * both are never meant by {@code *}. Immutable.
 *
 * @param contracts that may be called; null for all, the account itself included
 * @param functions that may be called; null for all
 * @param maxFee the most that one request may cost; null, like the other form, for any cost
 * @param messages whether it covers messages; null if it does so unless it names calls
 * @param networks that it covers, by their names; null for all
 * @param amounts of tokens, by their addresses; transfers of other tokens have no bound of their own
 */
record Bounds(
        @About("Contracts that may be called. `*` is all but the account itself, which can change its owner.")
        @Setting(pattern = FeltPattern.ADDRESS + "|\\*", rule = FeltPattern.ADDRESS_RULE + ", or *")
        @Nullable
        Set<String> contracts,

        @About("Functions that may be called. `*` is all, `constructor` is an account's own deployment.")
        @Setting(pattern = "[!-~]+", rule = "the name of a function, or *")
        @Nullable
        Set<String> functions,

        @About("The highest cost of one request, in units of the fee token, in quotes.")
        @Setting(pattern = FEE, rule = FEE_RULE)
        @Nullable
        String maxFee,

        @About("The same in the fee token's smallest unit. One of the two is required with `allow`.")
        @Setting(pattern = FRI, rule = FRI_RULE)
        @Nullable
        String maxFeeFri,

        @About(
                "The highest cost of all requests that the policy approves in a day (UTC), sent or not. It survives restarts. "
                        + "*Cancel* and *Raise* count too, though a person decides on them.")
        @Setting(pattern = FEE, rule = FEE_RULE)
        @Nullable
        String maxFeePerDay,

        @About("The same in the fee token's smallest unit. One of the two is required with `allow`.")
        @Setting(pattern = FRI, rule = FRI_RULE)
        @Nullable
        String maxFeePerDayFri,

        @About("Whether messages are signed too. A message can be an order to transfer.") @Setting @Nullable
        Boolean messages,

        @About("Names of the networks on which the policy approves; all without it.")
        @Setting(pattern = "[!-~]+", rule = "the name of a network")
        @Nullable
        Set<String> networks,

        @About("Bounds of transfers, by the address of the token. Any other function of the token goes to a person. "
                + "Tokens without an entry have no bound of their own.")
        @Setting(value = "{}", pattern = FeltPattern.ADDRESS, rule = FeltPattern.ADDRESS_RULE)
        Map<String, AmountRule> amounts) {

    /** All settings. */
    static final List<String> NAMES = List.of(
            "amounts",
            "contracts",
            "functions",
            "max-fee",
            "max-fee-fri",
            "max-fee-per-day",
            "max-fee-per-day-fri",
            "messages",
            "networks");

    private static final String ALL = "*";
    static final String FEE = "[0-9]{1,40}(\\.[0-9]{1,18}0{0,22})?";
    static final String FEE_RULE = "a number with up to 18 decimal places, in quotes, at most 40 digits";
    static final String FRI = "[0-9]{1,40}";
    private static final String FRI_RULE = "a whole number of the token's smallest unit, in quotes, at most 40 digits";
    private static final String LIST_RULE = "a list [ … ], [\"*\"] for all";

    /** Of the token in which fees are paid: 10^18 fri are one. */
    private static final int FEE_DECIMALS = 18;

    /** Reports each bound that is left open: without a person, none may be. */
    void requireAll(Block block) {
        block.look("contracts").require(LIST_RULE);
        block.look("functions").require(LIST_RULE);
        for (String name : List.of("max-fee", "max-fee-per-day")) {
            if (block.look(name).isNull()) {
                block.look(name + "-fri").require(FRI_RULE + "; or " + name);
            }
        }
        amounts.keySet()
                .forEach(
                        token -> AmountRule.requireAll(block.lookInto("amounts").lookInto(token)));
    }

    /** Reports what is written twice. */
    void check(Block block) {
        for (String name : List.of("max-fee", "max-fee-per-day")) {
            if (!block.look(name).isNull() && !block.look(name + "-fri").isNull()) {
                block.look(name).wrong("nothing beside " + name + "-fri");
            }
        }
        FeltPattern.checkAddresses(block.lookInto("amounts"), amounts.keySet());
    }

    private static @Nullable BigInteger fri(@Nullable String fee, @Nullable String fri) {
        if (fee != null) {
            return new BigDecimal(fee).movePointRight(FEE_DECIMALS).toBigIntegerExact();
        }
        return fri == null ? null : new BigInteger(fri);
    }

    /** Returns the most that all requests of a day may cost, in the smallest unit; null for no bound. */
    @Nullable
    BigInteger feePerDay() {
        return fri(maxFeePerDay, maxFeePerDayFri);
    }

    /** Returns the rule for amounts of a token; null if it has none. */
    @Nullable
    AmountRule amount(Felt token) {
        return amounts.entrySet().stream()
                .filter(entry -> Felt.parseHex(entry.getKey()).equals(token))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
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

    /** Returns what it does not cover of a request, in a few words; null if it covers all. The sums of the day say what was spent before. */
    @Nullable
    String uncovered(Content content) {
        if (networks != null && !networks.contains(content.network())) {
            return "the network " + content.network();
        }
        BigInteger fee = content.maxFeeFri();
        if (content.typedData() != null) {
            boolean meant = messages == null ? namesNoCalls() : messages;
            return meant && fee == null ? null : "messages";
        }
        BigInteger most = fri(maxFee, maxFeeFri);
        if (fee == null || fee.signum() < 0 || (most != null && fee.compareTo(most) > 0)) {
            return "a fee as high as this";
        }
        if (content.calls().isEmpty()) {
            return "requests without calls";
        }
        for (int index = 0; index < content.calls().size(); index++) {
            RequestedCall call = content.calls().get(index);
            if (!covers(call, content.account())) {
                return "call " + (index + 1) + ", " + call.function();
            }
        }
        return boundsAmounts(content) ? null : "an amount as high as this";
    }

    private boolean namesNoCalls() {
        return amounts.isEmpty()
                && Stream.of(contracts, functions, maxFee, maxFeeFri, maxFeePerDay, maxFeePerDayFri)
                        .allMatch(Objects::isNull);
    }

    private boolean covers(RequestedCall call, Felt account) {
        if (functions != null && !functions.contains(ALL) && !functions.contains(call.function())) {
            return false;
        }
        boolean own = call.contract().equals(account);
        if (own && call.function().equals(Content.CONSTRUCTOR)) {
            // Its address is known to nobody beforehand, and it is made with the tenant's own key.
            return true;
        }
        AmountRule amount = amount(call.contract());
        return isNamed(call.contract(), own) && (amount == null || amount.permits(call));
    }

    private boolean isNamed(Felt contract, boolean own) {
        if (contracts == null) {
            return true;
        }
        return contracts.contains(ALL)
                ? !own
                : contracts.stream().map(Felt::parseHex).anyMatch(contract::equals);
    }

    /** Returns whether the bound of a token holds for all calls of a request together: else a request could exceed it by several calls. */
    private boolean boundsAmounts(Content content) {
        return content.calls().stream().map(RequestedCall::contract).distinct().allMatch(token -> {
            AmountRule amount = amount(token);
            BigInteger most = amount == null ? null : amount.mostPerCall();
            return most == null
                    || content.calls().stream()
                                    .filter(call -> call.contract().equals(token))
                                    .map(AmountRule::amount)
                                    .reduce(BigInteger.ZERO, BigInteger::add)
                                    .compareTo(most)
                            <= 0;
        });
    }
}
