package io.weir.wallet.page;

import io.weir.api.AdminPage.Response;
import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Request;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.page.DecisionHistory.Entry;
import io.weir.wallet.page.Sessions.Session;
import io.weir.wallet.send.Remedies;
import io.weir.wallet.state.StateException;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.token.TokenSnapshot;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of a person, or of somebody who has not signed in. Finds what each template shows. Immutable; blocks.
 *
 * @param base the address below which all pages are, without a slash at the end
 * @param sources null until the wallet has started
 */
record Views(
        String base, @Nullable Session session, @Nullable Sources sources, ApprovalQueue queue, Clock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(Views.class);

    /** Returns the address of the list. */
    String path() {
        return session == null ? base : base + "/" + session.name();
    }

    /** Returns the name of the person. */
    String approver() {
        return session == null ? "" : session.approver();
    }

    /**
     * Returns a label like {@code account 3 of demo (usual)}, which a person recognises sooner than an address. Empty if the account is not
     * stored.
     *
     * @param chainId the chain as it is shown
     */
    String label(String tenant, String chainId, Felt address) {
        try {
            return Optional.ofNullable(sources)
                    .flatMap(known -> known.accounts().find(tenant, L2Networks.parse(chainId), address))
                    .map(account -> "account " + account.addressIndex() + " of " + tenant + " (" + account.kind() + ")")
                    .orElse("");
        } catch (StateException e) {
            LOG.warn("the page shows an account without its label: {}", e.getMessage());
            return "";
        }
    }

    /** Answers with a page. Its template gets these values, the time and the views themselves. */
    Response page(int status, String template, Map<String, Object> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.put("views", this);
        all.put("now", clock.instant());
        return Answers.page(status, Html.of(template, all));
    }

    /** Answers with a page that says one thing. */
    Response say(int status, String title, String text) {
        return page(status, "say", Map.of("title", title, "text", text));
    }

    /** Answers with the form for the credential. */
    Response signIn(int status, String notice) {
        return page(status, "signIn", Map.of("notice", notice));
    }

    /** Answers with the waiting requests. The page loads itself again, so nothing on it decides anything. */
    CompletionStage<Response> list() {
        List<Request> waiting = queue.parked();
        CompletionStage<Map<String, TokenSnapshot>> tokens = sources == null
                ? CompletableFuture.completedStage(Map.of())
                : sources.tokens()
                        .symbols(waiting.stream().map(Request::content).toList());
        return tokens.thenApply(
                known -> Answers.scripted(page(200, "list", Map.of("waiting", waiting, "tokens", known))));
    }

    /** Answers with a request that waits, with the two buttons, or else with the decision on it. */
    CompletionStage<Response> request(String id) {
        Request one = queue.find(id);
        if (one == null) {
            return CompletableFuture.completedStage(decision(id)
                    .map(entry -> page(200, "decision", Map.of("entry", entry)))
                    .orElseGet(() -> gone(id)));
        }
        CompletionStage<TokenSnapshot> tokens = sources == null
                ? CompletableFuture.completedStage(TokenSnapshot.NONE)
                : sources.tokens().read(one.content());
        return tokens.thenApply(known -> page(200, "request", Map.of("one", one, "amounts", new Amounts(known))));
    }

    /** Says which decision on a request came first, or that none did. */
    Response gone(String id) {
        String first = decision(id)
                .map(entry -> "Your decision does not count. It came second: " + entry.decided() + ".")
                .orElse("This request waits no more. Nobody decided in time, its callers have gone, or it never was.");
        return say(409, "Too late", first);
    }

    private Optional<Entry> decision(String id) {
        return sources == null ? Optional.empty() : sources.decisions().find(id);
    }

    /** Answers with decisions, the newest first: those before that on a request, if one is named. */
    Response history(@Nullable String before) {
        List<Entry> entries = sources == null ? List.of() : sources.decisions().page(before);
        return page(200, "history", Map.of("entries", entries));
    }

    /** Answers with the transactions on their way, each with its two buttons. */
    Response transactions() {
        List<StoredTransaction> all =
                sources == null ? List.of() : sources.remedies().replaceable();
        return page(200, "transactions", Map.of("all", all));
    }

    /** Returns the amounts of a request, with the tokens that are known already. */
    Amounts cached(Content request) {
        return new Amounts(
                sources == null ? TokenSnapshot.NONE : sources.tokens().cached(request));
    }

    /** Returns the request that a transaction could have come from. */
    static Content contentOf(StoredTransaction one) {
        return Content.ofCalls(
                new Content.Origin(one.tenant(), "", new L2Network("", one.chainId())),
                one.sender(),
                Remedies.requestedCalls(one.calls()),
                one.maxFee());
    }
}
