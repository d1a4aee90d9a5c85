package io.weir.l2.deploy.devnet;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.ShortString;
import io.weir.l2.Uint256;
import io.weir.l2.hash.Poseidon;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.transaction.ResourceBound;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The chain: each transaction that is taken makes a block. Speaks version 0.9 of the network's JSON-RPC, as far as wallets need it. Its id is
 * that of no public network, so that no signature for it is good there. Thread-safe.
 */
final class DevelopmentChain {
    static final Felt CHAIN_ID = ShortString.encode("WEIR_DEVNET");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final int MAX_BLOCKS = 10_000;
    /** The characters of all transactions, and of one. */
    private static final long MAX_CHARACTERS = 32L * 1024 * 1024;

    private static final int MAX_OF_TRANSACTION = 64 * 1024;
    /** Each of the states has all addresses. */
    private static final int MAX_ADDRESSES = 20_000;

    /** The newest blocks whose state can be read. */
    private static final int MAX_STATES = 16;

    private static final int MAX_ESTIMATES = 8;
    private static final int MAX_CHUNK = 1_000;

    private static final BigInteger L2_GAS_OF_TRANSACTION = BigInteger.valueOf(1_000_000);
    private static final BigInteger L2_GAS_OF_CALL = BigInteger.valueOf(400_000);
    private static final BigInteger L2_GAS_PRICE = BigInteger.valueOf(3_000_000_000L);
    private static final BigInteger DATA_GAS = BigInteger.valueOf(192);
    private static final BigInteger DATA_GAS_PRICE = BigInteger.valueOf(1_000_000);

    private final InstantSource clock;
    private final List<Block> blocks = new ArrayList<>();
    /** The states after the newest blocks, the newest last. */
    private final List<Ledger> states = new ArrayList<>();

    private final Map<Felt, Mined> transactions = new LinkedHashMap<>();
    private long characters;

    /** @param transaction the only one; null in the first block */
    private record Block(
            long number,
            Felt hash,
            Felt parent,
            long timestamp,
            @Nullable Felt transaction) {}

    /** @param reverted why it was undone; null if it was not */
    private record Mined(
            SentTransaction sent,
            Block block,
            BigInteger fee,
            @Nullable String reverted,
            List<Ledger.Transfer> transfers) {}

    DevelopmentChain(InstantSource clock) {
        this.clock = clock;
        // Two chains have different blocks, so that whoever remembers one notices that it began anew.
        add(Poseidon.hashMany(List.of(CHAIN_ID, Felt.of(clock.millis()))), null, new Ledger());
    }

    private void add(Felt hash, @Nullable Felt transaction, Ledger state) {
        Felt parent = blocks.isEmpty() ? Felt.ZERO : newest().hash();
        blocks.add(new Block(blocks.size(), hash, parent, clock.instant().getEpochSecond(), transaction));
        states.add(state);
        if (states.size() > MAX_STATES) {
            states.remove(0);
        }
    }

    private Block newest() {
        return blocks.get(blocks.size() - 1);
    }

    private Ledger state() {
        return states.get(states.size() - 1);
    }

    /** Returns an error of the network's JSON-RPC. */
    static RpcException error(int code, String message, @Nullable String data) {
        return new RpcException(code, message, data == null ? null : JSON.stringNode(data));
    }

    /**
     * Answers a call.
     *
     * @throws RpcException with the network's errors
     */
    JsonNode call(String method, JsonNode params) {
        try {
            Parameters named = new Parameters(params);
            // Reading and hashing takes time, in which others are answered.
            return switch (method) {
                case "starknet_addInvokeTransaction" -> send(sent(named.node("invoke_transaction", 0), "INVOKE"));
                case "starknet_addDeployAccountTransaction" ->
                    send(sent(named.node("deploy_account_transaction", 0), "DEPLOY_ACCOUNT"));
                case "starknet_estimateFee" -> {
                    List<SentTransaction> all = estimated(named.node("request", 0));
                    yield estimate(all, named.node("simulation_flags", 1), named.node("block_id", 2));
                }
                default -> answer(method, named);
            };
        } catch (IllegalArgumentException | JacksonException e) {
            throw new RpcException(RpcException.INVALID_PARAMS, "Invalid params: " + e.getMessage());
        }
    }

