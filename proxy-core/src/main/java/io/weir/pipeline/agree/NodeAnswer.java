package io.weir.pipeline.agree;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.pipeline.AttemptObserver;
import io.weir.pipeline.sample.CommonForm;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.verdict.ErrorClass;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answer of one node as others are compared with it. Results that are equal in the common form have equal prints; errors have if their
 * class is the same, reverts if their data is. Immutable.
 *
 * @param print of what is compared
 * @param shown for logs: the beginning of a result, or the class of an error
 * @param nothing whether the node found nothing, which contradicts no node that found something
 */
record NodeAnswer(String upstreamId, String print, String shown, boolean nothing) {

    /** Longer results are compared as they came: to parse them would keep the event loop from its work. */
    private static final int MAX_PARSED = 256 * 1024;

    private static final int SHOWN_BYTES = 80;

    /** Code of a revert, in the form that all nodes' reverts get. */
    private static final int REVERT = 3;

    /** Observer of the attempts at one node, which may be asked again after a wait. Confined to the call's event loop. */
    static final class Attempts implements AttemptObserver {

        private final Runnable failed;
        private boolean hasFailed;
        private @Nullable NodeOutcome last;

        /** @param failed runs after the first attempt that brought no answer */
        Attempts(Runnable failed) {
            this.failed = failed;
        }

        @Override
        public void ended(String upstreamId, NodeOutcome outcome) {
            last = outcome;
            boolean answers = outcome instanceof Answered answered
                    && (answered.verdict() == null
                            || answered.verdict().nothingFound()
                            || isAnswer(answered.verdict().errorClass()));
            if (!answers && !hasFailed) {
                hasFailed = true;
                failed.run();
            }
        }

        /** Returns whether an attempt has failed. */
        boolean hasFailed() {
            return hasFailed;
        }
    }

    /**
     * Returns the answer of a node; null if it gave none, because it failed or lacks what the call needs.
     *
     * @param ignored names of members that are not compared
     */
    static @Nullable NodeAnswer of(
            String upstreamId, MethodFacts facts, RpcReply reply, Attempts attempts, Set<String> ignored) {
        if (reply instanceof RpcReply.Result result) {
            RawJson value = result.value();
            RawJson form = value.length() > MAX_PARSED ? value : CommonForm.of(facts, value, ignored);
            return new NodeAnswer(upstreamId, print(form), shown(value), value.equals(RawJson.NULL));
        }
        ErrorClass errorClass = attempts.last instanceof Answered answered && answered.verdict() != null
                ? answered.verdict().errorClass()
                : null;
        return errorClass != null && isAnswer(errorClass)
                ? ofError(upstreamId, errorClass, ((RpcReply.Failure) reply))
                : null;
    }

    /** Returns whether such an error is about the call. Others are about the node. */
    private static boolean isAnswer(ErrorClass errorClass) {
        return switch (errorClass) {
            case EXECUTION_VERDICT, CLIENT_MISTAKE, UNKNOWN -> true;
            case RATE_LIMITED, TOO_LARGE, LACKS_DATA, UNSUPPORTED, CREDENTIALS, NODE_FAULT -> false;
        };
    }

    private static NodeAnswer ofError(String upstreamId, ErrorClass errorClass, RpcReply.Failure failure) {
        RawJson data = failure.error().data();
        boolean revert =
                errorClass == ErrorClass.EXECUTION_VERDICT && failure.error().code() == REVERT;
        String shown = revert ? "revert " + (data == null ? "" : shown(data)) : errorClass.label();
        String print = revert && data != null
                ? "revert " + print(RawJson.of(data.toString().toLowerCase(Locale.ROOT)))
                : shown;
        return new NodeAnswer(upstreamId, print, shown, false);
    }

    private static String print(RawJson value) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(value.array(), value.offset(), value.length());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: not there (expected: every JVM has it)", e);
        }
    }

    private static String shown(RawJson value) {
        int length = Math.min(value.length(), SHOWN_BYTES);
        String text = new String(value.array(), value.offset(), length, StandardCharsets.UTF_8);
        return value.length() > SHOWN_BYTES ? text + "…" : text;
    }
}
