package io.weir.wallet.page;

import io.weir.api.AdminPage;
import io.weir.api.RpcException;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.approval.Claim;
import io.weir.wallet.approval.ParkedRequest;
import io.weir.wallet.state.StoredDecision;
import io.weir.wallet.token.TokenSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The approvals page: finds what answers a request, and lets nobody decide who has not signed in. Thread-safe. */
public final class ApprovalsPage implements AdminPage {

    private static final Logger LOG = LoggerFactory.getLogger(ApprovalsPage.class);
    private static final String PATH = "approvals";
    private static final String AGAIN = "You have approved this request. Another person must approve it too.";

    private final ApprovalQueue queue;
    private final boolean anybodyApproves;
    private final SignIn signIn;
    private final Sessions sessions;
    private final SessionCookie cookie;
    private final Views views;
    private final String path;
    private final Clock clock;
    private final byte[] style;
    private final TransactionPages transactions;
    private final DecisionViews decisions;
    private final Marks marks;
    private volatile @Nullable Sources sources;

    /**
     * The page of a plugin.
     *
     * @param nanos a clock like {@link System#nanoTime}
     */
    public ApprovalsPage(
            String pluginId,
            ApprovalQueue queue,
            ApprovalSettings settings,
            Clock clock,
            LongSupplier nanos,
            SecureRandom random) {
        this.queue = queue;
        this.path = "/plugins/" + pluginId + "/" + PATH;
        this.anybodyApproves = settings.hasApprover();
        this.signIn = new SignIn(new Approvers(settings.approvers()), settings.signIn(), nanos);
        this.sessions = new Sessions(random, nanos, settings.session());
        this.cookie = new SessionCookie(path);
        this.marks = new Marks(queue);
        this.views = new Views(path);
        this.clock = clock;
        this.transactions = new TransactionPages(views);
        this.decisions = new DecisionViews(views, this::label);
        this.style = resource();
    }

