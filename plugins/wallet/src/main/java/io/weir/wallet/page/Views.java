package io.weir.wallet.page;

import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.ApprovalRequest.Argument;
import io.weir.wallet.approval.ApprovalRequest.RequestedCall;
import io.weir.wallet.approval.ParkedRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Writes the pages. Everything that is not a literal here goes through {@link Html#text}. Immutable. */
final class Views {

    private final String path;
    private final Marks marks;

    /**
     * Pages of an address.
     *
     * @param path the page's own, without a slash at the end
     */
    Views(String path, Marks marks) {
        this.path = path;
        this.marks = marks;
    }

    /** A page that says one thing. */
    Html message(String title, String text) {
        Html html = begin(title, false);
        html.tags("<p>").text(text).tags("</p>\n<p><a href=\"").text(path).tags("\">What waits</a></p>\n");
        return end(html);
    }

    /** The form for the credential. */
    Html signIn(String notice) {
        Html html = begin("Approvals", false);
        if (!notice.isEmpty()) {
            html.tags("<p class=\"notice\" role=\"alert\">").text(notice).tags("</p>\n");
        }
        form(html, "sign-in");
        html.tags("<label for=\"credential\">The approver's credential</label>\n");
        html.tags("<input id=\"credential\" name=\"credential\" type=\"password\" required autofocus"
                + " autocomplete=\"current-password\">\n");
        html.tags("<button id=\"sign-in\">Sign in</button>\n</form>\n");
        return end(html);
    }

    /** Returns the list of waiting requests, with a link to each. The page reloads itself, so nothing on it decides anything. */
    Html list(List<ParkedRequest> waiting, Instant now, Sessions.Session session) {
        Html html = begin("Approvals", true);
        if (waiting.isEmpty()) {
            html.tags("<p id=\"nothing\">Nothing waits.</p>\n");
        } else {
            html.tags(
                    "<table id=\"waiting\">\n<thead><tr><th>Since</th><th>Tenant</th><th>Method</th><th>Network</th>"
                            + "<th>Contract and function</th><th>Maximum fee</th><th>Note</th><th></th></tr></thead>\n<tbody>\n");
            waiting.forEach(one -> row(html, one, now));
            html.tags("</tbody>\n</table>\n");
        }
        html.tags("<p><a href=\"").text(path + "/transactions").tags("\">Transactions on their way</a></p>\n");
        form(html, "sign-out");
        token(html, session);
        html.tags("<button id=\"sign-out\" class=\"quiet\">Sign out</button>\n</form>\n");
        return end(html);
    }

    private void row(Html html, ParkedRequest one, Instant now) {
        ApprovalRequest request = one.request();
        String calls = request.calls().stream()
                .map(call -> call.contract().toPaddedHex() + " " + call.function())
                .collect(Collectors.joining(", "));
        html.tags("<tr>");
        for (String cell : List.of(
                time(one.since()), request.tenant(), request.method(), request.network(), calls, Fee.text(request))) {
            html.tags("<td>").text(cell).tags("</td>");
        }
        html.tags("<td class=\"mark\">")
                .text(String.join(" ", marks.of(one, now)))
                .tags("</td>");
        html.tags("<td><a class=\"look\" href=\"")
                .text(path + "/request?id=" + one.id())
                .tags("\">Look</a></td></tr>\n");
    }

    /** One request in full, with the two buttons. */
    Html request(ParkedRequest one, Instant now, Sessions.Session session) {
        ApprovalRequest request = one.request();
        Html html = begin("Approve " + request.method() + "?", false);
        marks.of(one, now)
                .forEach(mark ->
                        html.tags("<p class=\"notice mark\">").text(mark).tags("</p>\n"));
        html.tags("<table id=\"facts\">\n");
        html.fact("Tenant", request.tenant());
        html.fact("Method", request.method());
        html.fact("Network", request.network() + ", chain " + request.chainId());
        html.fact("Account", request.account().toPaddedHex());
        html.fact("Maximum fee", Fee.text(request));
        String requestId = one.asker().requestId();
        if (requestId != null) {
            html.fact("Request id", requestId);
        }
        html.fact("Waits until", time(one.until()) + ", " + seconds(now, one.until()) + " s from now");
        html.tags("</table>\n");
        for (int index = 0; index < request.calls().size(); index++) {
            call(html, index, request.calls());
        }
        JsonNode message = request.typedData();
        if (message != null) {
            String chain = message.path("domain").path("chainId").asString("");
            html.tags("<h2>The message to sign</h2>\n<p id=\"message-chain\">")
                    .text(
                            chain.isEmpty()
                                    ? "It names no chain: it is good on every one."
                                    : "For the chain " + chain + ".")
                    .tags("</p>\n<pre id=\"message\">")
                    .lines(message.toPrettyString());
            html.tags("</pre>\n");
        }
        if (one.forKey()) {
            html.tags(
                    "<p class=\"notice\">Once approved, the private key of this account is shown here, once. Whoever sees it"
                            + " has the account.</p>\n");
        }
        decision(html, one, session);
        return end(html);
    }

    private static void call(Html html, int index, List<RequestedCall> calls) {
        RequestedCall call = calls.get(index);
        html.tags("<h2>").text("Call " + (index + 1) + " of " + calls.size()).tags("</h2>\n<table class=\"call\">\n");
        html.fact("Contract", call.contract().toPaddedHex());
        html.fact("Function", call.function());
        for (Argument argument : call.arguments()) {
            String type = argument.type().isEmpty() ? "" : " (" + argument.type() + ")";
            html.fact(argument.name() + type, argument.value());
        }
        html.fact(
                "Call data",
                call.calldata().isEmpty()
                        ? "none"
                        : call.calldata().stream().map(felt -> felt.toHex()).collect(Collectors.joining(", ")));
        html.tags("</table>\n");
    }

    private void decision(Html html, ParkedRequest one, Sessions.Session session) {
        form(html, "decision");
        token(html, session);
        html.tags("<input type=\"hidden\" name=\"id\" value=\"").text(one.id()).tags("\">\n");
        html.tags("<button id=\"refuse\" name=\"decision\" value=\"refuse\">Refuse</button>\n");
        html.tags("<button id=\"approve\" name=\"decision\" value=\"approve\">Approve</button>\n</form>\n");
        html.tags("<p><a href=\"").text(path).tags("\">Back, and decide later</a></p>\n");
    }

    /** The one page that ever shows a private key. */
    Html key(ApprovalRequest request, byte[] key) {
        Html html = begin("The private key", false);
        html.tags("<table>\n");
        html.fact("Tenant", request.tenant());
        html.fact("Account", request.account().toPaddedHex());
        html.tags("</table>\n<p>Shown now and never again:</p>\n<p><code id=\"key\">0x");
        for (byte part : key) {
            html.tags(Integer.toHexString(part >> 4 & 0xf)).tags(Integer.toHexString(part & 0xf));
        }
        html.tags("</code></p>\n<p><a href=\"").text(path).tags("\">Done</a></p>\n");
        return end(html);
    }

    Html begin(String title, boolean comesAgain) {
        Html html = new Html();
        html.tags("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.tags("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        if (comesAgain) {
            html.tags("<meta http-equiv=\"refresh\" content=\"5\">\n");
        }
        html.tags("<title>")
                .text(title)
                .tags("</title>\n<link rel=\"stylesheet\" href=\"")
                .text(path + "/style.css");
        html.tags("\">\n</head>\n<body>\n<main>\n<h1>").text(title).tags("</h1>\n");
        return html;
    }

    static Html end(Html html) {
        return html.tags("</main>\n</body>\n</html>\n");
    }

    void form(Html html, String action) {
        html.tags("<form method=\"post\" action=\"").text(path + "/" + action).tags("\">\n");
    }

    static void token(Html html, Sessions.Session session) {
        html.tags("<input type=\"hidden\" name=\"token\" value=\"")
                .text(session.formToken())
                .tags("\">\n");
    }

    private static String time(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    private static long seconds(Instant now, Instant until) {
        return Math.max(Duration.between(now, until).toSeconds(), 0);
    }
}
