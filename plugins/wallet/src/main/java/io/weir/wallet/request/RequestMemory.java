package io.weir.wallet.request;

import io.weir.api.RpcException;
import io.weir.wallet.approval.Request;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.send.SendErrors;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.StoredRequest;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The stored requests and what became of them. Thread-safe; blocks. */
public record RequestMemory(RequestTable table, TransactionTable transactions, AuditLog audit) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    static RpcException otherContent() {
        return SnapErrors.invalidParams(Arguments.path(Requests.REQUEST_ID)
                + ": used for another request (expected: the same method, chain and parameters, or another id)");
    }

    void begin(StoredRequest request) {
        table.begin(request);
    }

    void approved(Request request) {
        if (request.requestId() != null) {
            table.move(request.id(), RequestState.APPROVED, "", 0, "");
        }
    }

    /** Notes that an approved request is not carried out, because its callers have gone. */
    void lapsed(Request request) {
        audit.outcome(
                request.id(),
                request.tenant(),
                null,
                SnapErrors.failed("withdrawn: its callers have gone, nothing is signed"));
    }

    /** Notes the end of a request. */
    void end(Request request, @Nullable JsonNode value, @Nullable RuntimeException error) {
        boolean approved = request.state() == RequestState.APPROVED;
        if (approved) {
            audit.answered(request.id(), request.tenant(), value, error);
        }
        boolean signed = approved && !transactions.ofApproval(request.id()).isEmpty();
        if (error == null) {
            request.move(signed ? RequestState.SUBMITTED : RequestState.COMPLETED);
        } else if (error instanceof RpcException rpc && SendErrors.isUnknown(rpc)) {
            request.move(RequestState.SUBMITTING);
        } else {
            request.move(RequestState.FAILED);
        }
        int code = error == null ? 0 : error instanceof RpcException rpc ? rpc.code() : RpcException.INTERNAL_ERROR;
        String message = error == null
                ? ""
                : error instanceof RpcException ? String.valueOf(error.getMessage()) : "internal error";
        String result = value == null ? "" : value.toString();
        table.move(request.id(), request.state(), result, code, message);
    }

    /**
     * Returns what an earlier request of this id came to; null if there was none, or one that ended without a signature.
     *
     * @throws RpcException when it was for something else
     */
    @Nullable
    CompletionStage<JsonNode> recall(Request request) {
        String id = request.requestId();
        Optional<StoredRequest> found = id == null ? Optional.empty() : table.find(request.tenant(), id);
        if (found.isEmpty()) {
            return null;
        }
        StoredRequest stored = found.get();
        if (!request.fingerprint().equals(stored.fingerprint())) {
            throw otherContent();
        }
        return switch (stored.state()) {
            case COMPLETED, SUBMITTED -> CompletableFuture.completedStage(MAPPER.readTree(stored.result()));
            case REFUSED -> refused(stored);
            case FAILED -> failed(stored);
            case SUBMITTING, APPROVED -> submitted(stored);
            case WAITING, TIMED_OUT, WITHDRAWN -> null;
        };
    }

    /** A person's refusal holds; a policy may have changed since. */
    private static @Nullable CompletionStage<JsonNode> refused(StoredRequest stored) {
        if (stored.errorCode() == SnapErrors.USER_REJECTED) {
            throw SnapErrors.userRejected();
        }
        return null;
    }

    private @Nullable CompletionStage<JsonNode> failed(StoredRequest stored) {
        if (transactions.ofApproval(stored.approval()).isEmpty()) {
            return null;
        }
        throw new RpcException(stored.errorCode(), stored.error());
    }

    /** By its transaction: the process ended, or the network could not be asked, before the request had a result. */
    private @Nullable CompletionStage<JsonNode> submitted(StoredRequest stored) {
        StoredTransaction last = last(stored);
        if (last == null) {
            return null;
        }
        if (!isOwn(stored, last)) {
            throw SnapErrors.failed("only the deployment of the account was sent (expected: a new request)");
        }
        return switch (last.state()) {
            case PREPARED -> throw SendErrors.unknown(last, "it is being submitted");
            case REJECTED, REPLACED -> throw SnapErrors.failed(last.failureReason());
            case RECEIVED, PENDING, ACCEPTED_ON_L2 -> {
                ObjectNode result = JsonNodeFactory.instance.objectNode();
                if (last.type() == TransactionType.DEPLOY_ACCOUNT) {
                    result.put("address", last.sender().toPaddedHex());
                }
                yield CompletableFuture.completedStage(
                        result.put(SendErrors.OWN, last.hash().toPaddedHex()));
            }
        };
    }

    private @Nullable StoredTransaction last(StoredRequest stored) {
        List<StoredTransaction> signed = transactions.ofApproval(stored.approval());
        return signed.isEmpty() ? null : signed.get(signed.size() - 1);
    }

    private static boolean isOwn(StoredRequest stored, StoredTransaction transaction) {
        return stored.method().equals("createAccount") == (transaction.type() == TransactionType.DEPLOY_ACCOUNT);
    }

    /** Answers {@code getRequest}: the state of a request by the id that its caller gave it. */
    public CompletionStage<JsonNode> getRequest(SnapCall call) {
        String id = call.arguments().text(Requests.REQUEST_ID);
        return table.find(call.tenant(), id)
                .map(stored -> CompletableFuture.<JsonNode>completedStage(shown(stored)))
                .orElseThrow(() -> SnapErrors.invalidParams(
                        Arguments.path(Requests.REQUEST_ID) + ": unknown (expected: the id of a request of this key)"));
    }

    private ObjectNode shown(StoredRequest stored) {
        StoredTransaction last = last(stored);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("requestId", stored.requestId());
        json.put("method", stored.method());
        json.put("chainId", stored.chainId().toHex());
        json.put("state", state(stored, last).name());
        if (!stored.result().isEmpty()) {
            json.set("result", MAPPER.readTree(stored.result()));
        }
        if (last != null) {
            String name = isOwn(stored, last) ? SendErrors.OWN : "deployment_transaction_hash";
            json.put(name, last.hash().toPaddedHex());
            json.put("status", last.state().shown());
        }
        if (!stored.error().isEmpty()) {
            json.putObject("error").put("code", stored.errorCode()).put("message", stored.error());
        }
        json.put("created", stored.created().toString());
        json.put("changed", stored.changed().toString());
        return json;
    }

    private static RequestState state(StoredRequest stored, @Nullable StoredTransaction last) {
        boolean open = stored.state() == RequestState.APPROVED || stored.state() == RequestState.SUBMITTING;
        if (last == null || !open || !isOwn(stored, last)) {
            return stored.state();
        }
        return switch (last.state()) {
            case PREPARED -> RequestState.SUBMITTING;
            case REJECTED, REPLACED -> RequestState.FAILED;
            case RECEIVED, PENDING, ACCEPTED_ON_L2 -> RequestState.SUBMITTED;
        };
    }
}
