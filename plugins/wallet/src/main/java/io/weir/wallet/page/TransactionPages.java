package io.weir.wallet.page;

import io.weir.api.AdminPage.Response;
import io.weir.l2.Felt;
import io.weir.wallet.approval.Content;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.send.Remedies;
import io.weir.wallet.state.StoredTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The pages of transactions on their way, which a person can cancel or replace. Thread-safe. */
final class TransactionPages {

    private volatile @Nullable Sources sources;

    void offer(Sources offered) {
        sources = offered;
    }

    /** The transactions on their way, each with its two buttons. */
    Response list(Views views) {
        Sources offered = sources;
        Html html = views.begin("Transactions on their way", Duration.ZERO);
        html.tags("<p>A replacement has the same nonce: at most one of the two is ever carried out. <em>Cancel</em>"
                + " signs a transfer of nothing to the account itself; <em>Raise</em> signs the same calls for a"
                + " higher fee.</p>\n");
        List<StoredTransaction> all =
                offered == null ? List.of() : offered.remedies().replaceable();
        if (offered == null || all.isEmpty()) {
            html.tags("<p id=\"nothing\">None.</p>\n");
        } else {
            all.forEach(one -> {
                facts(html, one, offered);
                form(html, one, views, """
                        <button name="how" value="cancel">Cancel</button>
                        <button name="how" value="raise">Raise</button>
                        """);
            });
        }
        views.links(html);
        return Answers.page(200, Views.end(html));
    }

    private static void facts(Html html, StoredTransaction one, Sources offered) {
        html.tags("<table class=\"transaction facts\">\n");
        html.fact("Key", one.tenant());
        html.hexFact("Transaction", "", one.hash().toPaddedHex());
        html.fact("State", one.state().shown() + (one.failureReason().isEmpty() ? "" : ": " + one.failureReason()));
        html.hexFact("Account and nonce", "nonce " + one.nonce(), one.sender().toPaddedHex());
        Content request = request(one);
        Amounts amounts = new Amounts(offered.tokens().cached(request));
        request.calls().forEach(call -> {
            html.fact("Call", amounts.line(call, one.sender()));
            RequestView.calldata(html, call);
        });
        html.fact("A replacement costs at most", Amounts.fee(Remedies.maxFee(one)));
        html.tags("</table>\n");
    }

    private static Content request(StoredTransaction one) {
        return Content.ofCalls(
                new Content.Origin(one.tenant(), "", new L2Network("", one.chainId())),
                one.sender(),
                Remedies.requestedCalls(one.calls()),
                one.maxFee());
    }

    private static void form(Html html, StoredTransaction one, Views views, String buttons) {
        views.form(html, "replace");
        html.tags("<input type=\"hidden\" name=\"hash\" value=\"")
                .text(one.hash().toPaddedHex())
                .tags("\">\n")
                .tags(buttons)
                .tags("</form>\n");
    }

    /** Replaces a transaction, or asks once more before; the form is one of the views' session. */
    CompletionStage<Response> replace(Form form, Views views) {
        Sources offered = sources;
        Optional<StoredTransaction> found = offered == null
                ? Optional.empty()
                : offered.remedies().replaceable().stream()
                        .filter(one -> one.hash().toPaddedHex().equals(form.field("hash")))
                        .findFirst();
        if (offered == null || found.isEmpty()) {
            return CompletableFuture.completedStage(
                    views.say(409, "Too late", "This transaction is settled, or has another one in its place."));
        }
        boolean raises = form.field("how").equals("raise");
        if (!form.field("sure").equals("yes")) {
            return CompletableFuture.completedStage(ask(found.get(), raises, views, offered));
        }
        CompletionStage<Felt> sent = raises
                ? offered.remedies().raise(found.get(), views.approver())
                : offered.remedies().cancel(found.get(), views.approver());
        return sent.handle((hash, failure) -> failure == null
                ? views.say(200, "Sent", "The network took " + hash.toPaddedHex() + ".")
                : views.say(
                        502,
                        "Not sent",
                        String.valueOf(Waiting.unwrapped(failure).getMessage())));
    }

    private static Response ask(StoredTransaction one, boolean raises, Views views, Sources offered) {
        Html html =
                views.begin(raises ? "Raise the fee of this transaction?" : "Cancel this transaction?", Duration.ZERO);
        html.tags("<p id=\"effect\">")
                .text(
                        raises
                                ? "These calls are signed again, with the same nonce and for a higher fee."
                                : "A transfer of nothing is signed with the same nonce. If the network takes it in time, these calls"
                                        + " are never carried out.")
                .tags("</p>\n");
        facts(html, one, offered);
        form(
                html,
                one,
                views,
                "<input type=\"hidden\" name=\"sure\" value=\"yes\">\n"
                        + (raises
                                ? "<button name=\"how\" value=\"raise\">Raise the fee</button>\n"
                                : "<button name=\"how\" value=\"cancel\">Cancel the transaction</button>\n"));
        html.tags("<p><a href=\"").text(views.path() + "/transactions").tags("\">Back, and change nothing</a></p>\n");
        return Answers.page(200, Views.end(html));
    }
}
