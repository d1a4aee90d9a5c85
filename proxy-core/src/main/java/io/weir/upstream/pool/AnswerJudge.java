package io.weir.upstream.pool;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.NetworkKind;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.NodeError;
import io.weir.upstream.verdict.RetryPause;
import io.weir.upstream.verdict.Verdict;
import io.weir.upstream.verdict.Verdict.Lack;
import io.weir.upstream.verdict.Verdict.Then;
import java.net.URI;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Judge of one node's errors: it gives each its {@link Verdict}, and the form that clients may see. An error that is a refusal or a fault
 * of the node, such as a rate limit in words, becomes the failure of the matching HTTP status. Any other error stays an answer.
 * Thread-safe.
 */
public final class AnswerJudge {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;

    private static final Verdict OWN =
            Verdict.ofError(ErrorClass.EXECUTION_VERDICT, Lack.NOTHING, Then.FINAL, Verdict.OF_NETWORK);

    private static final Verdict UNREAD = Verdict.ofError(
            ErrorClass.CLIENT_MISTAKE,
            Lack.NOTHING,
            Then.ELSEWHERE_UNDONE,
            "a call that this node does not understand");

    private static final Verdict NOT_FOUND_HERE = Verdict.ofError(
            ErrorClass.LACKS_DATA, Lack.OBJECT, Then.ELSEWHERE, "an object that this node does not have");

    private static final ErrorTable TABLE = new ErrorTable();

    /** Wordings of one node that are logged. Nodes put numbers into them, and callers cause some. */
    private static final int MAX_WORDINGS = 32;

    private static final int MAX_LOGGED_CHARS = 200;

    private final NetworkKind kind;
    private final MethodCatalogue methods;
    private final Redaction redaction;
    private final RateLimitedLogger log = new RateLimitedLogger(LoggerFactory.getLogger(AnswerJudge.class));
    private final String node;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** @param kind tells which errors belong to the network itself, and which to one node */
    AnswerJudge(NetworkKind kind, MethodCatalogue methods, String network, UpstreamConfig config) {
        this.kind = kind;
        this.methods = methods;
        this.redaction = new Redaction(config);
        this.node = "network " + network + ": upstream " + config.id();
    }

    NodeOutcome judge(RpcCall call, NodeOutcome outcome) {
        if (!(outcome instanceof Answered answered) || !(answered.reply() instanceof RpcReply.Failure failure)) {
            return outcome;
        }
        String method = call.method();
        if (isAboutCall(answered.status())
                && kind.isFinalError(method, failure.error().code())) {
            // Not cleaned further: text that looks like a stack trace comes from a contract, not from the node's
            // program.
            RpcError own = redaction.clean(failure.error(), failure.error());
            RpcReply shown = new RpcReply.Failure(own, failure.kind(), failure.retryAfterSeconds());
            return new Answered(shown, answered.status(), OWN);
        }
        NodeError error = NodeError.of(methods.facts(method), call, failure.error(), answered.status());
        Verdict verdict = TABLE.verdict(error);
        if (isAboutCall(answered.status())) {
            verdict = ofKind(method, failure.error().code(), verdict);
        }
        NodeOutcome judged = judged(call, answered, error, verdict);
        if (verdict.is(ErrorClass.UNKNOWN) && methods.knows(method)) {
            logWording(method, ((RpcReply.Failure) ((Answered) judged).reply()).error());
        }
        return judged;
    }

    /** Logs each wording that the table does not know once, so that operators can report it. */
    private void logWording(String method, RpcError error) {
        String message = error.message()
                .substring(0, Math.min(MAX_LOGGED_CHARS, error.message().length()));
        String wording = error.code() + " " + message.replaceAll("0x[0-9a-fA-F]+|[0-9]+", "0");
        if (logged.size() < MAX_WORDINGS && logged.add(wording)) {
            log.warn(node + " answers " + method + " with an error in unknown words: " + error.code() + " " + message);
        }
    }

    /** Returns the meaning that the network's kind gives an error, or else that of the table. */
    private Verdict ofKind(String method, int code, Verdict verdict) {
        if (kind.isNotFound(method, code)) {
            return NOT_FOUND_HERE;
        }
        boolean mistake = verdict.is(ErrorClass.CLIENT_MISTAKE) || verdict.is(ErrorClass.UNKNOWN);
        return mistake && kind.isUnread(method, code) ? UNREAD : verdict;
    }

