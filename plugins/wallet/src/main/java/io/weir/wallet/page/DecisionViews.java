package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.page.DecisionHistory.Entry;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.StoredDecision;
import io.weir.wallet.state.StoredRequest;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Writes the page of a request that was decided on, and the history. Immutable. */
record DecisionViews(Views views) {

    /** After this time the page of a request that never settles stops to reload itself. */
    private static final Duration RELOADING = Duration.ofHours(1);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the page of one request. It reloads itself until nothing more will come of it. */
    Html result(Entry entry, Instant now) {
        StoredRequest request = entry.request();
        StoredDecision decision = entry.decision();
        String chain = new L2Network("", request.chainId()).chainIdText();
        boolean young = Duration.between(decision.at(), now).compareTo(RELOADING) < 0;
        Html html = views.begin(
                word(decision) + ": " + request.method(), young && !entry.isSettled() ? Views.AGAIN : Duration.ZERO);
        html.tags("<p id=\"result\" class=\"")
                .text(style(entry))
                .tags("\">")
                .text(result(entry))
                .tags("</p>\n");
        entry.transactions().forEach(one -> transaction(html, one));
        html.tags("<table id=\"facts\" class=\"facts\">\n");
        html.fact("Decision", decided(entry) + ", " + Times.span(Duration.between(decision.at(), now)) + " ago");
        html.fact("Key", request.tenant());
        html.fact("Method", request.method());
        html.fact("Network", decision.network() + ", chain " + chain);
        Felt account = decision.account();
        html.hexFact("Account", views.label(request.tenant(), chain, account), account.toPaddedHex());
        if (!decision.summary().isEmpty()) {
            html.fact("Content", decision.summary());
        }
        html.fact("Maximum fee", Amounts.fee(decision.maxFee()));
        html.tags("</table>\n");
        if (!decision.message().isEmpty()) {
            new MessageView(JSON.readTree(decision.message())).write(html, chain);
        }
        views.links(html);
        return Views.end(html);
    }

    private static String word(StoredDecision decision) {
        return decision.approved() ? "Approved" : "Refused";
    }

    static String decided(Entry entry) {
        StoredDecision decision = entry.decision();
        return word(decision) + " by " + decision.by() + ", " + Times.of(decision.at());
    }

    private static void transaction(Html html, StoredTransaction one) {
        html.tags("<table class=\"transaction facts\">\n");
        html.hexFact("Transaction", "", one.hash().toPaddedHex());
        html.fact("State", state(one));
        html.fact("Nonce", String.valueOf(one.nonce()));
        html.tags("</table>\n");
    }

    private static String state(StoredTransaction one) {
        String reason = one.failureReason().isEmpty() ? "" : ": " + one.failureReason();
        return switch (one.state()) {
            case PREPARED -> "signed; it is not known yet whether the network has it";
            case RECEIVED -> "the network took it";
            case PENDING -> "in the block that is being made";
            case ACCEPTED_ON_L2 -> one.isReverted() ? "in a block, but reverted" + reason : "in a block";
            case REJECTED -> "the network refused it" + reason;
            case REPLACED -> "another transaction took its place" + reason;
        };
    }

    private static String style(Entry entry) {
        if (!entry.isSettled()) {
            return "status open";
        }
        if (!entry.decision().approved()) {
            return "status refused";
        }
        return hasFailed(entry) ? "status failed" : "status done";
    }

    private static boolean hasFailed(Entry entry) {
        RequestState state = entry.request().state();
        return entry.transactions().isEmpty()
                ? state == RequestState.FAILED || state == RequestState.WITHDRAWN
                : !entry.transactions().stream()
                        .allMatch(one -> one.state() == TransactionState.ACCEPTED_ON_L2 && !one.isReverted());
    }

    /** Returns what came of a request, in one line: what its last transaction tells, or else the request itself. */
    private static String result(Entry entry) {
        StoredRequest request = entry.request();
        List<StoredTransaction> signed = entry.transactions();
        if (!signed.isEmpty()) {
            return "Transaction: " + state(signed.get(signed.size() - 1)) + ".";
        }
        String reason = request.error().isEmpty() ? "" : ": " + request.error();
        return switch (request.state()) {
            case REFUSED -> "Nothing was signed.";
            case APPROVED -> "It is being carried out.";
            case COMPLETED ->
                request.method().equals("signMessage")
                        ? "The message was signed."
                        : "It was done, without a transaction.";
            case FAILED, WITHDRAWN -> "Nothing came of it" + reason + (reason.endsWith(".") ? "" : ".");
            default -> "Nothing is known of it any more" + reason + ".";
        };
    }

    /** Returns a page of the history, with links to each decision and to older ones. */
    Html history(List<Entry> entries, Instant now) {
        Html html = views.begin("Decisions", Duration.ZERO);
        if (entries.isEmpty()) {
            html.tags("<p id=\"nothing\">None.</p>\n");
        } else {
            html.tags("<table id=\"history\" class=\"rows\">\n<thead><tr><th>Decision</th><th>Request</th>"
                    + "<th>Key and account</th><th>Result</th><th></th></tr></thead>\n<tbody>\n");
            entries.forEach(entry -> row(html, entry, now));
            html.tags("</tbody>\n</table>\n");
        }
        if (entries.size() == DecisionHistory.PAGE) {
            String last = entries.get(entries.size() - 1).request().approval();
            html.tags("<p><a id=\"older\" href=\"")
                    .text(views.path() + "/history?before=" + last)
                    .tags("\">Older</a></p>\n");
        }
        views.links(html);
        return Views.end(html);
    }

    private void row(Html html, Entry entry, Instant now) {
        StoredRequest request = entry.request();
        StoredDecision decision = entry.decision();
        html.tags("<tr><td data-name=\"Decision\"><strong>")
                .text(word(decision))
                .tags("</strong>");
        html.text(" by " + decision.by()).tags("<div class=\"time\">");
        html.text(Times.of(decision.at())).tags("</div><div>");
        html.text(Times.span(Duration.between(decision.at(), now)) + " ago").tags("</div>");
        html.tags("</td><td data-name=\"Request\"><strong>")
                .text(request.method())
                .tags("</strong>");
        html.text(" on " + decision.network())
                .tags("<div class=\"hex\">")
                .text(decision.summary())
                .tags("</div>");
        html.tags("</td><td data-name=\"Key and account\">")
                .text(request.tenant())
                .tags("<div><code>");
        html.text(decision.account().toPaddedHex()).tags("</code></div></td><td data-name=\"Result\"><span class=\"");
        html.text(style(entry)).tags("\">").text(result(entry)).tags("</span>");
        entry.transactions()
                .forEach(one -> html.tags("<div><code class=\"hash\">")
                        .text(one.hash().toPaddedHex())
                        .tags("</code></div>"));
        html.tags("</td><td><a class=\"look\" href=\"")
                .text(views.path() + "/request?id=" + request.approval())
                .tags("\">Look</a></td></tr>\n");
    }
}
