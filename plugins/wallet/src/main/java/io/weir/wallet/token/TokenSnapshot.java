package io.weir.wallet.token;

import io.weir.l2.Felt;
import io.weir.wallet.approval.Content;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts about tokens that were known in time. Immutable.
 *
 * @param feeToken the token in which fees are paid, or null if nothing was asked
 * @param facts by token; a token without an entry is not known
 * @param balances of the account, by token; a token without an entry is not known
 */
public record TokenSnapshot(@Nullable Felt feeToken, Map<Felt, TokenFacts> facts, Map<Felt, BigInteger> balances) {

    /** Nothing is known. */
    public static final TokenSnapshot NONE = new TokenSnapshot(null, Map.of(), Map.of());

    public TokenSnapshot {
        facts = Map.copyOf(facts);
        balances = Map.copyOf(balances);
    }

    /**
     * The balance of one token. Immutable.
     *
     * @param before at the newest block; null if it is not known
     * @param after the lowest that is left if the calls do what they say and cost as much as they may; null if it is not known
     */
    public record Balance(
            Felt token,
            @Nullable BigInteger before,
            @Nullable BigInteger after) {

        /** Whether the account does not have enough. */
        public boolean isShort() {
            return after != null && after.signum() < 0;
        }
    }

    /** Returns the symbol and the decimals of a token, or nothing. */
    public Optional<TokenFacts> of(Felt token) {
        return Optional.ofNullable(facts.get(token));
    }

    /** Returns the calls of a request that move or allow an amount of a token. */
    static Stream<TokenCall> calls(Content request) {
        return request.calls().stream().flatMap(call -> TokenCall.of(call, request.account()).stream());
    }

    /** Returns the balances that a request changes, that of the fee token first. */
    public List<Balance> balances(Content request) {
        Set<Felt> tokens = new LinkedHashSet<>();
        BigInteger fee = request.maxFeeFri();
        if (feeToken != null && fee != null) {
            tokens.add(feeToken);
        }
        List<TokenCall> calls = calls(request).toList();
        calls.stream()
                .filter(call -> call.change(request.account()).signum() != 0)
                .forEach(call -> tokens.add(call.token()));
        List<Balance> changed = new ArrayList<>();
        for (Felt token : tokens) {
            BigInteger before = balances.get(token);
            BigInteger change = calls.stream()
                    .filter(call -> call.token().equals(token))
                    .map(call -> call.change(request.account()))
                    .reduce(BigInteger.ZERO, BigInteger::add);
            BigInteger cost = feeToken != null && fee != null && token.equals(feeToken) ? fee : BigInteger.ZERO;
            changed.add(new Balance(
                    token, before, before == null ? null : before.add(change).subtract(cost)));
        }
        return changed;
    }
}
