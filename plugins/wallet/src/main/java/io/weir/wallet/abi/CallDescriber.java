package io.weir.wallet.abi;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.StepBudget;
import io.weir.l2.hash.Selector;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.typed.OutsideExecution;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.send.Draft;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.TransactionType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    static final int CHARACTERS_PER_STEP = 16;

    /** A class holds more than its description, and its node's answer is read whole. */
    private static final long STEPS_OF_CLASS = 5_000;

    /** A description of that size takes a hundred megabytes and a second: other calls wait, or are shown as elements. */
    private static final int MAX_READING = 2;

    private static final long MAX_WAIT_SECONDS = 10;

    /** The functions of tokens are known without a node: a message names functions by their selectors alone. */
    private static final Map<Felt, String> OF_TOKENS = Stream.of(
                    "approve", "increaseAllowance", "increase_allowance", "transfer", "transferFrom", "transfer_from")
            .collect(Collectors.toMap(Selector::of, name -> name));

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final L2Client client;
    private final Semaphore reading = new Semaphore(MAX_READING, true);

    public CallDescriber(L2Client client) {
        this.client = client;
    }

    /** Returns the calls of transactions as they are shown to the approver. */
    public List<RequestedCall> describe(List<Draft> drafts) {
        Reading reading = new Reading();
        List<RequestedCall> described = new ArrayList<>();
        for (Draft draft : drafts) {
            boolean deploys = draft.type() == TransactionType.DEPLOY_ACCOUNT;
            L2Network network = draft.account().network();
            draft.calls()
                    .forEach(call -> described.add(reading.describe(
                            deploys ? Optional.empty() : reading.abi(network, call.contract()), call)));
        }
        return described;
    }

    /** Returns the calls that a signature on a message allows, in the same words. */
    public List<RequestedCall> describe(L2Network network, MessageEffect effect) {
        OutsideExecution outside = effect.outside();
        Reading reading = new Reading();
        return outside == null
                ? effect.allowances()
                : outside.calls().stream()
                        .map(call -> reading.describe(network, call))
                        .toList();
    }

    /** The descriptions of contracts that were read for one request. Confined to one thread. */
    private final class Reading {
        private final Map<Felt, Optional<ContractAbi>> known = new HashMap<>();
        private final StepBudget steps = new StepBudget(MAX_STEPS);

        Optional<ContractAbi> abi(L2Network network, Felt contract) {
            return known.computeIfAbsent(contract, missing -> CallDescriber.this.abi(network, missing, steps));
        }

        RequestedCall describe(L2Network network, ContractCall call) {
            Optional<ContractAbi> abi = abi(network, call.contract());
            String function = abi.flatMap(found -> found.nameOf(call.selector(), steps))
                    .orElseGet(() -> OF_TOKENS.getOrDefault(
                            call.selector(), call.selector().toHex()));
            return describe(abi, new NamedCall(call.contract(), function, call.calldata()));
        }

        RequestedCall describe(Optional<ContractAbi> abi, NamedCall call) {
            return new RequestedCall(
                    call.contract(),
                    call.function(),
                    call.calldata(),
                    abi.flatMap(found -> found.decode(call.function(), call.calldata(), steps))
                            .orElseGet(() -> elements(call.calldata())),
                    abi.isPresent() && abi.get().lacks(call.function(), steps));
        }
    }

    private Optional<ContractAbi> abi(L2Network network, Felt contract, StepBudget steps) {
        if (!steps.spend(STEPS_OF_CLASS) || !Waiting.forPermit(reading, MAX_WAIT_SECONDS)) {
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