    private static SentTransaction sent(JsonNode body, String type) {
        if (!body.path("type").asString("").equals(type)) {
            throw new IllegalArgumentException("type: not usable (expected: " + type + ")");
        }
        if (body.toString().length() > MAX_OF_TRANSACTION) {
            throw new IllegalArgumentException("more than " + MAX_OF_TRANSACTION + " characters");
        }
        return SentTransaction.read(body, CHAIN_ID);
    }

    private static List<SentTransaction> estimated(JsonNode requests) {
        if (!requests.isArray() || requests.isEmpty() || requests.size() > MAX_ESTIMATES) {
            throw new IllegalArgumentException(
                    "request: not usable (expected: 1 to " + MAX_ESTIMATES + " transactions)");
        }
        List<SentTransaction> all = new ArrayList<>();
        requests.forEach(body -> all.add(sent(body, body.path("type").asString(""))));
        return all;
    }

    private synchronized JsonNode answer(String method, Parameters params) {
        return switch (method) {
            case "starknet_specVersion" -> JSON.stringNode("0.9.0");
            case "starknet_chainId" -> JSON.stringNode(CHAIN_ID.toHex());
            case "starknet_syncing" -> JSON.booleanNode(false);
            case "starknet_blockNumber" -> JSON.numberNode(newest().number());
            case "starknet_blockHashAndNumber" ->
                JSON.objectNode().put("block_hash", newest().hash().toHex()).put("block_number", newest().number());
            case "starknet_getBlockWithTxHashes" -> json(block(params.node("block_id", 0)));
            case "starknet_getNonce" -> {
                Ledger.Account account = account(params.node("block_id", 0), params.felt("contract_address", 1));
                yield JSON.stringNode(Felt.of(account.nonce()).toHex());
            }
            case "starknet_getClassHashAt" ->
                JSON.stringNode(classHash(params.node("block_id", 0), params.felt("contract_address", 1))
                        .toHex());
            case "starknet_getClassAt" -> {
                classHash(params.node("block_id", 0), params.felt("contract_address", 1));
                boolean isToken = params.felt("contract_address", 1).equals(Ledger.TOKEN);
                ObjectNode json = JSON.objectNode().put("contract_class_version", "0.1.0");
                json.putArray("sierra_program");
                ObjectNode points = json.putObject("entry_points_by_type");
                List.of("CONSTRUCTOR", "EXTERNAL", "L1_HANDLER").forEach(points::putArray);
                yield json.put("abi", isToken ? Ledger.TOKEN_ABI : "[]");
            }
            case "starknet_call" -> call(params.node("request", 0), params.node("block_id", 1));
            default -> ofTransactions(method, params);
        };
    }

    private JsonNode ofTransactions(String method, Parameters params) {
        return switch (method) {
            case "starknet_getTransactionStatus" -> status(mined(params.felt("transaction_hash", 0)));
            case "starknet_getTransactionByHash" -> {
                Mined mined = mined(params.felt("transaction_hash", 0));
                yield ((ObjectNode) mined.sent().body().deepCopy())
                        .put("transaction_hash", mined.sent().hash().toHex());
            }
            case "starknet_getTransactionReceipt" -> receipt(mined(params.felt("transaction_hash", 0)));
            case "starknet_getEvents" -> events(params.node("filter", 0));
            default -> throw new RpcException(RpcException.METHOD_NOT_FOUND, "Method not found: " + method);
        };
    }

    private Block block(JsonNode id) {
        if (id.isString()) {
            if (!List.of("latest", "pre_confirmed", "pending", "l1_accepted").contains(id.stringValue())) {
                throw new IllegalArgumentException("block_id: not usable (expected: latest, or a number or hash)");
            }
            return newest();
        }
        JsonNode hash = id.path("block_hash");
        if (!hash.isString() && !id.path("block_number").isIntegralNumber()) {
            throw new IllegalArgumentException("block_id: not usable (expected: latest, or a number or hash)");
        }
        long number = id.path("block_number").asLong(-1);
        Optional<Block> found = hash.isString()
                ? blocks.stream()
                        .filter(block -> block.hash().equals(Felt.parseHex(hash.stringValue())))
                        .findFirst()
                : number < 0 || number >= blocks.size() ? Optional.empty() : Optional.of(blocks.get((int) number));
        return found.orElseThrow(() -> error(24, "Block not found", null));
    }