    /** Returns whether errors with this status may be about the call. Some nodes send such errors with 400, 404 or 500. */
    private static boolean isAboutCall(int status) {
        return status < 300 || status == BAD_REQUEST || status == NOT_FOUND || status >= SERVER_ERROR;
    }

    /** Returns the meaning of a probe's outcome. It differs in one point: a rate limit in words does not count against the node. */
    NodeOutcome judgeProbe(RpcCall call, NodeOutcome outcome) {
        if (outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Failure failure) {
            NodeError error = NodeError.ofProbe(call, failure.error(), answered.status());
            Verdict verdict = TABLE.verdict(error);
            if (verdict.is(ErrorClass.RATE_LIMITED)) {
                return judged(call, answered, error, verdict);
            }
        }
        return outcome;
    }

    /**
     * Returns the meaning of a subscription's outcome, with an error as clients may see it. An error says nothing about the
     * method, because it may be about the kind of subscription.
     */
    NodeOutcome judgeSubscription(RpcCall call, NodeOutcome outcome) {
        if (outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Failure failure) {
            NodeError error = NodeError.of(methods.facts(call.method()), call, failure.error(), answered.status());
            Verdict verdict = TABLE.verdict(error);
            return switch (verdict.effect()) {
                case NONE, ANSWERED, FAULT -> cleaned(answered, error, verdict);
                case THROTTLED, OUT -> judged(call, answered, error, verdict);
            };
        }
        return outcome;
    }

    private Answered cleaned(Answered answered, NodeError parsed, Verdict verdict) {
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        RpcError clean = redaction.clean(error, TABLE.clean(parsed, error, verdict));
        return new Answered(RpcReply.failure(clean), answered.status(), verdict);
    }

    private NodeOutcome judged(RpcCall call, Answered answered, NodeError parsed, Verdict verdict) {
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        String seen = "error " + error.code();
        return switch (verdict.effect()) {
            case NONE, ANSWERED -> cleaned(answered, parsed, verdict);
            case THROTTLED -> new Failed(Fault.RATE_LIMITED, Executed.NO, seen, RetryPause.ofRateLimit(error));
            case OUT -> new Failed(Fault.CREDENTIALS, Executed.NO, "refuses our credentials (" + seen + ")", 0);
            case FAULT -> {
                RpcReply said = cleaned(answered, parsed, verdict).reply();
                // Any caller can cause such codes with a method that no node knows.
                boolean counts = methods.knows(call.method());
                yield new Failed(Fault.SERVER_ERROR, Executed.MAYBE, seen, 0, null, counts, (RpcReply.Failure) said);
            }
        };
    }

    /**
     * Filter that hides a node's address and credentials. An error that contains one of them is reduced to its code, whatever
     * the case of its letters and however JSON or a URL escapes them. Hidden are the host with its port or domain, the path and
     * the query as a whole, user and password, each value of the query and of a header, and each word of the host and of the path that looks like a key. Such a word has eight characters with a letter and a digit, or twenty of
     * any kind. Other words, such as the
     * name of a chain, occur in harmless errors. Immutable and thread-safe.
     */
    public static final class Redaction {

        /** Characters. Shorter parts, such as the path {@code /} or a weight in a header, occur in harmless texts too. */
        private static final int MIN_CHARS = 6;

        private static final int MIN_KEY_CHARS = 8;
        private static final int MIN_LONG_CHARS = 20;

        /** A text within a text, such as the body of another answer, is escaped twice. */
        private static final int MAX_DECODINGS = 3;

        private static final String BASIC = "basic ";
        private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{Alnum}_~-]+");
        private static final Pattern BETWEEN_PAIRS = Pattern.compile("[&;,\\s]+");
        private static final Pattern ESCAPED =
                Pattern.compile("(?:%\\p{XDigit}{2})++|\\\\u(\\p{XDigit}{4})|\\\\(.)", Pattern.DOTALL);

        private final Set<String> secrets = new LinkedHashSet<>();

        public Redaction(UpstreamConfig config) {
            addUrl(config.url());
            addUrl(config.wsUrl());
            config.headers().values().forEach(this::addHeader);
        }

