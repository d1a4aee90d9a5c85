package io.weir.wallet.page;

import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Request;
import io.weir.wallet.token.TokenSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Writes the list of waiting requests. Immutable.
 *
 * @param views the frame of the page
 * @param tokens by the id of the chain
 */
record ListView(Views views, Marks marks, Map<String, TokenSnapshot> tokens) {

    private static final Duration SOON = Duration.ofSeconds(30);

    /** Returns the page, with a link to each request. It reloads itself, so nothing on it decides anything. */
    Html of(List<Request> waiting, Instant now) {
        Html html = views.beginList(waiting.isEmpty() ? "Approvals" : "(" + waiting.size() + ") Approvals");
        html.tags("<p id=\"trouble\" class=\"notice\" role=\"alert\" hidden></p>\n");
        if (waiting.isEmpty()) {
            html.tags("<p id=\"nothing\">Nothing waits.</p>\n");
        } else {
            html.tags("<table id=\"waiting\" class=\"rows\">\n"
                    + "<thead><tr><th>Request</th><th>Key and account</th><th class=\"number\">Maximum fee</th><th"
                    + " class=\"number\">Age</th><th class=\"number\">Time left</th><th></th></tr></thead>\n"
                    + "<tbody>\n");
            waiting.forEach(one -> row(html, one, now));
            html.tags("</tbody>\n</table>\n");
        }
        views.links(html);
        html.tags("<p id=\"approver\">Signed in as ").text(views.approver()).tags(".</p>\n");
        views.form(html, "sign-out");
        html.tags("<button id=\"sign-out\" class=\"quiet\">Sign out</button>\n</form>\n");
        return Views.end(html);
    }

    private void row(Html html, Request one, Instant now) {
        Content request = one.content();
        Amounts amounts = new Amounts(tokens.getOrDefault(request.chainId(), TokenSnapshot.NONE));
        html.tags("<tr><td data-name=\"Request\"><strong>")
                .text(request.method())
                .tags("</strong> ");
        html.text("on " + request.network());
        html.each(lines(request, amounts), "<div>", "</div>");
        html.each(Marks.dangers(request), "<div class=\"danger\">", "</div>");
        html.each(marks.of(one, now), "<div class=\"mark\">", "</div>");
        html.tags("</td><td data-name=\"Key and account\">").text(request.tenant());
        String address = one.address();
        if (address != null) {
            html.tags("<div>from ").text(address).tags("</div>");
        }
        account(html, request);
        html.tags("</td><td class=\"number\" data-name=\"Maximum fee\">").text(Amounts.shortFee(request.maxFeeFri()));
        html.tags("</td><td class=\"number\" data-name=\"Age\">").text(Times.span(Duration.between(one.since(), now)));
        Duration left = Duration.between(now, one.until());
        html.tags(
                left.compareTo(SOON) < 0
                        ? "</td><td class=\"number soon\" data-name=\"Time left\">"
                        : "</td><td class=\"number\" data-name=\"Time left\">");
        html.text(Times.span(left)).tags("</td><td><a class=\"look\" id=\"look-" + one.id() + "\" href=\"");
        html.text(views.path() + "/request?id=" + one.id()).tags("\">Look</a></td></tr>\n");
    }

    private void account(Html html, Content request) {
        String label = views.label(request.tenant(), request.chainId(), request.account());
        html.tags("<div>").text(label).tags(label.isEmpty() ? "" : " ");
        html.tags("<code class=\"short\">")
                .text(request.account().toPaddedHex())
                .tags("</code></div>");
    }

    /** Returns a line about the message of a request, and one about each call. */
    static List<String> lines(Content request, Amounts amounts) {
        JsonNode message = request.typedData();
        return Stream.concat(
                        Stream.ofNullable(message).map(shown -> new MessageView(shown).title()),
                        request.calls().stream().map(call -> amounts.line(call, request.account())))
                .toList();
    }
}