    private Ledger state(JsonNode id) {
        long behind = newest().number() - block(id).number();
        if (behind >= states.size()) {
            throw error(24, "Block not found", "the states of the newest " + MAX_STATES + " blocks are kept");
        }
        return states.get(states.size() - 1 - (int) behind);
    }

    private Ledger.Account account(JsonNode block, Felt address) {
        return state(block).account(address).orElseThrow(() -> error(20, "Contract not found", null));
    }

    private Felt classHash(JsonNode block, Felt address) {
        return state(block).classHash(address).orElseThrow(() -> error(20, "Contract not found", null));
    }

    private JsonNode call(JsonNode request, JsonNode block) {
        ContractCall call = new ContractCall(
                Felt.parseHex(request.path("contract_address").asString("")),
                Felt.parseHex(request.path("entry_point_selector").asString("")),
                FeltJson.felts(request.path("calldata")));
        classHash(block, call.contract());
        try {
            return FeltJson.hexes(state(block).read(call));
        } catch (Ledger.Reverted e) {
            throw e.isOfFunction()
                    ? error(21, "Requested entrypoint does not exist in the contract", e.reason())
                    : error(40, "Contract error", e.reason());
        }
    }

    private synchronized JsonNode estimate(List<SentTransaction> all, JsonNode flags, JsonNode block) {
        boolean isSigned = !flags.toString().contains("SKIP_VALIDATE");
        ArrayNode estimates = JSON.arrayNode();
        Ledger state = (block.isMissingNode() ? state() : state(block)).copy();
        for (SentTransaction sent : all) {
            if (isSigned) {
                checkSignature(sent, state);
            }
            try {
                carryOut(sent, state);
            } catch (Ledger.Reverted e) {
                ObjectNode data = JSON.objectNode().put("transaction_index", estimates.size());
                throw new RpcException(41, "Transaction execution error", data.put("execution_error", e.reason()));
            }
            estimates
                    .addObject()
                    .put("l1_gas_consumed", "0x0")
                    .put("l1_gas_price", "0x1")
                    .put("l2_gas_consumed", hex(l2Gas(sent)))
                    .put("l2_gas_price", hex(L2_GAS_PRICE))
                    .put("l1_data_gas_consumed", hex(DATA_GAS))
                    .put("l1_data_gas_price", hex(DATA_GAS_PRICE))
                    .put("overall_fee", hex(fee(sent)))
                    .put("unit", "FRI");
        }
        return estimates;
    }

    private static List<Ledger.Transfer> carryOut(SentTransaction sent, Ledger state) throws Ledger.Reverted {
        if (sent.publicKey() != null) {
            state.deploy(sent.sender(), sent.publicKey());
        }
        state.count(sent.sender());
        return state.execute(sent.sender(), sent.calls());
    }

    private static BigInteger l2Gas(SentTransaction sent) {
        return L2_GAS_OF_TRANSACTION.add(
                L2_GAS_OF_CALL.multiply(BigInteger.valueOf(sent.calls().size())));
    }

    private static BigInteger fee(SentTransaction sent) {
        return l2Gas(sent).multiply(L2_GAS_PRICE).add(DATA_GAS.multiply(DATA_GAS_PRICE));
    }

    private static void checkSignature(SentTransaction sent, Ledger state) {
        Felt key = sent.publicKey() != null
                ? sent.publicKey()
                : state.account(sent.sender())
                        .map(Ledger.Account::publicKey)
                        .orElseThrow(() -> error(55, "Account validation failed", "the sender is not deployed"));
        if (!sent.isSignedBy(key)) {
            throw error(55, "Account validation failed", "invalid signature");
        }
    }

