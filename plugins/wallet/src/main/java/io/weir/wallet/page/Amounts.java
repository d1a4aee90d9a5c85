package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.token.TokenCall;
import io.weir.wallet.token.TokenFacts;
import io.weir.wallet.token.TokenSnapshot;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Amounts of tokens as a person reads them: what a call moves, and what is left of the balances. Immutable. */
record Amounts(TokenSnapshot tokens) {

    private static final String UNKNOWN = "not known";

    /** Returns the most that a request may cost, in whole tokens and in the smallest unit. */
    static String fee(@Nullable BigInteger fri) {
        return shortFee(fri) + (fri == null ? "" : " (" + fri + " FRI)");
    }

    /** Returns the same in whole tokens alone. */
    static String shortFee(@Nullable BigInteger fri) {
        return fri == null ? "none" : TokenFacts.FEE_TOKEN.text(fri);
    }

    /** Returns a line about the message of a request, and one about each call, for the list and the history. */
    List<String> lines(Content request) {
        return Stream.concat(
                        Stream.ofNullable(MessageView.of(request.typedData())).map(MessageView::title),
                        request.calls().stream().map(call -> line(call, request.account())))
                .toList();
    }

    /** Returns one line about a call, for lists: its function, and the amount and the recipient if they are known. */
    String line(RequestedCall call, Felt account) {
        return TokenCall.of(call, account)
                .map(read -> call.function() + " " + line(read, account))
                .orElseGet(() -> call.deploys(account)
                        ? "deploys the account"
                        : call.function() + " at "
                                + (call.isOnItself(account)
                                        ? "the account itself"
                                        : call.contract().toPaddedHex()));
    }

    private String line(TokenCall call, Felt account) {
        Optional<TokenFacts> facts = tokens.of(call.token());
        String amount = facts.map(known -> known.text(call.amount())).orElseGet(() -> call.amount() + " units");
        boolean moves = call.action() == TokenCall.Action.TRANSFER;
        return (call.isUnlimited()
                        ? "without limit"
                                + facts.map(known -> " " + known.symbol()).orElse("")
                        : amount)
                + (call.owner().equals(account) ? "" : " from " + call.owner().toPaddedHex())
                + (moves ? " to " : " for ")
                + call.counterparty().toPaddedHex()
                + (facts.isPresent() && !facts.get().isForeign() ? "" : token(call, facts.isPresent()));
    }

    private static String token(TokenCall call, boolean isNamed) {
        if (call.token().isZero()) {
            return ", token not named";
        }
        String source = isNamed ? "named by the contract" : UNKNOWN;
        return ", token " + call.token().toPaddedHex() + " (symbol and decimals " + source + ")";
    }

    /** Returns the name by which a person knows the contract of a call; empty if there is none. */
    String name(RequestedCall call, Felt account) {
        return call.contract().equals(account)
                ? "the account itself"
                : tokens.of(call.contract())
                        .filter(facts -> !facts.isForeign())
                        .map(TokenFacts::symbol)
                        .orElse("");
    }

    /** Returns the amount of a call in whole tokens if the decimals are known; the token alone if the amount has no limit. */
    String whole(TokenCall call) {
        return tokens.of(call.token())
                .map(facts -> call.isUnlimited() ? facts.symbol() : facts.text(call.amount()))
                .orElseGet(() -> call.isUnlimited() ? "" : call.amount().toString());
    }

    /** Returns where the symbol of a token comes from: a contract can name itself as it likes. */
    String source(Felt token, TokenFacts facts) {
        if (facts.isForeign()) {
            return "(named by the contract)";
        }
        return Objects.equals(tokens.feeToken(), token) ? "(the fee token)" : "(known by its address)";
    }

    /** Returns a balance in whole tokens if the decimals are known. */
    String balance(Felt token, @Nullable BigInteger amount) {
        return amount == null
                ? UNKNOWN
                : tokens.of(token).map(facts -> facts.text(amount)).orElseGet(() -> amount + " units");
    }

    /** Whether a call may change balances and the wallet cannot read it. */
    static boolean hasUnread(Content request) {
        return request.calls().stream()
                .anyMatch(call -> !call.deploys(request.account())
                        && TokenCall.of(call, request.account()).isEmpty());
    }
}
