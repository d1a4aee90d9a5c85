package io.weir.wallet.testing;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The scripted node without a socket: one network, {@code sepolia}, in the test's own process. Thread-safe. */
public final class LedgerChain implements ChainClient {
    /** What a call fails with whose answer never came. */
    public static final int NO_ANSWER = -32000;

    private final NodeMethods methods = new NodeMethods();
    private final Deque<Mishap> mishaps = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private boolean silent;
    private boolean advancing;
    private boolean lying;
    private boolean cutAfterSending;
    private boolean cut;
    private boolean losing;
    private boolean hidingBlocks;
    private boolean inventingBlocks;
    private boolean denying;

    @Override
    public synchronized CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        asked.add(method);
        if (cut || (losing && method.startsWith("starknet_add")) || (hidingBlocks && method.contains("getBlock"))) {
            return lost();
        }
        if (inventingBlocks && method.contains("getBlock")) {
            methods.blocks = methods.blocks.again(Felt.of(1000 + asked.size())).upTo(NodeHistory.NEWEST);
        }
        cut = cutAfterSending && method.startsWith("starknet_add");
        if (silent && !method.startsWith("starknet_add")) {
            return lost();
        }
        if (advancing && method.equals("starknet_getTransactionStatus")) {
            methods.ledger.advance();
        }
        Mishap mishap = method.startsWith("starknet_add") ? mishaps.poll() : null;
        if (mishap == Mishap.LOST_BEFORE) {
            return lost();
        }
        try {
            if ((lying || denying) && method.equals("starknet_getTransactionStatus")) {
                throw new NodeFailure(29, "Transaction hash not found");
            }
            if (mishap == Mishap.REFUSED) {
                throw new NodeFailure(54, "Account balance is smaller than the transaction's maximal fee");
            }
            JsonNode result = methods.answer(method, params);
            if (lying && method.startsWith("starknet_add")) {
                methods.ledger.advance();
                throw new NodeFailure(52, "Invalid transaction nonce");
            }
            if (mishap == Mishap.TAKEN_BUT_REFUSED) {
                throw new NodeFailure(63, "An unexpected error occurred");
            }
            return mishap == Mishap.ANSWER_LOST ? lost() : CompletableFuture.completedStage(result);
        } catch (NodeFailure e) {
            return CompletableFuture.failedStage(new RpcException(e.code, String.valueOf(e.getMessage())));
        }
    }

    private static CompletionStage<JsonNode> lost() {
        return CompletableFuture.failedStage(new RpcException(NO_ANSWER, "no node answers"));
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        return kind.equals("l2") && Felt.parseHex(chainId).equals(NodeMethods.CHAIN_ID) ? "sepolia" : null;
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        return network.equals("sepolia") ? NodeMethods.CHAIN_ID.toHex() : null;
    }

    /** Something goes wrong with the next transactions that are sent, one after the other. */
    public synchronized void expect(Mishap... next) {
        mishaps.addAll(List.of(next));
    }

    /** From now on it takes transactions, refuses them for their nonces, and does not admit that it knows any. */
    public synchronized void lieAboutTheNextTransaction() {
        lying = true;
    }

    /** Nobody reaches it any more once the next transaction was sent. */
    public synchronized void cutAfterSending() {
        cutAfterSending = true;
    }

    /** It can be reached again. */
    public synchronized void mend() {
        cutAfterSending = false;
        cut = false;
    }

    /** Whether no transaction arrives. */
    public synchronized void losesAllTransactions(boolean now) {
        losing = now;
    }

    /** Ends the lies. */
    public synchronized void tellTheTruth() {
        lying = false;
    }

    /** Begins anew, as a development node does that is started again. */
    public synchronized void startAgain() {
        methods.ledger.clear();
        methods.blocks = methods.blocks.again(Felt.of(101));
    }

    /** Begins anew with the first block that it had. */
    public synchronized void startAgainWithTheSameFirstBlock() {
        methods.ledger.clear();
        methods.blocks = methods.blocks.again(methods.blocks.first());
    }

    /** Has blocks up to this one. */
    public synchronized void setNewestBlock(long number) {
        methods.blocks = methods.blocks.upTo(number);
    }

    /** Names another hash for a block each time it is asked. */
    public synchronized void inventBlocks() {
        inventingBlocks = true;
    }

    /** Answers no question about blocks any more. */
    public synchronized void hideBlocks() {
        hidingBlocks = true;
    }

    /** Puts a transaction of anybody into a block. */
    public synchronized void addSettled(Felt hash, Felt sender) {
        NodeLedger.Entry entry = new NodeLedger.Entry(hash, sender, JsonNodeFactory.instance.objectNode(), null);
        entry.stage = 2;
        methods.ledger.add(entry);
    }

    /** Says whether it lags behind its network. */
    public synchronized void setSyncing(boolean now) {
        methods.syncing = now;
    }

    /** Says that it does not know any transaction, and keeps those that it is given. */
    public synchronized void denyTransactions(boolean now) {
        denying = now;
    }

    /** Undoes what a transaction did, but for its fee. */
    public synchronized void revert(Felt hash) {
        methods.reverted.add(hash);
    }

    /** From now on it takes transactions whose nonces leave a gap, as real nodes do. */
    public synchronized void allowGaps() {
        methods.gaps = true;
    }

    /** The hash of the last transaction that it has taken; null where there is none. */
    public synchronized @Nullable Felt lastHash() {
        Felt last = null;
        for (Felt hash : methods.ledger.entries.keySet()) {
            last = hash;
        }
        return last;
    }

    /** Whether the answers to all other questions are lost. */
    public synchronized void beSilent(boolean now) {
        silent = now;
    }

    /** Everything in the mempool and the blocks comes one stage further. */
    public synchronized void advance() {
        methods.ledger.advance();
    }

    /** From now on every question for a status brings everything one stage further. */
    public synchronized void advanceByItself() {
        advancing = true;
    }

    /** Puts an account on the chain that others made. */
    public synchronized void addContract(Felt address, Felt classHash, Felt publicKey) {
        methods.ledger.addContract(address, classHash, publicKey);
    }

    /** Loses a transaction that it has taken. */
    public synchronized void forget(Felt hash) {
        methods.ledger.entries.remove(hash);
    }

    /** The nonces of a sender's transactions, in the order in which they came. */
    public synchronized List<Long> nonces(Felt sender) {
        return methods.ledger.noncesOf(sender);
    }

    /** What it was asked since the last time, by method. */
    public synchronized List<String> takeAsked() {
        List<String> taken = List.copyOf(asked);
        asked.clear();
        return taken;
    }

    /** The last transaction that it has taken. */
    public synchronized JsonNode lastTransaction() {
        JsonNode last = JsonNodeFactory.instance.nullNode();
        for (NodeLedger.Entry entry : methods.ledger.entries.values()) {
            last = entry.body;
        }
        return last;
    }
}
