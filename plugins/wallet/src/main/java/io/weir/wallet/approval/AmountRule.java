package io.weir.wallet.approval;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import io.weir.api.setting.SettingValue;
import io.weir.l2.Felt;
import io.weir.l2.Uint256;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.chain.FeltPattern;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of one token that a tenant may transfer without a person. Immutable.
 *
 * @param perCall the most of one request, over all its calls; null for no bound
 * @param perDay the most of all requests of a day; null for no bound
 * @param recipients that may get it; null for all
 */
record AmountRule(
        @About("Decimal places of the unit of the two amounts.") @Setting(value = "0", range = "0 to 36")
        int decimals,

        @About("The most of one request, all its calls together, in quotes.")
        @Setting(pattern = AMOUNT, rule = AMOUNT_RULE)
        @Nullable
        String perCall,

        @About("The most of all requests of a day (UTC), in quotes.")
        @Setting(pattern = AMOUNT, rule = AMOUNT_RULE)
        @Nullable
        String perDay,

        @About("Addresses that may get the token; all without it.")
        @Setting(pattern = FeltPattern.ADDRESS, rule = FeltPattern.ADDRESS_RULE)
        @Nullable
        Set<String> recipients)
        implements Checked {

    static final String AMOUNT = "[0-9]{1,40}(\\.[0-9]{1,36})?";
    private static final String AMOUNT_RULE = "a number, in quotes, at most 40 digits";
    private static final String TRANSFER = "transfer";

    @Override
    public void check(Block block) {
        check(block.look("per-call"), perCall);
        check(block.look("per-day"), perDay);
    }

    private void check(SettingValue setting, @Nullable String amount) {
        if (amount != null && new BigDecimal(amount).stripTrailingZeros().scale() > decimals) {
            setting.wrong("a number with up to " + decimals + " decimal places");
        }
    }

    /** Reports each absent bound. */
    static void requireAll(Block block) {
        block.look("per-call").require(AMOUNT_RULE);
        block.look("per-day").require(AMOUNT_RULE);
    }

    /** Returns the most of one request in the smallest unit; null for no bound. */
    @Nullable
    BigInteger mostPerCall() {
        return smallest(perCall);
    }

    /** Returns the most of a day in the smallest unit; null for no bound. */
    @Nullable
    BigInteger mostPerDay() {
        return smallest(perDay);
    }

    private @Nullable BigInteger smallest(@Nullable String amount) {
        return amount == null
                ? null
                : new BigDecimal(amount).movePointRight(decimals).toBigIntegerExact();
    }

    /** Whether a call of the token transfers an amount within the rule: any other function could move more. */
    boolean permits(RequestedCall call) {
        BigInteger most = mostPerCall();
        return isTransfer(call)
                && (most == null || amount(call).compareTo(most) <= 0)
                && (recipients == null
                        || recipients.stream()
                                .map(Felt::parseHex)
                                .anyMatch(call.calldata().get(0)::equals));
    }

    /** Whether a call of a token transfers an amount that it names. */
    static boolean isTransfer(RequestedCall call) {
        List<Felt> calldata = call.calldata();
        return call.function().equals(TRANSFER)
                && calldata.size() == 3
                && Uint256.of(calldata.get(1), calldata.get(2)).isPresent();
    }

    /** The amount of a transfer. */
    static BigInteger amount(RequestedCall call) {
        return Uint256.of(call.calldata().get(1), call.calldata().get(2)).orElseThrow();
    }
}
