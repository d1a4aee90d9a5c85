package io.weir.wallet.audit;

import io.weir.api.RpcException;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.approval.DecisionLog;
import io.weir.wallet.approval.Request;
import io.weir.wallet.approval.Votes;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The audit log of the wallet. A line that must precede a signature is on the disk when its method returns; if it cannot be written,
 * the method throws and nothing may be signed. Thread-safe; blocks, but for {@link #failed} and most ends.
 */
public final class AuditLog implements DecisionLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final int MAX_TEXT = 1000;
    private static final int MAX_PENDING = 1000;
    private static final String APPROVER = "approver";
    private static final String HASH = "transaction_hash";

    private final @Nullable AuditFile file;
    private final Executor executor;
    private final InstantSource clock;
    /** Lines that need not precede anything, in order. Kept until they are written; guarded by itself. */
    private final Deque<ObjectNode> pending = new ArrayDeque<>();
    /** The lines left out because too many were pending; guarded by {@link #pending}. */
    private long missed;

    private AuditLog(@Nullable AuditFile file, Executor executor, InstantSource clock) {
        this.file = file;
        this.executor = executor;
        this.clock = clock;
    }

    /**
     * Names the file; nothing is opened yet.
     *
     * @param executor where lines are written whose callers must not block
     */
    public static AuditLog of(Path file, Executor executor, InstantSource clock) {
        return new AuditLog(new AuditFile(file, clock), executor, clock);
    }

    /** Returns a log that keeps nothing. */
    public static AuditLog off() {
        return new AuditLog(null, Runnable::run, InstantSource.system());
    }

    /** Opens the file. If that fails the wallet signs nothing; each later line tries it again. */
    public void start() {
        if (file == null) {
            return;
        }
        try {
            file.open();
        } catch (IOException e) {
            LOG.error("the audit log cannot be continued, nothing is signed: {}", e.toString());
        }
    }

    @Override
    public void approved(Request request, Decider decider) {
        write(decision(request, Decision.APPROVED, decider));
    }

    @Override
    public void endorsed(Request request, String approver, Votes votes) {
        ObjectNode line = line("approval", request.id(), request.content().tenant());
        line.put(APPROVER, approver);
        line.put("approvals", votes.approvers().size()).put("needed", votes.needed());
        addCaller(line, request);
        AuditJson.addContent(line, request.content(), AuditJson.MAX_CHARACTERS);
        write(line);
    }

    @Override
    public void failed(Request request, String why) {
        ObjectNode line =
                line("outcome", request.id(), request.content().tenant()).put("outcome", "failed");
        AuditJson.addText(line, "error", why, MAX_TEXT);
        writeLater(line);
    }

    @Override
    public void ended(Request request, Decision decision, Decider decider) {
        ObjectNode line = decision(request, decision, decider);
        if (decider.by() == By.APPROVER) {
            add(line);
            writePending();
        } else {
            writeLater(line);
        }
    }

    private void writeLater(ObjectNode line) {
        add(line);
        try {
            executor.execute(this::writePending);
        } catch (RejectedExecutionException e) {
            LOG.debug("a line is written to the audit log with the next line, or on close");
        }
    }

    private ObjectNode decision(Request request, Decision decision, Decider decider) {
        ObjectNode line = line("decision", request.id(), request.content().tenant());
        line.put("decision", word(decision));
        line.put("by", decider.by().name().toLowerCase(Locale.ROOT));
        AuditJson.addText(line, APPROVER, decider.approver(), MAX_TEXT);
        AuditJson.addText(line, "detail", decider.detail(), MAX_TEXT);
        addCaller(line, request);
        // Nothing came of what no person saw, and callers must not fill the disk with it.
        boolean whole = decision == Decision.APPROVED || decider.by() == By.APPROVER;
        AuditJson.addContent(line, request.content(), whole ? AuditJson.MAX_CHARACTERS : MAX_TEXT);
        return line;
    }

    private static void addCaller(ObjectNode line, Request request) {
        AuditJson.addText(line, "request_id", request.requestId(), MAX_TEXT);
        AuditJson.addText(line, "address", request.address(), MAX_TEXT);
    }

    private static String word(Decision decision) {
        return switch (decision) {
            case APPROVED -> "approved";
            case REFUSED, FORBIDDEN, STOPPED -> "refused";
            case TIMED_OUT -> "expired";
            case WITHDRAWN -> "withdrawn";
        };
    }

    /**
     * Notes that an approver has a transaction replaced.
     *
     * @param approver the name of the person
     * @param kind {@code cancel} or {@code raise}
     * @param calls what the replacement calls
     * @param maxFee the highest cost of the replacement
     * @throws RpcException when it cannot be written: nothing may be signed
     */
    public void replaced(
            String approval,
            String approver,
            String kind,
            StoredTransaction transaction,
            List<NamedCall> calls,
            BigInteger maxFee) {
        ObjectNode line = line("decision", approval, transaction.tenant());
        line.put("decision", "approved")
                .put("by", APPROVER)
                .put(APPROVER, approver)
                .put("kind", kind);
        line.put("replaces", transaction.hash().toPaddedHex());
        line.put("chain_id", transaction.chainId().toHex());
        line.put("account", transaction.sender().toPaddedHex());
        line.put("nonce", transaction.nonce());
        AuditJson.addCalls(line, calls);
        line.put("max_fee_fri", maxFee.toString());
        write(line);
    }

    /**
     * Notes a signed transaction.
     *
     * @throws RpcException when it cannot be written: it may not be sent
     */
    public void signed(StoredTransaction transaction) {
        ObjectNode line = line("signed", transaction.approval().id(), transaction.tenant());
        line.put(HASH, transaction.hash().toPaddedHex());
        line.put("chain_id", transaction.chainId().toHex());
        line.put("account", transaction.sender().toPaddedHex());
        line.put("nonce", transaction.nonce());
        AuditJson.addFunctions(line, transaction.calls());
        write(line);
    }

    /**
     * Notes what an approved request came to. Without a hash and an error a message was signed or a key shown. With an error that names
     * the caller's own transaction nobody knows what became of that, and the wallet sends it again.
     */
    public void outcome(String approval, String tenant, @Nullable String hash, @Nullable RuntimeException error) {
        ObjectNode line = line("outcome", approval, tenant);
        String unsure = error instanceof RpcException rpc && rpc.data() != null
                ? rpc.data().path(HASH).asString("")
                : "";
        if (error == null) {
            line.put("outcome", hash == null ? "completed" : "submitted");
        } else {
            line.put("outcome", unsure.isEmpty() ? "failed" : "unknown");
            String message = error instanceof RpcException ? error.getMessage() : "internal error";
            AuditJson.addText(line, "error", message, MAX_TEXT);
        }
        AuditJson.addText(line, HASH, unsure.isEmpty() ? hash : unsure, MAX_TEXT);
        add(line);
        writePending();
    }

    /** Notes what an approved call came to, by its answer. */
    public void answered(String approval, String tenant, @Nullable JsonNode value, @Nullable RuntimeException error) {
        String hash = value == null ? "" : value.path(HASH).asString("");
        outcome(approval, tenant, hash.isEmpty() ? null : hash, error);
    }

    private ObjectNode line(String event, String approval, String tenant) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("time", clock.instant().toString())
                .put("event", event)
                .put("approval", approval)
                .put("tenant", tenant);
    }

    private void write(ObjectNode line) {
        writePending();
        append(line);
    }

    private void add(ObjectNode line) {
        synchronized (pending) {
            if (pending.size() < MAX_PENDING) {
                pending.add(line);
            } else {
                missed++;
            }
        }
    }

    /** Writes the pending lines up to the first that cannot be written. They stay in their order, and none is lost by a failure. */
    private synchronized void writePending() {
        try {
            for (ObjectNode line = first(); line != null; line = first()) {
                append(line);
                written();
            }
        } catch (RpcException e) {
            LOG.warn("the audit log lacks decisions or outcomes until it can be written");
        }
    }

    private @Nullable ObjectNode first() {
        synchronized (pending) {
            ObjectNode line = pending.peek();
            if (line == null && missed > 0) {
                line = JsonNodeFactory.instance
                        .objectNode()
                        .put("time", clock.instant().toString())
                        .put("event", "missed")
                        .put("lines", missed);
                missed = 0;
                pending.add(line);
            }
            return line;
        }
    }

    private void written() {
        synchronized (pending) {
            pending.removeFirst();
        }
    }

    private void append(ObjectNode line) {
        if (file == null) {
            return;
        }
        try {
            file.append(line);
        } catch (IOException | RuntimeException e) {
            LOG.error("the audit log cannot be written: {}", e.toString());
            throw SnapErrors.failed(
                    "audit log: cannot be written, nothing is signed (expected: as the proxy's log says)");
        }
    }

    @Override
    public void close() {
        writePending();
        if (file != null) {
            file.close();
        }
    }
}
