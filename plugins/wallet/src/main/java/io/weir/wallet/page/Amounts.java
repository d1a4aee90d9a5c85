package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.token.TokenCall;
import io.weir.wallet.token.TokenFacts;
import io.weir.wallet.token.TokenSnapshot;
import io.weir.wallet.token.TokenSnapshot.Balance;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes amounts of tokens: what a call moves, and what is left of the balances. Immutable. */
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

    /** Returns one line about a call, for the list and the history: its function, and the amount and the recipient if they are known. */
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

    /** Writes a sentence about the effect of a call, if it is one that tokens have. */
    void effect(Html html, RequestedCall call, Felt account) {
        TokenCall.of(call, account).ifPresent(read -> effect(html, read, account));
        if (call.deploys(account)) {
            html.tags("<p class=\"effect\">Deploys the account itself, with the key of this wallet.</p>\n");
        } else if (call.isOnItself(account)) {
            html.tags("<p class=\"effect notice danger\">A call of the account itself.</p>\n");
        }
    }

    private void effect(Html html, TokenCall call, Felt account) {
        html.tags(call.isUnlimited() ? "<p class=\"effect notice\">" : "<p class=\"effect\">");
        if (call.action() == TokenCall.Action.TRANSFER) {
            amount(html.text("Transfers "), call);
            if (!call.owner().equals(account)) {
                address(html.text(" from "), call.owner());
            }
            address(html.text(" to "), call.counterparty());
        } else {
            address(html.text("Allows "), call.counterparty());
            html.text(
                    call.isUnlimited()
                            ? " to take everything, without a limit, now and later: any amount of "
                            : " to take ");
            amount(html, call);
            html.text(call.action() == TokenCall.Action.ALLOW_MORE ? " more than before" : "");
        }
        html.text(".").tags("</p>\n");
    }

    private static void address(Html html, Felt address) {
        html.tags("<code>").text(address.toPaddedHex()).tags("</code>");
    }

    /** Writes the amount and its token, or the token alone if the amount has no limit. */
    private void amount(Html html, TokenCall call) {
        boolean isBounded = !call.isUnlimited();
        Optional<TokenFacts> facts = tokens.of(call.token());
        if (facts.isPresent()) {
            html.tags("<strong>")
                    .text(
                            isBounded
                                    ? facts.get().text(call.amount())
                                    : facts.get().symbol())
                    .tags("</strong> ");
            origin(html, call.token(), facts.get());
            html.text(isBounded ? " = " + call.amount() + " of the smallest unit" : "");
        } else {
            html.tags("<strong>")
                    .text(isBounded ? call.amount().toString() : "")
                    .tags("</strong>");
            html.text(isBounded ? " of the smallest unit of " : "")
                    .text(
                            call.token().isZero()
                                    ? "a token that the message does not name"
                                    : "a token whose symbol and decimals are " + UNKNOWN);
        }
    }

    private void origin(Html html, Felt token, TokenFacts facts) {
        String known = Objects.equals(tokens.feeToken(), token) ? "(the fee token)" : "(known by its address)";
        html.tags(facts.isForeign() ? "<span class=\"foreign\">" : "<span class=\"origin\">")
                .text(facts.isForeign() ? "(named by the contract)" : known)
                .tags("</span>");
    }

    /** Writes the balances that a request changes, before it and after it. */
    void balances(Html html, Content request) {
        List<Balance> balances = tokens.balances(request);
        if (balances.isEmpty()) {
            return;
        }
        html.tags("<h2>Balances of the account</h2>\n"
                + "<table id=\"balances\">\n"
                + "<thead><tr><th>Token</th><th class=\"number\">Now</th><th class=\"number\">After (estimated)"
                + "</th></tr></thead>\n"
                + "<tbody>\n");
        balances.forEach(balance -> row(html, balance));
        html.tags("</tbody>\n</table>\n");
        boolean others = request.calls().stream()
                .anyMatch(call -> !call.deploys(request.account())
                        && TokenCall.of(call, request.account()).isEmpty());
        html.tags("<p class=\"quiet\">")
                .text("Estimated: the balance now, less the amounts above"
                        + (request.maxFeeFri() == null ? "." : " and the maximum fee.")
                        + (others ? " Calls that the wallet cannot read may change more." : ""))
                .tags("</p>\n");
    }

    private void row(Html html, Balance balance) {
        html.tags("<tr><th scope=\"row\" data-name=\"Token\">");
        Optional<TokenFacts> facts = tokens.of(balance.token());
        facts.ifPresent(known -> {
            html.text(known.symbol() + " ");
            origin(html, balance.token(), known);
            html.tags("<br>");
        });
        html.tags("<code>").text(balance.token().toPaddedHex()).tags("</code></th>");
        cell(html, "Now", balance.before(), facts, false);
        cell(html, "After (estimated)", balance.after(), facts, balance.isShort());
        html.tags("</tr>\n");
    }

    private static void cell(
            Html html, String name, @Nullable BigInteger amount, Optional<TokenFacts> facts, boolean isShort) {
        html.tags("<td class=\"number\" data-name=\"").text(name).tags("\">");
        if (amount == null) {
            html.text(UNKNOWN);
        } else {
            html.text(facts.map(known -> known.text(amount)).orElseGet(() -> amount + " units"));
        }
        if (isShort) {
            html.tags(" <span class=\"warning\">not enough</span>");
        }
        html.tags("</td>");
    }
}