    private static byte[] resource() {
        try (InputStream in = ApprovalsPage.class.getResourceAsStream("approvals.css")) {
            return Objects.requireNonNull(in, "approvals.css").readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public CompletionStage<Response> handle(Request request) {
        if (request.method().equals("POST") && request.subPath().equals("replace")) {
            return replace(request);
        }
        return answer(request);
    }

    /** From now on, the pages show what the wallet knows, and transactions that are held up can be replaced. */
    public void offer(Sources offered) {
        sources = offered;
        transactions.offer(offered.remedies());
    }

    private CompletionStage<Response> replace(Request request) {
        Form form = Form.of(request);
        Sessions.Session session = sessions.find(cookie.secret(request));
        if (form == null || session == null || !session.owns(form)) {
            return CompletableFuture.completedStage(
                    Answers.page(403, views.message("Refused", "That form is not of your session.")));
        }
        return transactions.replace(form, session);
    }

    private CompletionStage<Response> answer(Request request) {
        if (!anybodyApproves) {
            return done(Answers.page(
                    503,
                    views.message(
                            "Approvals",
                            "Nobody can approve anything (expected: plugins.wallet.approver-sha256, or approvers).")));
        }
        if (request.method().equals("POST")) {
            Form form = Form.of(request);
            return done(
                    form == null
                            ? Answers.page(400, views.message("Not understood", "That is no form of this page."))
                            : post(request, form));
        }
        return get(request);
    }

    private static CompletionStage<Response> done(Response response) {
        return CompletableFuture.completedStage(response);
    }

    private CompletionStage<Response> get(Request request) {
        if (request.subPath().equals("style.css")) {
            return done(Answers.style(style));
        }
        Sessions.Session session = sessions.find(cookie.secret(request));
        if (session == null) {
            return done(Answers.page(200, views.signIn("")));
        }
        return switch (request.subPath()) {
            case "" -> list(session);
            case "history" -> done(history(request));
            case "transactions" -> done(transactions.list(session));
            case "request" -> one(request.query().getOrDefault("id", ""), session);
            default -> done(Answers.page(404, views.message("Not found", "There is no such page.")));
        };
    }

    private CompletionStage<Response> list(Sessions.Session session) {
        List<ParkedRequest> parked = queue.parked();
        Sources offered = sources;
        CompletionStage<Map<String, TokenSnapshot>> tokens = offered == null
                ? CompletableFuture.completedStage(Map.of())
                : offered.tokens()
                        .symbols(parked.stream().map(ParkedRequest::request).toList());
        return tokens.thenApply(known ->
                Answers.page(200, new ListView(views, marks, known, this::label).of(parked, clock.instant(), session)));
    }

    private String label(ApprovalRequest request) {
        Sources offered = sources;
        return offered == null ? "" : offered.accounts().of(request);
    }

    private String label(StoredDecision decision) {
        Sources offered = sources;
        return offered == null ? "" : offered.accounts().of(decision.tenant(), decision.chain(), decision.account());
    }

    private CompletionStage<Response> one(String id, Sessions.Session session) {
        ParkedRequest one = queue.find(id);
        Sources offered = sources;
        if (one == null) {
            return done(offered == null ? gone() : decided(offered, id));
        }
        CompletionStage<TokenSnapshot> tokens = offered == null
                ? CompletableFuture.completedStage(TokenSnapshot.NONE)
                : offered.tokens().read(one.request());
        return tokens.thenApply(known -> Answers.page(
                200, new RequestView(views, marks, known, label(one.request())).of(one, clock.instant(), session)));
    }

    private Response decided(Sources offered, String id) {
        return offered.decisions()
                .find(id)
                .map(entry -> Answers.page(200, decisions.result(entry, clock.instant())))
                .orElseGet(this::gone);
    }

    private Response history(Request request) {
        Sources offered = sources;
        long before;
        try {
            before = Long.parseLong(request.query().getOrDefault("before", "" + Long.MAX_VALUE));
        } catch (NumberFormatException e) {
            return Answers.page(400, views.message("Not understood", "before: not usable (expected: a number)."));
        }
        List<DecisionHistory.Entry> entries =
                offered == null ? List.of() : offered.decisions().page(before);
        return Answers.page(200, decisions.history(entries, clock.instant()));
    }

    private Response post(Request request, Form form) {
        if (request.subPath().equals("sign-in")) {
            return signIn(request, form);
        }
        Sessions.Session session = sessions.find(cookie.secret(request));
        if (session == null) {
            return Answers.page(403, views.signIn("You are not signed in, or no more."));
        }
        if (!session.owns(form)) {
            return Answers.page(403, views.message("Refused", "That form is not of your session."));
        }
        return switch (request.subPath()) {
            case "sign-out" -> {
                sessions.end(cookie.secret(request));
                yield Answers.seeOther(path, cookie.clear(request));
            }
            case "decision" -> decide(form, session);
            default -> Answers.page(404, views.message("Not found", "There is no such page."));
        };
    }

    private Response signIn(Request request, Form form) {
        SignIn.Result result = signIn.check(request.peer(), form.field("credential"));
        if (result.approver() != null) {
            sessions.end(cookie.secret(request));
            return Answers.seeOther(path, cookie.set(sessions.begin(result.approver()), request));
        }
        if (result.waitSeconds() > 0) {
            String seconds = String.valueOf(result.waitSeconds());
            return Answers.page(
                    429,
                    views.signIn("Too many wrong credentials from your address. Try again in " + seconds + " s."),
                    Map.of("Retry-After", seconds));
        }
        LOG.warn("approvals: a wrong credential from {}", request.peer().getHostAddress());
        return Answers.page(403, views.signIn("That is no approver's credential."));
    }

    private Response decide(Form form, Sessions.Session session) {
        String decision = form.field("decision");
        if (!decision.equals("approve") && !decision.equals("refuse")) {
            return Answers.page(400, views.message("Not understood", "That is no decision."));
        }
        String id = form.field("id");
        if (decision.equals("refuse")) {
            Claim refused = queue.claim(id, session.approver());
            if (refused == null) {
                return gone();
            }
            note(refused, false, session.approver());
            refused.refuse();
            return toResult(refused);
        }
        try {
            return switch (queue.approve(id, session.approver())) {
                case GONE -> gone();
                case REPEATED -> Answers.page(409, views.message("Not enough", AGAIN));
                case NOTED -> Answers.seeOther(path, Map.of());
                case LAST -> approve(queue.claim(id, session.approver()), session.approver());
            };
        } catch (RpcException e) {
            return Answers.page(500, views.message("Not approved", String.valueOf(e.getMessage())));
        }
    }

    private Response approve(@Nullable Claim claim, String approver) {
        if (claim == null) {
            return gone();
        }
        claim.record();
        note(claim, true, claim.parked().votes().with(approver).names());
        if (claim.parked().forKey()) {
            return showKey(claim);
        }
        claim.approve();
        return toResult(claim);
    }

    /** Before the decision takes effect, so that its result finds it. */
    private void note(Claim claim, boolean approved, String by) {
        Sources offered = sources;
        if (offered != null) {
            ParkedRequest one = claim.parked();
            Amounts amounts = new Amounts(offered.tokens().cached(one.request()));
            offered.decisions().note(one, approved, by, amounts, clock.instant());
        }
    }

    private Response toResult(Claim claim) {
        String result = path + "/request?id=" + claim.parked().id();
        return Answers.seeOther(sources == null ? path : result, Map.of());
    }

    /** In answer to the form itself: a page with an address of its own could be asked for twice. */
    private Response showKey(Claim claim) {
        byte @Nullable [] key = null;
        try {
            key = claim.openKey();
            Response shown = Answers.page(200, views.key(claim.parked().request(), key));
            claim.approve();
            return shown;
        } catch (Exception e) {
            LOG.warn("approvals: a private key could not be opened: {}", e.toString());
            claim.fail();
            return Answers.page(500, views.message("No key", "The key could not be opened; the log says why."));
        } finally {
            if (key != null) {
                Arrays.fill(key, (byte) 0);
            }
        }
    }

    private Response gone() {
        return Answers.page(
                409,
                views.message(
                        "Too late",
                        "This request waits no more: it was decided on, its time was over, or it never was."));
    }
}
