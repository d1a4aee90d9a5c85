package io.weir.wallet.page;

import io.weir.api.AdminPage;
import io.weir.api.AdminPage.Request;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalQueue.Claim;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.approval.Content;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.page.Sessions.Session;
import io.weir.wallet.state.StoredTransaction;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
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
    private final Map<String, Response> files;
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
        this.clock = clock;
        this.files = Map.of(
                "style.css", Answers.file("text/css", resource("approvals.css")),
                "list.js", Answers.file("text/javascript", resource("list.js")));
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
        Views views = new Views(path, found, sources, queue, clock);
        if (!anybodyApproves) {
            return done(views.say(
                    503,
                    "Approvals",
                    "Nobody can approve anything (expected: plugins.wallet.approver-sha256, or approvers)."));
        }
        String page = found == null ? request.subPath() : names.length < 2 ? "" : names[1];
        if (!request.method().equals("POST")) {
            return get(request, page, views);
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
            return done(views.signIn(403, "You are not signed in, or no more."));
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
    }

    private static CompletionStage<Response> done(Response response) {
        return CompletableFuture.completedStage(response);
    }

    private CompletionStage<Response> get(Request request, String page, Views views) {
        Response file = files.get(request.subPath());
        if (file != null) {
            return done(file);
        }
        if (views.session() == null) {
            return done(views.signIn(200, ""));
        }
        return switch (page) {
            case "" -> views.list();
            case "history" -> done(views.history(request.query().get("before")));
            case "transactions" -> done(views.transactions());
            case "request" -> views.request(request.query().getOrDefault("id", ""));
            default -> done(views.say(404, "Not found", "There is no such page."));
        };
    }

    private CompletionStage<Response> post(Request request, String page, Form form, Session own, Views views) {
        return switch (page) {
            case "sign-out" -> {
                sessions.end(own);
                yield done(Answers.seeOther(path, SessionCookie.set("", views.path(), Duration.ZERO, request)));
            }
            case "decision" -> done(decide(form, views));
            case "replace" -> replace(form, views);
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
        Views views = new Views(path, null, sources, queue, clock);
        if (result.waitSeconds() > 0) {
            String seconds = String.valueOf(result.waitSeconds());
            return Answers.with(
                    Map.of("Retry-After", seconds),
                    views.signIn(429, "Too many wrong credentials from your address. Try again in " + seconds + " s."));
        }
        LOG.warn("approvals: a wrong credential from {}", request.peer().getHostAddress());
        return views.signIn(403, "That is no approver's credential.");
    }

    private Response decide(Form form, Views views) {
        String decision = form.field("decision");
        if (!decision.equals("approve") && !decision.equals("refuse")) {
            return views.say(400, "Not understood", "The form names no decision. Go back and press Approve or Refuse.");
        }
        String id = form.field("id");
        if (decision.equals("refuse")) {
            return claim(id, views, claim -> {
                claim.refuse();
                return toResult(claim, views);
            });
        }
        try {
            return switch (queue.approve(id, views.approver())) {
                case GONE -> views.gone(id);
                case REPEATED -> views.say(409, "Not enough", AGAIN);
                case NOTED -> Answers.seeOther(views.path(), Map.of());
                case LAST -> claim(id, views, claim -> approve(claim, views));
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

    /** Takes a request out of the queue, for the decision of a person. */
    private Response claim(String id, Views views, Function<Claim, Response> decision) {
        Claim claim = queue.claim(id, views.approver());
        if (claim == null) {
            return views.gone(id);
        }
        if (views.sources() != null) {
            Content request = claim.request().content();
            String lines = String.join("; ", views.cached(request).lines(request));
            claim.summarise(Html.shortened(lines, MAX_SUMMARY));
        }
        return decision.apply(claim);
    }

    private Response toResult(Claim claim, Views views) {
        String result = views.path() + "/request?id=" + claim.request().id();
        return Answers.seeOther(views.sources() == null ? views.path() : result, Map.of());
    }

    /** In answer to the form itself: a page with an address of its own could be asked for twice. */
    private Response showKey(Claim claim, Views views) {
        byte @Nullable [] key = null;
        try {
            key = claim.openKey();
            Response shown =
                    views.page(200, "key", Map.of("request", claim.request().content(), "key", key));
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

    /** Replaces a transaction, or asks once more before. */
    private static CompletionStage<Response> replace(Form form, Views views) {
        Sources known = views.sources();
        Optional<StoredTransaction> found = known == null
                ? Optional.empty()
                : known.remedies().replaceable().stream()
                        .filter(one -> one.hash().toPaddedHex().equals(form.field("hash")))
                        .findFirst();
        if (known == null || found.isEmpty()) {
            return done(views.say(409, "Too late", "This transaction is settled, or has another one in its place."));
        }
        boolean raises = form.field("how").equals("raise");
        if (!form.field("sure").equals("yes")) {
            return done(views.page(200, "replace", Map.of("one", found.get(), "raises", raises)));
        }
        CompletionStage<Felt> sent = raises
                ? known.remedies().raise(found.get(), views.approver())
                : known.remedies().cancel(found.get(), views.approver());
        return sent.handle((hash, failure) -> failure == null
                ? views.say(200, "Sent", "The network took " + hash.toPaddedHex() + ".")
                : views.say(
                        502,
                        "Not sent",
                        String.valueOf(Waiting.unwrapped(failure).getMessage())));
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
