package io.weir.wallet.request;

import io.weir.api.MethodCall;
import io.weir.api.RpcException;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.approval.Request;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.name.Fingerprint;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.StoredRequest;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/**
 * The requests on their way. Calls with the same request id, and equal calls without one of which one waits for a person, share one
 * request and thus one approval. Thread-safe; blocks on the database.
 */
public final class Requests {
    /** The parameter with the id that a caller gives to a request. */
    public static final String REQUEST_ID = "requestId";

    /** The parameter by which a request waits on after its caller has left. */
    public static final String DETACHED = "detached";

    private static final int MAX_ID = 128;
    private static final int ID_BYTES = 16;

    private final Approvals approvals;
    private final RequestMemory memory;
    private final Duration afterwards;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    /** By tenant and request id; for as long as they are on their way. */
    private final Map<Key, Request> named = new HashMap<>();
    /** By tenant and fingerprint those without an id that wait for a person; as many at most as may wait. */
    private final Map<Key, Request> waiting = new HashMap<>();

    private record Key(String tenant, String name) {
        static Key ofWaiting(Request request) {
            return new Key(request.tenant(), request.fingerprint());
        }
    }

    /**
     * Makes a registry.
     *
     * @param afterwards the time that a call is given once it is approved
     */
    public Requests(Approvals approvals, RequestMemory memory, Duration afterwards, InstantSource clock) {
        this.approvals = approvals;
        this.memory = memory;
        this.afterwards = afterwards;
        this.clock = clock;
    }

    /**
     * Does work for a call, or lets the call wait for an equal request, or answers what an earlier one of its id came to.
     *
     * @param work is called once for all calls that share the request
     * @throws RpcException when the request id belongs to another request
     */
    public CompletionStage<JsonNode> run(SnapCall call, Function<Request, CompletionStage<JsonNode>> work) {
        Request begun = request(call);
        boolean isDetached = call.arguments().flag(DETACHED);
        Request request;
        synchronized (this) {
            Request open = open(begun);
            if (open == null) {
                CompletionStage<JsonNode> earlier = memory.recall(begun);
                if (earlier != null) {
                    return earlier;
                }
                begin(begun, call);
            }
            request = open == null ? begun : open;
            request.join(call.host(), isDetached);
        }
        call.host().onCallerGone(() -> left(request));
        if (request == begun) {
            start(request, work);
        } else {
            call.host().extendDeadline(approvals.timeout().plus(afterwards));
        }
        return request.result().copy();
    }

    private Request request(SnapCall call) {
        Arguments arguments = call.arguments();
        String id = arguments.optionalName(REQUEST_ID).orElse(null);
        if (id != null && (id.length() > MAX_ID || !id.chars().allMatch(letter -> letter > ' ' && letter < 127))) {
            throw SnapErrors.invalidParams(Arguments.path(REQUEST_ID) + ": not usable (expected: 1 to " + MAX_ID
                    + " visible ASCII characters)");
        }
        if (id == null && arguments.flag(DETACHED)) {
            throw SnapErrors.invalidParams(Arguments.path(DETACHED) + ": true (expected: with a " + REQUEST_ID
                    + ", by which the result can be asked for)");
        }
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return new Request(HexFormat.of().formatHex(bytes), call.tenant(), id, Fingerprints.of(call));
    }

    /** Returns the request on its way that a call joins, or null. */
    private @Nullable Request open(Request begun) {
        String id = begun.requestId();
        if (id == null) {
            Request equal = waiting.get(Key.ofWaiting(begun));
            return equal != null && equal.state() == RequestState.WAITING ? equal : null;
        }
        Request open = named.get(new Key(begun.tenant(), id));
        if (open != null && open.state() == RequestState.WITHDRAWN) {
            return null;
        }
        if (open != null && !open.fingerprint().equals(begun.fingerprint())) {
            throw RequestMemory.otherContent();
        }
        return open;
    }

    private void begin(Request request, SnapCall call) {
        String id = request.requestId();
        if (id != null) {
            memory.begin(new StoredRequest(
                    request.id(),
                    request.tenant(),
                    id,
                    call.method(),
                    call.network().chainId(),
                    request.fingerprint(),
                    clock.instant()));
            named.put(new Key(request.tenant(), id), request);
        }
    }

    private void start(Request request, Function<Request, CompletionStage<JsonNode>> work) {
        CompletionStage<JsonNode> stage;
        try {
            stage = work.apply(request);
        } catch (RuntimeException | Error e) {
            stage = CompletableFuture.failedStage(e);
        }
        stage.whenComplete((value, failure) -> end(request, value, failure));
    }

    private void end(Request request, @Nullable JsonNode value, @Nullable Throwable failure) {
        RuntimeException error = failure == null ? null : Waiting.unwrapped(failure);
        try {
            memory.end(request, value, error);
        } finally {
            synchronized (this) {
                String id = request.requestId();
                if (id != null) {
                    named.remove(new Key(request.tenant(), id), request);
                }
                waiting.remove(Key.ofWaiting(request), request);
            }
            if (error != null) {
                request.result().completeExceptionally(error);
            } else {
                request.result().complete(value);
            }
        }
    }

    /** Whether a tenant's messages may be signed that name no chain. */
    public boolean signsWithoutChain(String tenant) {
        return approvals.signsWithoutChain(tenant);
    }

    /** Goes on, on the plugin's executor, once it is approved; otherwise fails as wallets do. */
    public CompletionStage<JsonNode> ask(
            Request request, Content content, Supplier<CompletionStage<JsonNode>> approved) {
        return then(request, approvals.ask(request, content, patience(request)), approved);
    }

