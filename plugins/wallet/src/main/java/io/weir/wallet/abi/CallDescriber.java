package io.weir.wallet.abi;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.StepBudget;
import io.weir.wallet.approval.ApprovalRequest.Argument;
import io.weir.wallet.approval.ApprovalRequest.RequestedCall;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.send.Draft;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.TransactionType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says in words what calls do, by the descriptions that contracts give of themselves. Shows the elements of a call that it cannot
 * describe: a missing description is never a reason to refuse. Thread-safe; blocks.
 */
public final class CallDescriber {
    private static final int MAX_ABI = 4_000_000;
    /** Half a second for all calls of a request: later calls are shown as elements. */
    static final long MAX_STEPS = 500_000;

    private static final int CHARACTERS_PER_STEP = 16;

    /** A class holds more than its description, and its node's answer is read whole. */
    private static final long STEPS_OF_CLASS = 5_000;

    /** A description of that size takes a hundred megabytes and a second: other calls wait, or are shown as elements. */
    private static final int MAX_READING = 2;

    private static final long MAX_WAIT_SECONDS = 10;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final L2Client client;
    private final Semaphore reading = new Semaphore(MAX_READING, true);

    public CallDescriber(L2Client client) {
        this.client = client;
    }

    /** Calls as they are shown to whoever approves them. */
    public List<RequestedCall> describe(List<Draft> drafts) {
        return describe(drafts, new StepBudget(MAX_STEPS));
    }

    List<RequestedCall> describe(List<Draft> drafts, StepBudget steps) {
        Map<Felt, Optional<ContractAbi>> known = new HashMap<>();
        List<RequestedCall> described = new ArrayList<>();
        for (Draft draft : drafts) {
            boolean deploys = draft.type() == TransactionType.DEPLOY_ACCOUNT;
            for (NamedCall call : draft.calls()) {
                Optional<List<Argument>> decoded = deploys || call.calldata().isEmpty()
                        ? Optional.empty()
                        : known.computeIfAbsent(
                                        call.contract(),
                                        contract -> abi(draft.account().network(), contract, steps))
                                .flatMap(abi -> abi.decode(call.function(), call.calldata(), steps));
                described.add(new RequestedCall(
                        call.contract(),
                        call.function(),
                        call.calldata(),
                        decoded.orElseGet(() -> elements(call.calldata()))));
            }
        }
        return described;
    }

    private Optional<ContractAbi> abi(L2Network network, Felt contract, StepBudget steps) {
        if (!steps.spend(STEPS_OF_CLASS)) {
            return Optional.empty();
        }
        try {
            if (!reading.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        try {
            return Optional.of(
                    ContractAbi.read(abi(client.classAt(network, contract).path("abi"), steps), steps));
        } catch (RpcException | JacksonException e) {
            return Optional.empty();
        } finally {
            reading.release();
        }
    }

    /** Older classes have it as JSON, newer ones as text that holds JSON. */
    private static JsonNode abi(JsonNode node, StepBudget steps) {
        if (!node.isString()) {
            return node;
        }
        String text = node.stringValue();
        boolean admitted = text.length() <= MAX_ABI && steps.spend(1 + text.length() / CHARACTERS_PER_STEP);
        return admitted ? MAPPER.readTree(text) : MAPPER.createArrayNode();
    }

    private static List<Argument> elements(List<Felt> calldata) {
        List<Argument> arguments = new ArrayList<>();
        for (int index = 0; index < calldata.size(); index++) {
            Felt element = calldata.get(index);
            arguments.add(new Argument("[" + index + "]", "felt", element.toHex() + " = " + element.toBigInteger()));
        }
        return arguments;
    }
}
