package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoop;
import io.weir.config.ServedData;
import io.weir.config.UpstreamConfig;
import io.weir.config.UpstreamConfig.Transactions;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodPattern;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.verdict.Verdict;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Record of what one node can answer, as configured or as learned from its answers: methods, forms of parameters, data of
 * old blocks, and old transactions. Thread-safe.
 */
final class NodeCapabilities {

    /** Null answers to check while nothing is known of a node: few calls, and soon enough. A provider bills them. */
    private static final int CHECKS_PER_MINUTE = 6;

    private final ProbeTarget node;
    private final List<String> methods;
    private final boolean servesAll;
    /** Null until the node refuses a call. Most nodes take every call. */
    private volatile @Nullable RefusedCalls refused;

    private final NodeData data;
    private final TransactionHistory transactions;
    private final MissedTransactions missedTransactions;
    private final boolean hasAllTransactions;
    private final LongSupplier clock;
    private final Counter nullChecks;
    private final Counter missed;

    /**
     * @param node gets the calls that check the record
     */
    NodeCapabilities(ProbeTarget node, String network, UpstreamConfig config, Meters meters, LongSupplier clock) {
        this.node = node;
        this.clock = clock;
        ServedData serves = config.serves();
        this.methods = serves.methods();
        this.servesAll = methods.contains("*");
        this.data = new NodeData(serves, clock);
        this.transactions =
                new TransactionHistory(config.transactions(), config.isHosted() ? 0 : CHECKS_PER_MINUTE, clock);
        this.missedTransactions = new MissedTransactions(clock);
        this.hasAllTransactions = config.transactions() == Transactions.ALL || serves.logsFrom() == 0;
        this.missed = meters.counter(Meter.MISSED_TRANSACTIONS, network, config.id());
        this.nullChecks = meters.counter(Meter.NULL_CHECKS, network, config.id());
    }

    /** Returns whether the node serves a method, according to its settings. */
    boolean serves(String method) {
        return servesAll || MethodPattern.anyMatches(methods, method);
    }

    /** Returns the record of the data of old blocks. */
    NodeData data() {
        return data;
    }

    /** Returns the record of refused calls, to note one in it. */
    RefusedCalls refused() {
        RefusedCalls record = refused;
        return record == null ? firstRefused() : record;
    }

    private synchronized RefusedCalls firstRefused() {
        RefusedCalls record = refused;
        if (record == null) {
            record = new RefusedCalls(clock);
            refused = record;
        }
        return record;
    }

    /** Returns whether the node said recently that it does not have a method. */
    boolean saidToLack(String method) {
        RefusedCalls record = refused;
        return record != null && record.saidToLack(method);
    }

    /** Returns whether the node lacks a method. A call that tries again is told that it does not. */
    boolean lacksMethod(String method) {
        RefusedCalls record = refused;
        return record != null && record.isLacking(method);
    }

    /** Returns whether the node lacks the method of a call or refuses the form of its parameters. */
    boolean refuses(RpcCall call) {
        RefusedCalls record = refused;
        return record != null && record.holds(call);
    }

    /**
     * Learns which methods the node has.
     *
     * @param verdict the meaning of an outcome that is no result
     */
    void learn(String method, @Nullable Verdict verdict) {
        if (verdict != null && verdict.lack() == Verdict.Lack.METHOD) {
            refused().lacks(method);
        } else if (verdict != null && verdict.isOfNetwork() && refused != null) {
            refused().has(method);
        }
    }

    /** Notes that the node executed a call. */
    void took(RpcCall call) {
        RefusedCalls record = refused;
        if (record != null) {
            record.took(call);
        }
    }

    /** Returns whether the node is known to lack old transactions. */
    boolean lacksTransactions() {
        return transactions.isLacking();
    }

    /** Returns whether the settings say that the node has all transactions. */
    boolean hasAllTransactions() {
        return hasAllTransactions;
    }

    /** Returns the record of lookups of old transactions that the node lacks. */
    MissedTransactions missedTransactions() {
        return missedTransactions;
    }

    /** Notes that the node answered null for a transaction that another node has in a block that this node has too. */
    void missedTransaction(EventLoop loop, RpcCall call, long block) {
        missed.inc();
        if (transactions.isLacking()) {
            missedTransactions.missed(block);
        }
        check(loop, transactions.missed(call, block));
    }

    /** Asks the node again for a transaction that it lacked, if that is due. */
    void recheckTransactions(EventLoop loop) {
        check(loop, transactions.dueRecheck());
    }

    private void check(EventLoop loop, MissCheck.@Nullable Miss miss) {
        if (miss != null) {
            long deadline = clock.getAsLong() + HealthProbe.TIMEOUT_NANOS;
            MissCheck.run(node, loop, deadline, miss, result -> checked(miss, result));
        }
    }

    private void checked(MissCheck.Miss miss, MissCheck.Result result) {
        boolean before = transactions.isLacking();
        transactions.checked(miss, result);
        if (!before && transactions.isLacking()) {
            missedTransactions.missed(miss.block());
        }
    }

    /**
     * Returns whether to check the node's null answer to this lookup of a transaction. The number of such checks is bounded.
     */
    boolean takeNullCheck(RpcCall call) {
        return transactions.isLacking() || transactions.takeCheck(call);
    }

    void countNullCheck() {
        nullChecks.inc();
    }
}