    private synchronized JsonNode send(SentTransaction sent) {
        check(sent);
        Ledger state = state().copy();
        String reverted = null;
        List<Ledger.Transfer> transfers = new ArrayList<>();
        BigInteger fee = fee(sent);
        try {
            transfers.addAll(carryOut(sent, state));
            if (state.balance(sent.sender()).compareTo(fee) < 0) {
                throw new Ledger.Reverted("Insufficient fee token balance");
            }
        } catch (Ledger.Reverted e) {
            reverted = e.reason();
            transfers.clear();
            state = state().copy();
            state.count(sent.sender());
        }
        transfers.add(state.move(sent.sender(), Ledger.SEQUENCER, fee));
        characters += sent.body().toString().length();
        add(Poseidon.hashMany(List.of(newest().hash(), sent.hash())), sent.hash(), state);
        transactions.put(sent.hash(), new Mined(sent, newest(), fee, reverted, List.copyOf(transfers)));
        ObjectNode answer =
                JSON.objectNode().put("transaction_hash", sent.hash().toHex());
        return sent.publicKey() == null
                ? answer
                : answer.put("contract_address", sent.sender().toHex());
    }

    private void check(SentTransaction sent) {
        if (sent.isQuery()) {
            throw error(61, "The transaction version is not supported", "a query");
        }
        if (transactions.containsKey(sent.hash())) {
            throw error(59, "A transaction with the same hash already exists in the mempool", null);
        }
        if (blocks.size() >= MAX_BLOCKS || characters > MAX_CHARACTERS || state().size() > MAX_ADDRESSES) {
            throw error(
                    63, "An unexpected error occurred", "the chain is full (expected: a restart, which begins anew)");
        }
        checkSignature(sent, state());
        Optional<Ledger.Account> account = state().account(sent.sender());
        long nonce = account.map(Ledger.Account::nonce).orElse(0L);
        if ((sent.publicKey() != null && account.isPresent()) || !sent.nonce().equals(BigInteger.valueOf(nonce))) {
            throw error(52, "Invalid transaction nonce", "expected: " + nonce);
        }
        ResourceBound gas = sent.bounds().l2Gas();
        if (gas.maxAmount().compareTo(l2Gas(sent)) < 0
                || gas.maxPricePerUnit().compareTo(L2_GAS_PRICE) < 0
                || sent.mostFee().compareTo(fee(sent)) < 0) {
            throw error(
                    53,
                    "The transaction's resources don't cover validation or the minimal transaction fee",
                    "expected: " + l2Gas(sent) + " of layer-2 gas at " + L2_GAS_PRICE);
        }
        if (state().balance(sent.sender()).compareTo(sent.mostFee()) < 0) {
            throw error(
                    54,
                    "Account balance is smaller than the transaction's maximal fee (calculated as the sum of each"
                            + " resource's limit x max price)",
                    null);
        }
    }

    private Mined mined(Felt hash) {
        Mined mined = transactions.get(hash);
        if (mined == null) {
            throw error(29, "Transaction hash not found", null);
        }
        return mined;
    }

    private static ObjectNode status(Mined mined) {
        ObjectNode status = JSON.objectNode()
                .put("finality_status", "ACCEPTED_ON_L2")
                .put("execution_status", mined.reverted() == null ? "SUCCEEDED" : "REVERTED");
        return mined.reverted() == null ? status : status.put("failure_reason", mined.reverted());
    }

    private static ObjectNode receipt(Mined mined) {
        SentTransaction sent = mined.sent();
        ObjectNode receipt = status(mined);
        if (mined.reverted() != null) {
            receipt.put("revert_reason", mined.reverted()).remove("failure_reason");
        }
        receipt.put("transaction_hash", sent.hash().toHex());
        receipt.put("type", sent.publicKey() == null ? "INVOKE" : "DEPLOY_ACCOUNT");
        receipt.put("block_hash", mined.block().hash().toHex())
                .put("block_number", mined.block().number());
        receipt.putObject("actual_fee").put("amount", hex(mined.fee())).put("unit", "FRI");
        receipt.putObject("execution_resources")
                .put("l1_gas", 0)
                .put("l1_data_gas", DATA_GAS.intValue())
                .put("l2_gas", l2Gas(sent).longValue());
        receipt.putArray("messages_sent");
        ArrayNode events = receipt.putArray("events");
        mined.transfers().forEach(transfer -> event(events.addObject(), transfer));
        return sent.publicKey() == null
                ? receipt
                : receipt.put("contract_address", sent.sender().toHex());
    }

