package io.weir.wallet.page;

import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.page.Sessions.Session;
import org.jspecify.annotations.Nullable;

/** Writes the pages. Everything that is not a literal here goes through {@link Html#text}. Immutable. */
final class Views {

    private final String base;
    private final String path;
    private final @Nullable Session session;

    /**
     * Pages of a person, or of somebody who has not signed in.
     *
     * @param base the address below which all pages are, without a slash at the end
     */
    Views(String base, @Nullable Session session) {
        this.base = base;
        this.path = session == null ? base : base + "/" + session.name();
        this.session = session;
    }

    /** Returns the address of the list. */
    String path() {
        return path;
    }

    /** Returns the name of the person. */
    String approver() {
        return session == null ? "" : session.approver();
    }

    /** A page that says one thing. */
    Html message(String title, String text) {
        Html html = begin(title, false);
        html.tags("<p>").text(text).tags("</p>\n");
        links(html);
        return end(html);
    }

    /** The form for the credential. */
    Html signIn(String notice) {
        Html html = begin("Approvals", false);
        if (!notice.isEmpty()) {
            html.tags("<p class=\"notice\" role=\"alert\">").text(notice).tags("</p>\n");
        }
        form(html, "sign-in");
        html.tags("<label for=\"credential\">Your credential</label>\n");
        html.tags("<input id=\"credential\" name=\"credential\" type=\"password\" required autofocus"
                + " autocomplete=\"current-password\">\n");
        html.tags("<button id=\"sign-in\">Sign in</button>\n</form>\n");
        return end(html);
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
                .text(base + "/style.css");
        html.tags("\">\n</head>\n<body>\n<main>\n<h1>").text(title).tags("</h1>\n");
        return html;
    }

    /** Adds the links between the pages. */
    void links(Html html) {
        html.tags("<nav><a href=\"").text(path).tags("\">Waiting</a> <a href=\"");
        html.text(path + "/transactions").tags("\">Transactions on their way</a> <a href=\"");
        html.text(path + "/history").tags("\">Decisions</a></nav>\n");
    }

    static Html end(Html html) {
        return html.tags("</main>\n</body>\n</html>\n");
    }

    void form(Html html, String action) {
        html.tags("<form method=\"post\" action=\"").text(path + "/" + action).tags("\">\n");
        if (session != null) {
            html.tags("<input type=\"hidden\" name=\"token\" value=\"")
                    .text(session.formToken())
                    .tags("\">\n");
        }
    }
}