    /** Shows a key; see {@link Approvals#reveal}. */
    public CompletionStage<JsonNode> reveal(Request request, Content.Key content, Approvals.KeySource key) {
        return then(
                request,
                approvals.reveal(request, content, key, patience(request)),
                () -> CompletableFuture.completedStage(NullNode.getInstance()));
    }

    private CompletionStage<JsonNode> then(
            Request request, CompletionStage<Decision> asked, Supplier<CompletionStage<JsonNode>> approved) {
        if (!asked.toCompletableFuture().isDone()) {
            Request leader = await(request);
            if (leader != request) {
                return leader.result().copy();
            }
        }
        return asked.thenComposeAsync(
                decision -> {
                    decided(request, decision);
                    return approved.get();
                },
                first(request).executor());
    }

    private static MethodCall first(Request request) {
        return request.hosts().get(0);
    }

    /** Returns the time for the person. It is half of the host's time if that is less than both need. */
    private Duration patience(Request request) {
        Duration wanted = approvals.timeout();
        Duration given = first(request).extendDeadline(wanted.plus(afterwards));
        Duration before = given.minus(afterwards);
        Duration half = given.dividedBy(2);
        Duration most = before.compareTo(half) > 0 ? before : half;
        return most.compareTo(wanted) < 0 ? most : wanted;
    }

    /**
     * Notes that a request waits for a person. Returns the request whose result its callers get: an equal one that waits already,
     * or itself.
     */
    private Request await(Request request) {
        if (request.state() == RequestState.WITHDRAWN) {
            approvals.withdraw(request.id());
            return request;
        }
        if (request.requestId() != null) {
            return request;
        }
        Request leader;
        synchronized (this) {
            Request found = waiting.get(Key.ofWaiting(request));
            leader = found != null && found.state() == RequestState.WAITING ? found : request;
            waiting.put(Key.ofWaiting(request), leader);
        }
        if (leader == request || !approvals.withdraw(request.id())) {
            return request;
        }
        leader.adopt(request);
        return leader;
    }

    /**
     * Notes a decision, and gives the calls the time for what follows.
     *
     * @throws RpcException when it is no approval
     */
    private void decided(Request request, Decision decision) {
        switch (decision) {
            case APPROVED -> {
                if (!request.move(RequestState.APPROVED)) {
                    memory.lapsed(request);
                    throw end(request, RequestState.WITHDRAWN, SnapErrors.failed("withdrawn: its callers have gone"));
                }
                memory.approved(request);
                request.hosts().forEach(host -> host.extendDeadline(afterwards));
            }
            case REFUSED -> throw end(request, RequestState.REFUSED, SnapErrors.userRejected());
            case FORBIDDEN -> throw end(request, RequestState.REFUSED, SnapErrors.forbidden());
            case TIMED_OUT ->
                throw end(request, RequestState.TIMED_OUT, SnapErrors.failed("expired: nobody decided in time"));
            case WITHDRAWN ->
                throw end(request, RequestState.WITHDRAWN, SnapErrors.failed("withdrawn: its callers have gone"));
            case STOPPED ->
                throw end(request, RequestState.WITHDRAWN, SnapErrors.failed("withdrawn: the wallet stops"));
            default -> throw new IllegalStateException("decision: " + decision);
        }
    }

    private static RpcException end(Request request, RequestState state, RpcException error) {
        request.move(state);
        return error;
    }

    private void left(Request request) {
        Request unwanted = request.leave();
        if (unwanted != null) {
            approvals.withdraw(unwanted.id());
        }
    }

    /** The hash of what a call asks for, by which equal requests of a tenant are found. Thread-safe. */
    private static final class Fingerprints {

        private static final String MESSAGE = "typedDataMessage";

        /** The parameters that say how a request is asked, not for what; its chain is hashed as the call's. */
        private static final Set<String> LEFT_OUT = Set.of(Requests.REQUEST_ID, Requests.DETACHED, "chainId");

        private Fingerprints() {}

        /**
         * Returns the hash of a call's method, chain and parameters, which neither their order nor the spelling of their numbers changes. A
         * typed message stays as it is, because a text in it may mean something else than the number that it looks like.
         */
        static String of(SnapCall call) {
            StringBuilder text = new StringBuilder();
            write(call.method(), false, text);
            write(call.network().chainId().toHex(), false, text);
            write(call.arguments().tree(), LEFT_OUT, true, text);
            return Fingerprint.hex(text.toString());
        }

        private static void write(JsonNode node, Set<String> without, boolean numbers, StringBuilder out) {
            if (node.isObject()) {
                Map<String, JsonNode> sorted = new TreeMap<>();
                node.properties().forEach(member -> sorted.put(member.getKey(), member.getValue()));
                without.forEach(sorted::remove);
                out.append('{');
                sorted.forEach((name, value) -> {
                    out.append(name.length()).append(':').append(name);
                    write(value, Set.of(), numbers && !MESSAGE.equals(name), out);
                });
                out.append('}');
            } else if (node.isArray()) {
                out.append('[');
                node.forEach(element -> write(element, Set.of(), numbers, out));
                out.append(']');
            } else if (numbers && node.isString() && node.stringValue().indexOf(',') >= 0) {
                out.append('[');
                Stream.of(node.stringValue().split(",")).forEach(element -> write(element.strip(), true, out));
                out.append(']');
            } else {
                write(node.isString() ? node.stringValue() : node.toString(), numbers, out);
            }
        }

        private static void write(String text, boolean numbers, StringBuilder out) {
            boolean hex = text.matches("0[xX][0-9a-fA-F]{1,64}");
            boolean number = numbers && (hex || text.matches("[0-9]{1,78}"));
            String same = !number
                    ? text
                    : hex ? new BigInteger(text.substring(2), 16).toString() : new BigInteger(text).toString();
            out.append(same.length()).append(':').append(same);
        }
    }
}
