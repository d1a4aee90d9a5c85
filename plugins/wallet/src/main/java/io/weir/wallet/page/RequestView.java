package io.weir.wallet.page;

import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.ApprovalRequest.Argument;
import io.weir.wallet.approval.ApprovalRequest.RequestedCall;
import io.weir.wallet.approval.ParkedRequest;
import io.weir.wallet.token.TokenSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Writes the page of one waiting request, with the two buttons. Immutable. */
final class RequestView {

    private final Views views;
    private final Marks marks;
    private final TokenSnapshot tokens;
    private final String account;

    /**
     * A page over what is known of tokens.
     *
     * @param views the frame of the page
     * @param account the label of its account; empty if there is none
     */
    RequestView(Views views, Marks marks, TokenSnapshot tokens, String account) {
        this.views = views;
        this.marks = marks;
        this.tokens = tokens;
        this.account = account;
    }

    /** Writes the page. */
    Html of(ParkedRequest one, Instant now) {
        ApprovalRequest request = one.request();
        Amounts amounts = new Amounts(tokens);
        Html html = views.begin("Approve " + request.method() + "?", false);
        marks.of(one, now)
                .forEach(mark ->
                        html.tags("<p class=\"notice mark\">").text(mark).tags("</p>\n"));
        JsonNode message = request.typedData();
        if (message != null) {
            new MessageView(message).write(html, request.chainId());
        }
        facts(html, one, now);
        for (int index = 0; index < request.calls().size(); index++) {
            RequestedCall call = request.calls().get(index);
            html.tags("<h2>")
                    .text("Call " + (index + 1) + " of " + request.calls().size())
                    .tags("</h2>\n");
            amounts.effect(html, call, request.account());
            call(html, call);
        }
        amounts.balances(html, request);
        if (one.forKey()) {
            html.tags("<p class=\"notice\">Once approved, the private key of this account is shown here, once. Whoever"
                    + " sees it has the account.</p>\n");
        }
        decision(html, one);
        return Views.end(html);
    }

    private void facts(Html html, ParkedRequest one, Instant now) {
        ApprovalRequest request = one.request();
        html.tags("<table id=\"facts\" class=\"facts\">\n");
        html.fact("Key", request.tenant());
        String address = one.asker().address();
        html.fact("Address", address == null ? "unknown" : address);
        html.fact("Method", request.method());
        html.fact("Network", request.network() + ", chain " + request.chainId());
        html.hexFact("Account", account, request.account().toPaddedHex());
        html.fact("Maximum fee", Amounts.fee(request.maxFeeFri()));
        String requestId = one.asker().requestId();
        if (requestId != null) {
            html.fact("Request id", requestId);
        }
        html.fact("Age", Times.span(Duration.between(one.since(), now)) + ", since " + Times.of(one.since()));
        html.fact("Time left", Times.span(Duration.between(now, one.until())) + ", until " + Times.of(one.until()));
        html.tags("</table>\n");
    }

    private static void call(Html html, RequestedCall call) {
        html.tags("<table class=\"call facts\">\n");
        html.hexFact("Contract", "", call.contract().toPaddedHex());
        html.fact("Function", call.function());
        for (Argument argument : call.arguments()) {
            String type = argument.type().isEmpty() ? "" : " (" + argument.type() + ")";
            html.fact(argument.name() + type, argument.value());
        }
        calldata(html, call);
        html.tags("</table>\n");
    }

    /** Folds what the arguments say already. */
    private static void calldata(Html html, RequestedCall call) {
        String felts = call.calldata().stream().map(felt -> felt.toHex()).collect(Collectors.joining(", "));
        html.tags("<tr><th scope=\"row\">Call data</th><td>");
        if (call.arguments().isEmpty()) {
            html.text(felts.isEmpty() ? "none" : felts);
        } else {
            html.tags("<details><summary>")
                    .text(call.calldata().size() + " felts")
                    .tags("</summary>");
            html.text(felts).tags("</details>");
        }
        html.tags("</td></tr>\n");
    }

    private void decision(Html html, ParkedRequest one) {
        views.form(html, "decision");
        html.tags("<input type=\"hidden\" name=\"id\" value=\"").text(one.id()).tags("\">\n");
        html.tags("<button id=\"refuse\" name=\"decision\" value=\"refuse\">Refuse</button>\n");
        html.tags("<button id=\"approve\" name=\"decision\" value=\"approve\">Approve</button>\n</form>\n");
        html.tags("<p><a href=\"").text(views.path()).tags("\">Back, and decide later</a></p>\n");
    }
}