        private void addUrl(@Nullable URI url) {
            if (url == null) {
                return;
            }
            String host = String.valueOf(url.getHost());
            add(url.getRawAuthority());
            add(host + ':' + url.getPort());
            addKeys(host);
            if (host.indexOf('.') >= 0 || host.indexOf(':') >= 0) {
                add(host);
            }
            add(url.getRawPath());
            addKeys(String.valueOf(url.getRawPath()));
            if (url.getRawUserInfo() != null) {
                addUser(url.getRawUserInfo());
                String pair = decoded(url.getRawUserInfo());
                add(base64(pair.indexOf(':') < 0 ? pair + ':' : pair));
            }
            String query = url.getRawQuery();
            if (query != null) {
                add(query);
                BETWEEN_PAIRS.splitAsStream(query).map(Redaction::value).forEach(value -> {
                    add(value);
                    add(value.replace('+', ' '));
                });
            }
        }

        private static String base64(String pair) {
            return Base64.getEncoder().withoutPadding().encodeToString(pair.getBytes(UTF_8));
        }

        private static String value(String pair) {
            return pair.substring(pair.indexOf('=') + 1);
        }

        private void addUser(String pair) {
            int colon = pair.indexOf(':');
            add(pair);
            add(colon < 0 ? null : pair.substring(0, colon));
            add(pair.substring(colon + 1));
        }

        private void addHeader(String value) {
            add(value);
            addKeys(value);
            String last = value.strip().substring(value.strip().lastIndexOf(' ') + 1);
            Stream.concat(Stream.of(last), BETWEEN_PAIRS.splitAsStream(value).filter(word -> word.indexOf('=') >= 0))
                    .map(word -> value(word).replace("\"", ""))
                    .filter(word -> word.length() >= MIN_KEY_CHARS)
                    .forEach(this::add);
            add(last.length() >= MIN_KEY_CHARS ? last : null);
            if (value.toLowerCase(Locale.ROOT).startsWith(BASIC)) {
                try {
                    addUser(new String(Base64.getDecoder().decode(last), UTF_8));
                } catch (IllegalArgumentException e) {
                    // Its value is hidden as it is.
                }
            }
        }

        private void addKeys(String part) {
            BETWEEN_WORDS.splitAsStream(decoded(part)).filter(Redaction::isKey).forEach(this::add);
        }

        private static boolean isKey(String word) {
            boolean mixed =
                    word.chars().anyMatch(Character::isDigit) && word.chars().anyMatch(Character::isLetter);
            return word.length() >= (mixed ? MIN_KEY_CHARS : MIN_LONG_CHARS);
        }

        private void add(@Nullable String part) {
            if (part != null && part.length() >= MIN_CHARS) {
                secrets.add(part.toLowerCase(Locale.ROOT));
                secrets.add(decoded(part).toLowerCase(Locale.ROOT));
            }
        }

        /**
         * Returns an error in the form that clients and logs may see.
         *
         * @param said the error as the node sent it
         * @param shown the same error, perhaps shortened already
         */
        public RpcError clean(RpcError said, RpcError shown) {
            return isNamedIn(said)
                    ? new RpcError(
                            shown.code(), ErrorCode.INTERNAL_ERROR.error().message(), null)
                    : shown;
        }

        private boolean isNamedIn(RpcError error) {
            RawJson data = error.data();
            String text = data == null ? error.message() : error.message() + ' ' + data;
            for (int i = 0; i <= MAX_DECODINGS; i++) {
                String lower = text.toLowerCase(Locale.ROOT);
                if (secrets.stream().anyMatch(lower::contains)) {
                    return true;
                }
                String decoded = decoded(text);
                if (decoded.equals(text)) {
                    return false;
                }
                text = decoded;
            }
            return false;
        }

        /** Returns a text without one layer of the escapes of URLs and of JSON. */
        private static String decoded(String text) {
            return text.indexOf('%') < 0 && text.indexOf('\\') < 0
                    ? text
                    : ESCAPED.matcher(text).replaceAll(escape -> Matcher.quoteReplacement(plain(escape)));
        }

        private static String plain(MatchResult escape) {
            if (escape.group(1) != null) {
                return String.valueOf((char) HexFormat.fromHexDigits(escape.group(1)));
            }
            return escape.group(2) != null
                    ? escape.group(2)
                    : new String(HexFormat.of().parseHex(escape.group().replace("%", "")), UTF_8);
        }
    }
}
