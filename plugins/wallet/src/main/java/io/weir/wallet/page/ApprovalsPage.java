package io.weir.wallet.page;

import io.weir.api.AdminPage;
import io.weir.api.AdminPage.Request;
import io.weir.api.RpcException;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalQueue.Claim;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.approval.Content;
import io.weir.wallet.page.Sessions.Session;
import io.weir.wallet.token.TokenSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The approvals page: finds what answers a request, and lets nobody decide who has not signed in. Thread-safe. */
public final class ApprovalsPage implements AdminPage {

    private static final Logger LOG = LoggerFactory.getLogger(ApprovalsPage.class);
    private static final String PATH = "approvals";
    /** The lines of 32 calls, each with two addresses and an amount. */
    private static final int MAX_SUMMARY = 8_000;

    private static final String AGAIN = "You have approved this request. Another person must approve it too.";

    private final ApprovalQueue queue;
    private final boolean anybodyApproves;
    private final SignIn signIn;
    private final Sessions sessions;
    private final Duration session;
    private final String path;
    private final Clock clock;
    private final byte[] style;
    private final byte[] script;
    private final TransactionPages transactions = new TransactionPages();
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
        this.signIn = new SignIn(settings.approvers(), nanos);
        this.sessions = new Sessions(random, nanos, settings.session());
        this.session = settings.session();
        this.marks = new Marks(queue);
        this.clock = clock;
        this.style = resource("approvals.css");
        this.script = resource("list.js");
    }

    private static byte[] resource(String name) {
        try (InputStream in = ApprovalsPage.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public String link() {
        int waiting = queue.waiting();
        return waiting == 0 ? "Approvals" : "Approvals: " + waiting + (waiting == 1 ? " waits" : " wait");
    }

    @Override
    public CompletionStage<Response> handle(Request request) {
        String[] names = request.subPath().split("/", 2);
        boolean foreign = isForeign(request);
        Session found = foreign ? null : sessions.find(names[0], SessionCookie.secrets(request));
        Sources offered = sources;
        Views views = new Views(path, found, offered == null ? null : offered.accounts());
        if (!anybodyApproves) {
            return done(views.say(
                    503,
                    "Approvals",
                    "Nobody can approve anything (expected: plugins.wallet.approver-sha256, or approvers)."));
        }
        String page = found == null ? request.subPath() : names.length < 2 ? "" : names[1];
        if (!request.method().equals("POST")) {
            return get(request, page, found == null ? null : views);
        }
        Form form = Form.of(request);
        if (form == null) {
            return done(views.say(
                    400, "Not understood", "The form cannot be read. Go back, reload the page, and try again."));
        }
        if (page.equals("sign-in") && !foreign) {
            return done(signIn(request, form));
        }
        if (found == null) {
            return done(Answers.page(403, views.signIn("You are not signed in, or no more.")));
        }
        if (!found.owns(form)) {
            return done(views.say(403, "Refused", "That form is not of your session."));
        }
        return post(request, page, form, found, views);
    }

    /**
     * Returns whether a page of another server sent the browser here, on another port of the host among others. Such a page can neither
     * use a session nor put a person into one of its own.
     */
    private static boolean isForeign(Request request) {
        String site = request.header("sec-fetch-site");
        return site != null && !site.equals("same-origin") && !site.equals("none");
    }

    /** From now on, the pages show what the wallet knows, and transactions that are held up can be replaced. */
    public void offer(Sources offered) {
        sources = offered;
        transactions.offer(offered);
    }

    private static CompletionStage<Response> done(Response response) {
        return CompletableFuture.completedStage(response);
    }

    private CompletionStage<Response> get(Request request, String page, @Nullable Views views) {
        if (request.subPath().equals("style.css")) {
            return done(Answers.file("text/css", style));
        }
        if (request.subPath().equals("list.js")) {
            return done(Answers.file("text/javascript", script));
        }
        if (views == null) {
            return done(Answers.page(200, new Views(path, null, null).signIn("")));
        }
        return switch (page) {
            case "" -> list(views);
            case "history" -> done(history(request, views));
            case "transactions" -> done(transactions.list(views));
            case "request" -> one(request.query().getOrDefault("id", ""), views);
            default -> done(views.say(404, "Not found", "There is no such page."));
        };
    }

    private CompletionStage<Response> list(Views views) {
        var parked = queue.parked();
        Sources offered = sources;
        CompletionStage<Map<String, TokenSnapshot>> tokens = offered == null
                ? CompletableFuture.completedStage(Map.of())
                : offered.tokens()
                        .symbols(parked.stream().map(one -> one.content()).toList());
        return tokens.thenApply(
                known -> Answers.scripted(new ListView(views, marks, known).of(parked, clock.instant())));
    }

    private CompletionStage<Response> one(String id, Views views) {
        var one = queue.find(id);
        Sources offered = sources;
        if (one == null) {
            return done(offered == null ? gone(id, views) : decided(offered, id, views));
        }
        CompletionStage<TokenSnapshot> tokens = offered == null
                ? CompletableFuture.completedStage(TokenSnapshot.NONE)
                : offered.tokens().read(one.content());
        return tokens.thenApply(
                known -> Answers.page(200, new RequestView(views, marks, known).of(one, clock.instant())));
    }

    private Response decided(Sources offered, String id, Views views) {
        return offered.decisions()
                .find(id)
                .map(entry -> Answers.page(200, new DecisionViews(views).result(entry, clock.instant())))
                .orElseGet(() -> gone(id, views));
    }

    private Response history(Request request, Views views) {
        Sources offered = sources;
        String before = request.query().get("before");
        List<DecisionHistory.Entry> entries =
                offered == null ? List.of() : offered.decisions().page(before);
        return Answers.page(200, new DecisionViews(views).history(entries, clock.instant()));
    }

    private CompletionStage<Response> post(Request request, String page, Form form, Session own, Views views) {
        return switch (page) {
            case "sign-out" -> {
                sessions.end(own);
                yield done(Answers.seeOther(path, SessionCookie.set("", views.path(), Duration.ZERO, request)));
            }
            case "decision" -> done(decide(form, views));
            case "replace" -> transactions.replace(form, views);
            default -> done(views.say(404, "Not found", "There is no such page."));
        };
    }

    private Response signIn(Request request, Form form) {
        SignIn.Result result = signIn.check(request.peer(), form.field("credential"));
        if (result.approver() != null) {
            String secret = sessions.begin(result.approver());
            String own = path + "/" + Sessions.nameOf(secret);
            return Answers.seeOther(own, SessionCookie.set(secret, own, session, request));
        }
        Views views = new Views(path, null, null);
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

    private Response decide(Form form, Views views) {
        String decision = form.field("decision");
        if (!decision.equals("approve") && !decision.equals("refuse")) {
            return views.say(400, "Not understood", "The form names no decision. Go back and press Approve or Refuse.");
        }
        String id = form.field("id");
        if (decision.equals("refuse")) {
            Claim refused = claim(id, views);
            if (refused == null) {
                return gone(id, views);
            }
            refused.refuse();
            return toResult(refused, views);
        }
        try {
            return switch (queue.approve(id, views.approver())) {
                case GONE -> gone(id, views);
                case REPEATED -> views.say(409, "Not enough", AGAIN);
                case NOTED -> Answers.seeOther(views.path(), Map.of());
                case LAST -> {
                    Claim claim = claim(id, views);
                    yield claim == null ? gone(id, views) : approve(claim, views);
                }
            };
        } catch (RpcException e) {
            return views.say(500, "Not approved", String.valueOf(e.getMessage()));
        }
    }

    private Response approve(Claim claim, Views views) {
        claim.record();
        if (claim.request().isForKey()) {
            return showKey(claim, views);
        }
        claim.approve();
        return toResult(claim, views);
    }

    private @Nullable Claim claim(String id, Views views) {
        Claim claim = queue.claim(id, views.approver());
        Sources offered = sources;
        if (claim != null && offered != null) {
            Content request = claim.request().content();
            Amounts amounts = new Amounts(offered.tokens().cached(request));
            claim.summarise(Html.shortened(String.join("; ", ListView.lines(request, amounts)), MAX_SUMMARY));
        }
        return claim;
    }

    private Response toResult(Claim claim, Views views) {
        String result = views.path() + "/request?id=" + claim.request().id();
        return Answers.seeOther(sources == null ? views.path() : result, Map.of());
    }

    /** In answer to the form itself: a page with an address of its own could be asked for twice. */
    private Response showKey(Claim claim, Views views) {
        byte @Nullable [] key = null;
        try {
            key = claim.openKey();
            Response shown = Answers.page(200, views.key(claim.request().content(), key));
            claim.approve();
            return shown;
        } catch (Exception e) {
            LOG.warn("approvals: a private key could not be opened: {}", e.toString());
            claim.fail();
            return views.say(500, "No key", "The key could not be opened; the log says why.");
        } finally {
            if (key != null) {
                Arrays.fill(key, (byte) 0);
            }
        }
    }

    /** Says which decision came first, or that none did. */
    private Response gone(String id, Views views) {
        Sources offered = sources;
        String first = offered == null
                ? ""
                : offered.decisions()
                        .find(id)
                        .map(entry -> "It came second: " + DecisionViews.decided(entry) + ".")
                        .orElse("");
        return views.say(
                409,
                "Too late",
                first.isEmpty()
                        ? "This request waits no more. Nobody decided in time, its callers have gone, or it never was."
                        : "Your decision does not count. " + first);
    }

    /**
     * The cookie that holds a session's secret. No script reads it, and no other site sends it. Browsers send cookies to every port of a
     * host. A server on another port gets this one only at the session's own path, which it cannot guess. Immutable.
     */
    private static final class SessionCookie {

        private static final String NAME = "weir-approver";

        private SessionCookie() {}

        /** Returns all secrets of a request, because other servers of the host can set cookies of the same name. */
        static List<String> secrets(Request request) {
            String header = request.header("cookie");
            return Stream.of(header == null ? new String[0] : header.split(";", -1))
                    .map(String::strip)
                    .filter(cookie -> cookie.startsWith(NAME + "="))
                    .map(cookie -> cookie.substring(NAME.length() + 1))
                    .toList();
        }

        /**
         * Returns the header that sets it, in answer to a request.
         *
         * @param path the session's
         * @param life how long the browser keeps it; zero takes it away
         */
        static Map<String, String> set(String secret, String path, Duration life, Request request) {
            String origin = request.header("origin");
            // The listener speaks HTTP. A browser that came by HTTPS sends the cookie no other way.
            String secure = origin != null && origin.startsWith("https://") ? "; Secure" : "";
            String attributes = "; HttpOnly; SameSite=Strict; Max-Age=" + life.toSeconds() + secure;
            return Map.of("Set-Cookie", NAME + "=" + secret + "; Path=" + path + attributes);
        }
    }
}
