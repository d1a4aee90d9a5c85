package io.weir.wallet.page;

import io.weir.api.AdminPage.Response;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.send.Remedies;
import io.weir.wallet.state.StoredTransaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The pages of transactions on their way, which a person can cancel or replace. Thread-safe. */
final class TransactionPages {

    private volatile @Nullable Remedies remedies;

    void offer(Remedies offered) {
        remedies = offered;
    }

    /** The transactions on their way, each with its two forms. */
    Response list(Views views) {
        Remedies offered = remedies;
        List<StoredTransaction> all = offered == null ? List.of() : offered.replaceable();
        Html html = views.begin("Transactions on their way", false);
        html.tags("<p>A replacement has the same nonce: at most one of the two is ever carried out. <em>Cancel</em>"
                + " signs a transfer of nothing to the account itself; <em>Raise</em> signs the same call for a"
                + " higher fee.</p>\n");
        if (all.isEmpty()) {
            html.tags("<p id=\"nothing\">None.</p>\n");
        }
        all.forEach(one -> row(html, one, views));
        views.links(html);
        return Answers.page(200, Views.end(html));
    }

    private void row(Html html, StoredTransaction one, Views views) {
        html.tags("<table class=\"transaction facts\">\n");
        html.fact("Tenant", one.tenant());
        html.hexFact("Transaction", "", one.hash().toPaddedHex());
        html.fact("State", one.state().shown() + (one.failureReason().isEmpty() ? "" : ": " + one.failureReason()));
        html.hexFact("Account and nonce", "nonce " + one.nonce(), one.sender().toPaddedHex());
        one.calls()
                .forEach(call -> html.hexFact(
                        "Contract and function",
                        call.function(),
                        call.contract().toPaddedHex()));
        html.fact("A replacement costs at most", Amounts.fee(Remedies.maxFee(one)));
        html.tags("</table>\n");
        views.form(html, "replace");
        html.tags("<input type=\"hidden\" name=\"hash\" value=\"")
                .text(one.hash().toPaddedHex())
                .tags("""
                    ">
                    <button name="how" value="cancel">Cancel</button>
                    <button name="how" value="raise">Raise</button>
                    </form>
                    """);
    }

    /** Replaces a transaction; the form is one of the views' session. */
    CompletionStage<Response> replace(Form form, Views views) {
        Remedies offered = remedies;
        Optional<StoredTransaction> found = offered == null
                ? Optional.empty()
                : offered.replaceable().stream()
                        .filter(one -> one.hash().toPaddedHex().equals(form.field("hash")))
                        .findFirst();
        if (offered == null || found.isEmpty()) {
            return CompletableFuture.completedStage(Answers.page(
                    409, views.message("Too late", "This transaction is settled, or has another one in its place.")));
        }
        CompletionStage<io.weir.l2.Felt> sent = form.field("how").equals("raise")
                ? offered.raise(found.get(), views.approver())
                : offered.cancel(found.get(), views.approver());
        return sent.handle((hash, failure) -> failure == null
                ? Answers.page(200, views.message("Sent", "The network took " + hash.toPaddedHex() + "."), Map.of())
                : Answers.page(
                        502,
                        views.message(
                                "Not sent",
                                String.valueOf(Waiting.unwrapped(failure).getMessage()))));
    }
}
