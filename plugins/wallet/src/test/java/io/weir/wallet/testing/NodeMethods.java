package io.weir.wallet.testing;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.hash.Selector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A scripted node's methods. Confined to its node's lock. */
final class NodeMethods {
    static final Felt CHAIN_ID = ShortString.encode("SN_SEPOLIA");
    static final Felt TOKEN = Felt.parseHex("0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d");
    private static final Felt LEGACY =
            Felt.parseHex("0x25ec026985a3bf9d0cc1fe17326b245dfdc3ff89b8fde106542a3ea56c5a918");
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    final NodeLedger ledger = new NodeLedger();
    final Map<Felt, List<Felt>> balances = new HashMap<>();
    String specVersion = "0.9.0";
    final Set<Felt> reverted = new HashSet<>();
    boolean gaps;
    boolean syncing;
    NodeHistory.Blocks blocks = new NodeHistory.Blocks(Felt.of(100), NodeHistory.NEWEST, 0);

    JsonNode answer(String method, JsonNode params) {
        return switch (method) {
            case "starknet_specVersion" -> text(specVersion);
            case "starknet_chainId" -> text(CHAIN_ID.toHex());
            case "starknet_blockNumber" -> JSON.numberNode(blocks.newest());
            case "starknet_getBlockWithTxHashes" -> NodeHistory.block(blocks, params);
            case "starknet_getEvents" -> NodeHistory.events(ledger, params.path("filter"));
            case "starknet_getTransactionByHash" -> known(TransactionCheck.felt(params, "transaction_hash")).body;
            case "starknet_getTransactionReceipt" ->
                NodeHistory.receipt(known(TransactionCheck.felt(params, "transaction_hash")), reverted);
            case "starknet_syncing" -> syncing ? JSON.objectNode() : JSON.booleanNode(false);
            case "starknet_getClassHashAt" -> classHash(params);
            case "starknet_getClassAt" -> tokenClass(TransactionCheck.felt(params, "contract_address"));
            case "starknet_getNonce" -> nonce(params);
            case "starknet_call" -> call(params.path("request"));
            case "starknet_estimateFee" -> estimates(params.path("request"));
            case "starknet_getTransactionStatus" -> status(TransactionCheck.felt(params, "transaction_hash"));
            case "starknet_addInvokeTransaction" -> add(params.path("invoke_transaction"));
            case "starknet_addDeployAccountTransaction" -> add(params.path("deploy_account_transaction"));
            default -> throw new NodeFailure(-32601, "Method not found");
        };
    }

    private static JsonNode text(String text) {
        return JSON.stringNode(text);
    }

    private JsonNode classHash(JsonNode params) {
        NodeLedger.Contract contract = ledger.confirmed(TransactionCheck.felt(params, "contract_address"));
        return text(known(contract).classHash().toHex());
    }

    private static JsonNode tokenClass(Felt address) {
        if (!address.equals(TOKEN)) {
            throw new NodeFailure(20, "Contract not found");
        }
        String inputs = "[{'name':'recipient','type':'core::starknet::contract_address::ContractAddress'},"
                + "{'name':'amount','type':'core::integer::u256'}]";
        String abi = "[{'type':'interface','name':'IERC20','items':[{'type':'function','name':'transfer','inputs':"
                + inputs + "}]}]";
        return JSON.objectNode().put("abi", abi.replace('\'', '"'));
    }

    private static NodeLedger.Contract known(NodeLedger.@Nullable Contract contract) {
        if (contract == null) {
            throw new NodeFailure(20, "Contract not found");
        }
        return contract;
    }

    private JsonNode nonce(JsonNode params) {
        Felt address = TransactionCheck.felt(params, "contract_address");
        JsonNode blockId = params.path("block_id");
        // The proxy names the newest block by its number.
        String block = blockId.has("block_number") ? "latest" : blockId.stringValue();
        if (!block.equals("latest") && !block.equals(specVersion.startsWith("0.8") ? "pending" : "pre_confirmed")) {
            throw new NodeFailure(-32602, "Invalid params");
        }
        int stage = block.equals("latest") ? 2 : 1;
        boolean there = ledger.confirmed(address) != null || ledger.nonce(address, stage) > 0;
        known(there ? ledger.any(address) : null);
        return text(Felt.of(ledger.nonce(address, stage)).toHex());
    }

