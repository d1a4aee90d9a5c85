package io.weir.wallet.page;

import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.approval.Request;
import io.weir.wallet.token.TokenSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Writes the page of one waiting request, with the two buttons. Immutable.
 *
 * @param views the frame of the page
 */
record RequestView(Views views, Marks marks, TokenSnapshot tokens) {

    /** Writes the page. */
    Html of(Request one, Instant now) {
        Content request = one.content();
        Amounts amounts = new Amounts(tokens);
        // Once its time is over, the page shows that instead of the buttons.
        Html html = views.begin(
                "Approve " + request.method() + "?",
                Duration.between(now, one.until()).plusSeconds(1));
        html.each(Marks.dangers(request), "<p class=\"notice danger\">", "</p>\n");
        html.each(marks.of(one, now), "<p class=\"notice mark\">", "</p>\n");
        JsonNode message = request.typedData();
        if (message == null) {
            facts(html, one, now);
            calls(html, request, amounts);
        } else {
            MessageView view = new MessageView(message);
            view.effect(html, request.account(), now);
            calls(html, request, amounts);
            view.write(html, request.chainId());
            facts(html, one, now);
        }
        amounts.balances(html, request);
        decision(html, one);
        return Views.end(html);
    }

    private void facts(Html html, Request one, Instant now) {
        Content request = one.content();
        html.tags("<table id=\"facts\" class=\"facts\">\n");
        html.fact("Key", request.tenant());
        String address = one.address();
        html.fact("Address", address == null ? "unknown" : address);
        html.fact("Method", request.method());
        html.fact("Network", request.network() + ", chain " + request.chainId());
        html.hexFact(
                "Account",
                views.label(request.tenant(), request.chainId(), request.account()),
                request.account().toPaddedHex());
        html.fact("Maximum fee", Amounts.fee(request.maxFeeFri()));
        String requestId = one.requestId();
        if (requestId != null) {
            html.fact("Request id", requestId);
        }
        html.fact("Asked because", one.reason());
        html.fact("Age", Times.span(Duration.between(one.since(), now)) + ", since " + Times.of(one.since()));
        html.fact("Time left", Times.span(Duration.between(now, one.until())) + ", until " + Times.of(one.until()));
        html.tags("</table>\n");
    }

    private static void calls(Html html, Content request, Amounts amounts) {
        for (int index = 0; index < request.calls().size(); index++) {
            RequestedCall call = request.calls().get(index);
            html.tags("<h2>")
                    .text("Call " + (index + 1) + " of " + request.calls().size())
                    .tags("</h2>\n");
            amounts.effect(html, call, request.account());
            call(html, call, amounts.name(call, request.account()));
        }
    }

    private static void call(Html html, RequestedCall call, String name) {
        html.tags("<table class=\"call facts\">\n");
        html.hexFact("Contract", name, call.contract().toPaddedHex());
        html.fact("Function", call.function());
        for (Argument argument : call.arguments()) {
            String type = argument.type().isEmpty() ? "" : " (" + argument.type() + ")";
            html.fact(argument.name() + type, argument.value());
        }
        calldata(html, call);
        html.tags("</table>\n");
    }

    /** Folds what the arguments say already. */
    static void calldata(Html html, RequestedCall call) {
        String felts = call.calldata().stream().map(felt -> felt.toHex()).collect(Collectors.joining(", "));
        html.tags("<tr><th scope=\"row\">Call data</th><td>");
        if (call.arguments().isEmpty()) {
            html.text(felts.isEmpty() ? "none" : felts);
        } else {
            int size = call.calldata().size();
            html.tags("<details><summary>")
                    .text(size == 1 ? "1 felt" : size + " felts")
                    .tags("</summary>");
            html.text(felts).tags("</details>");
        }
        html.tags("</td></tr>\n");
    }

    private void decision(Html html, Request one) {
        views.form(html, "decision");
        html.tags("<input type=\"hidden\" name=\"id\" value=\"").text(one.id()).tags("\">\n");
        html.tags("<button id=\"refuse\" name=\"decision\" value=\"refuse\">Refuse</button>\n");
        html.tags("<button id=\"approve\" name=\"decision\" value=\"approve\">Approve</button>\n</form>\n");
        html.tags("<p><a href=\"").text(views.path()).tags("\">Back, and decide later</a></p>\n");
    }
}
