package io.weir.wallet.page;

import io.weir.api.AdminPage.Response;
import io.weir.l2.Felt;
import io.weir.wallet.approval.Content;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.page.Sessions.Session;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StateException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the pages. Everything that is not a literal here goes through {@link Html#text}. Immutable; labels block. */
final class Views {
    private static final Logger LOG = LoggerFactory.getLogger(Views.class);

    /** Of pages that change by themselves. */
    static final Duration AGAIN = Duration.ofSeconds(5);

    private final String base;
    private final String path;
    private final @Nullable Session session;
    private final @Nullable AccountTable accounts;

    /**
     * Pages of a person, or of somebody who has not signed in.
     *
     * @param base the address below which all pages are, without a slash at the end
     * @param accounts the stored accounts; null until the wallet has started
     */
    Views(String base, @Nullable Session session, @Nullable AccountTable accounts) {
        this.accounts = accounts;
        this.base = base;
        this.path = session == null ? base : base + "/" + session.name();
        this.session = session;
    }

    /** Returns the address of the list. */
    String path() {
        return path;
    }

    /**
     * Returns a label like {@code account 3 of demo (usual)}, which a person recognises sooner than an address. Empty if the account is not
     * stored.
     *
     * @param chainId the chain as it is shown
     */
    String label(String tenant, String chainId, Felt address) {
        try {
            return Optional.ofNullable(accounts)
                    .flatMap(table -> table.find(tenant, L2Networks.parse(chainId), address))
                    .map(account -> "account " + account.addressIndex() + " of " + tenant + " (" + account.kind() + ")")
                    .orElse("");
        } catch (StateException e) {
            LOG.warn("the page shows an account without its label: {}", e.getMessage());
            return "";
        }
    }

    /** Returns the name of the person. */
    String approver() {
        return session == null ? "" : session.approver();
    }

    /** Answers with a page that says one thing. */
    Response say(int status, String title, String text) {
        Html html = begin(title, Duration.ZERO);
        html.tags("<p>").text(text).tags("</p>\n");
        links(html);
        return Answers.page(status, end(html));
    }

    /** The form for the credential. */
    Html signIn(String notice) {
        Html html = begin("Approvals", Duration.ZERO);
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
    Html key(Content request, byte[] key) {
        Html html = begin("The private key", Duration.ZERO);
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

    /**
     * Begins a page.
     *
     * @param reload after this time the browser loads the page again; never if it is zero
     */
    Html begin(String title, Duration reload) {
        return begin(title, reload.isZero() ? "" : refresh(reload));
    }

    /** Begins the list, which its script loads again and again, or the browser if it runs no scripts. */
    Html beginList(String title) {
        return begin(
                title,
                "<noscript>" + refresh(AGAIN) + "</noscript>\n<script src=\"" + base + "/list.js\" defer></script>\n");
    }

    private static String refresh(Duration time) {
        return "<meta http-equiv=\"refresh\" content=\"" + Math.max(1, time.toSeconds()) + "\">\n";
    }

    private Html begin(String title, String head) {
        Html html = new Html();
        html.tags("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.tags("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.tags(head)
                .tags("<title>")
                .text(title)
                .tags("</title>\n<link rel=\"stylesheet\" href=\"")
                .text(base + "/style.css");
        html.tags("\">\n</head>\n<body>\n<main>\n<h1>").text(title).tags("</h1>\n");
        return html;
    }

    /** Adds the links between the pages. */
    void links(Html html) {
        html.tags("<nav><a id=\"to-list\" href=\"").text(path);
        html.tags("\">Waiting</a> <a id=\"to-transactions\" href=\"");
        html.text(path + "/transactions").tags("\">Transactions on their way</a> <a id=\"to-history\" href=\"");
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