    private JsonNode call(JsonNode request) {
        Felt contract = TransactionCheck.felt(request, "contract_address");
        Felt selector = TransactionCheck.felt(request, "entry_point_selector");
        List<Felt> data = TransactionCheck.felts(request, "calldata");
        if (contract.equals(TOKEN) && selector.equals(Selector.of("balanceOf"))) {
            return felts(balances.getOrDefault(data.get(0), List.of(Felt.ZERO, Felt.ZERO)));
        }
        NodeLedger.Contract account =
                known(contract.equals(TOKEN) ? new NodeLedger.Contract(TOKEN, TOKEN) : ledger.confirmed(contract));
        if (selector.equals(Selector.of("get_owner")) || selector.equals(Selector.of("getSigner"))) {
            return felts(List.of(account.publicKey()));
        }
        if (selector.equals(Selector.of("getVersion"))) {
            return felts(List.of(ShortString.encode(account.classHash().equals(LEGACY) ? "0.2.3" : "0.3.0")));
        }
        if (selector.equals(Selector.of("is_valid_signature"))) {
            boolean valid =
                    StarkSigner.verify(data.get(0), new Signature(data.get(2), data.get(3)), account.publicKey());
            return felts(List.of(valid ? ShortString.encode("VALID") : Felt.ZERO));
        }
        throw new NodeFailure(21, "Requested entrypoint does not exist in the contract");
    }

    private static ArrayNode felts(List<Felt> felts) {
        ArrayNode array = JSON.arrayNode();
        felts.forEach(felt -> array.add(felt.toHex()));
        return array;
    }

    /** Each costs 100 gas at a price of 1000, 10 data gas at 2000 and no gas of layer 1. */
    private JsonNode estimates(JsonNode transactions) {
        ArrayNode answers = JSON.arrayNode();
        for (JsonNode transaction : transactions) {
            if (!TransactionCheck.isQuery(transaction)) {
                throw new NodeFailure(61, "the transaction version is not supported");
            }
            checkSignature(transaction, TransactionCheck.hash(transaction, CHAIN_ID), transactions);
            ObjectNode answer = answers.addObject();
            answer.put("l1_gas_consumed", "0x0").put("l1_gas_price", "0x5");
            answer.put("l1_data_gas_consumed", "0xa").put("l1_data_gas_price", "0x7d0");
            answer.put("l2_gas_consumed", "0x64").put("l2_gas_price", "0x3e8");
            answer.put("overall_fee", "0x1d4c0").put("unit", "FRI");
        }
        return answers;
    }

    private void checkSignature(JsonNode transaction, Felt hash, JsonNode beside) {
        Felt publicKey;
        if (TransactionCheck.isDeployment(transaction)) {
            publicKey = TransactionCheck.felt(transaction, "contract_address_salt");
        } else if (beside.size() > 1) {
            publicKey = TransactionCheck.felt(beside.path(0), "contract_address_salt");
        } else {
            publicKey = known(ledger.any(TransactionCheck.sender(transaction))).publicKey();
        }
        if (!TransactionCheck.isSignedBy(transaction, hash, publicKey)) {
            throw new NodeFailure(55, "Account validation failed");
        }
    }

    private NodeLedger.Entry known(Felt hash) {
        NodeLedger.Entry entry = ledger.entries.get(hash);
        if (entry == null) {
            throw new NodeFailure(29, "Transaction hash not found");
        }
        return entry;
    }

    private JsonNode status(Felt hash) {
        NodeLedger.Entry entry = known(hash);
        ObjectNode answer = JSON.objectNode().put("finality_status", NodeLedger.STAGES.get(entry.stage));
        if (entry.stage > 0) {
            answer.put("execution_status", reverted.contains(hash) ? "REVERTED" : "SUCCEEDED");
            if (reverted.contains(hash)) {
                answer.put("failure_reason", "not enough of the token");
            }
        }
        return answer;
    }

    private JsonNode add(JsonNode transaction) {
        Felt hash = TransactionCheck.hash(transaction, CHAIN_ID);
        Felt sender = TransactionCheck.sender(transaction);
        if (!transaction.path("version").stringValue().equals("0x3")) {
            throw new NodeFailure(61, "the transaction version is not supported");
        }
        if (ledger.entries.containsKey(hash)) {
            throw new NodeFailure(59, "A transaction with the same hash already exists in the mempool");
        }
        checkSignature(transaction, hash, JSON.arrayNode());
        Felt nonce = TransactionCheck.felt(transaction, "nonce");
        long expected = gaps ? ledger.nonce(sender, 1) : ledger.nonce(sender, 0);
        if (gaps ? nonce.compareTo(Felt.of(expected)) < 0 : !nonce.equals(Felt.of(expected))) {
            throw new NodeFailure(52, "Invalid transaction nonce");
        }
        NodeLedger.Contract deploys = TransactionCheck.isDeployment(transaction)
                ? new NodeLedger.Contract(
                        TransactionCheck.felt(transaction, "class_hash"),
                        TransactionCheck.felt(transaction, "contract_address_salt"))
                : null;
        ledger.add(new NodeLedger.Entry(hash, sender, transaction, deploys));
        ObjectNode answer = JSON.objectNode().put("transaction_hash", hash.toHex());
        if (deploys != null) {
            answer.put("contract_address", sender.toHex());
        }
        return answer;
    }
}