    private static void event(ObjectNode event, Ledger.Transfer transfer) {
        event.put("from_address", Ledger.TOKEN.toHex());
        event.set("keys", FeltJson.hexes(List.of(Ledger.TRANSFER_EVENT, transfer.from(), transfer.to())));
        event.set("data", FeltJson.hexes(Uint256.words(transfer.amount())));
    }

    /** Returns a chunk of matching events. Its continuation token is the number of those before the next chunk. */
    private JsonNode events(JsonNode filter) {
        List<JsonNode> all = matching(filter);
        int size = Math.max(1, Math.min(MAX_CHUNK, filter.path("chunk_size").asInt(MAX_CHUNK)));
        String token = filter.path("continuation_token").asString("0");
        int first = token.matches("[0-9]{1,9}") ? Math.min(Integer.parseInt(token), all.size()) : all.size();
        int end = Math.min(first + size, all.size());
        ObjectNode page = JSON.objectNode();
        page.putArray("events").addAll(all.subList(first, end));
        return end == all.size() ? page : page.put("continuation_token", String.valueOf(end));
    }

    private List<JsonNode> matching(JsonNode filter) {
        List<JsonNode> events = new ArrayList<>();
        long from = end(filter.path("from_block"), 0);
        long to = end(filter.path("to_block"), newest().number());
        String address = filter.has("address") ? filter.path("address").asString("none") : "";
        boolean isOfToken = address.isEmpty() || Felt.parseHex(address).equals(Ledger.TOKEN);
        for (Mined mined : transactions.values()) {
            if (!isOfToken || mined.block().number() < from || mined.block().number() > to) {
                continue;
            }
            mined.transfers().forEach(transfer -> {
                ObjectNode event = JSON.objectNode();
                event(event, transfer);
                if (matches(event.path("keys"), filter.path("keys"))) {
                    events.add(event.put("block_hash", mined.block().hash().toHex())
                            .put("block_number", mined.block().number())
                            .put("transaction_hash", mined.sent().hash().toHex()));
                }
            });
        }
        return events;
    }

    /** Returns the number of a block of a range, which may be above the newest one. */
    private long end(JsonNode id, long absent) {
        JsonNode number = id.path("block_number");
        return id.isMissingNode() || id.isNull()
                ? absent
                : number.isIntegralNumber() ? number.asLong() : block(id).number();
    }

    private static boolean matches(JsonNode keys, JsonNode wanted) {
        for (int place = 0; place < wanted.size(); place++) {
            List<Felt> any = FeltJson.felts(wanted.path(place));
            boolean isThere = place < keys.size()
                    && any.contains(Felt.parseHex(keys.path(place).asString("")));
            if (!any.isEmpty() && !isThere) {
                return false;
            }
        }
        return true;
    }

    private static ObjectNode json(Block block) {
        ObjectNode json = JSON.objectNode()
                .put("status", "ACCEPTED_ON_L2")
                .put("block_hash", block.hash().toHex())
                .put("parent_hash", block.parent().toHex())
                .put("block_number", block.number())
                .put("new_root", block.hash().toHex())
                .put("timestamp", block.timestamp())
                .put("sequencer_address", Ledger.SEQUENCER.toHex())
                .put("l1_da_mode", "BLOB")
                .put("starknet_version", "0.14.0");
        for (Map.Entry<String, BigInteger> price : Map.of(
                        "l1_gas_price",
                        BigInteger.ONE,
                        "l2_gas_price",
                        L2_GAS_PRICE,
                        "l1_data_gas_price",
                        DATA_GAS_PRICE)
                .entrySet()) {
            json.putObject(price.getKey())
                    .put("price_in_fri", hex(price.getValue()))
                    .put("price_in_wei", "0x1");
        }
        ArrayNode hashes = json.putArray("transactions");
        if (block.transaction() != null) {
            hashes.add(block.transaction().toHex());
        }
        return json;
    }

    private static String hex(BigInteger number) {
        return "0x" + number.toString(16);
    }

    /** The parameters of a call, by name or by place. */
    private record Parameters(JsonNode params) {
        JsonNode node(String name, int place) {
            return params.isArray() ? params.path(place) : params.path(name);
        }

        Felt felt(String name, int place) {
            return Felt.parseHex(node(name, place).asString(""));
        }
    }
}
