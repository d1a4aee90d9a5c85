package io.weir.pipeline.send;

import io.weir.cache.AnswerFacts;
import io.weir.cache.tier.RecordStore;
import io.weir.config.NetworkConfig;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Hex;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.send.AcceptedTransactions.Accepted;
import io.weir.pipeline.send.AcceptedTransactions.SharedTransactions;
import io.weir.upstream.CallCause;
import io.weir.upstream.UpstreamPool;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stage that sends signed transactions. A transaction with a computable hash may be sent to several nodes, to each one once. If several
 * calls carry it at the same time, it is sent once. A transaction that cannot be decoded is forwarded like any other call,
 * and not repeated. Thread-safe.
 */
public final class SendStage implements Stage {

    private static final Set<String> LOOKUPS =
            Set.of(ChainCalls.TRANSACTION, ChainCalls.RECEIPT, ChainCalls.TRANSACTION_COUNT);

    private final Parts parts;
    private final Stage calls;
    private final Stage unreadable;
    /** Bounded by the number of calls in flight. */
    private final ConcurrentMap<SentTransaction, PendingSend> pending = new ConcurrentHashMap<>();

    /** Outcome of a transaction. */
    enum Outcome {
        /** A node accepted it. */
        ACCEPTED,
        /** A node said that it has it. */
        KNOWN,
        /** A node was found to have it although its error did not say so. */
        FOUND,
        /** Nodes refused it. */
        REFUSED,
        /** No node answered, and none can have taken it. */
        UNANSWERED,
        /** A node may have taken it, but none was found to have it. */
        UNCERTAIN,
        /** The same transaction was in flight already. */
        COALESCED,
        /** A node answered with another hash. */
        OTHER_HASH,
        /** Its hash cannot be computed. */
        UNKNOWN_HASH
    }

    /** Parts that sending a transaction needs. Immutable. */
    record Parts(
            UpstreamPool pool,
            Forwarding forwarding,
            int broadcast,
            AcceptedTransactions accepted,
            @Nullable SharedTransactions shared,
            EnumCounters<Outcome> outcomes) {

        void keep(SentTransaction sent, @Nullable String upstreamId) {
            Accepted kept =
                    accepted.add(sent.transaction(), sent.hash(), Objects.requireNonNullElse(upstreamId, ""), 0);
            if (kept != null && shared != null) {
                shared.add(kept);
            }
        }

        void drop(SentTransaction sent, Set<String> refusing) {
            Accepted dropped = accepted.removeIfRefused(sent.hash(), refusing);
            if (dropped != null && shared != null) {
                shared.remove(dropped);
            }
        }
    }

    /** @param records that other proxies share; null if there are none */
    public SendStage(
            NetworkConfig config,
            UpstreamPool pool,
            Forwarding forwarding,
            Meters meters,
            @Nullable RecordStore records) {
        this.parts = new Parts(
                pool,
                forwarding,
                config.broadcast(),
                new AcceptedTransactions(CallContext.CLOCK),
                records == null ? null : new SharedTransactions(records, config.chainId(), System::currentTimeMillis),
                new EnumCounters<>(meters, Meter.TRANSACTIONS, Outcome.class, config.name()));
        this.calls = forwarding.over(pool, true);
        this.unreadable = forwarding.over(pool, false);
    }

    /** Returns the stage that lets clients read what they sent; {@code next} if the method reads nothing that they can send. */
    public Stage lookupStage(MethodFacts facts, Stage next) {
        return LOOKUPS.contains(facts.name())
                ? new SentLookupStage(parts.accepted(), parts.shared(), facts, calls, next)
                : next;
    }

    /** Forgets the accepted transactions, because the chain may have lost them. */
    public void forget() {
        SharedTransactions shared = parts.shared();
        List<Accepted> forgotten = parts.accepted().clear();
        if (shared != null) {
            forgotten.forEach(shared::remove);
        }
    }

    AcceptedTransactions accepted() {
        return parts.accepted();
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        FirstParam param = FirstParam.of(context.call().params());
        byte[] bytes = bytes(param);
        if (bytes == null) {
            sink.accept(FirstParam.refusal(param, "a signed transaction in hex"));
            return;
        }
        SentTransaction transaction = SentTransaction.read(bytes);
        if (transaction == null) {
            parts.outcomes().count(Outcome.UNKNOWN_HASH);
            unreadable.handle(context, sink);
        } else {
            send(transaction, context, sink);
        }
    }

    private void send(SentTransaction transaction, CallContext context, ReplySink sink) {
        PendingSend pendingSend = new PendingSend(context.deadlineNanos());
        PendingSend before = pending.putIfAbsent(transaction, pendingSend);
        if (before != null) {
            if (before.coalesce(context, sink)) {
                parts.outcomes().count(Outcome.COALESCED);
            } else {
                new Sending(parts, transaction, context, sink).begin();
            }
            return;
        }
        ReplySink completion = reply -> {
            pending.remove(transaction, pendingSend);
            pendingSend.end(reply, context.trace(), this);
            sink.accept(reply);
        };
        new CallGuard(context, completion)
                .pass((guarded, sending) -> new Sending(parts, transaction, guarded, sending).begin());
    }

    private static byte @Nullable [] bytes(@Nullable FirstParam param) {
        String text = param == null ? null : param.string();
        try {
            return text == null ? null : Hex.decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Transaction in flight, with the other calls that send the same one in the meantime. Thread-safe. */
    private static final class PendingSend {

        private final long deadlineNanos;
        private final List<Waiter> waiters = new ArrayList<>(0);
        private boolean ended;

        private record Waiter(CallContext context, ReplySink sink) {}

        /** @param deadlineNanos when it ends at the latest */
        PendingSend(long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
        }

        /** Lets a call wait for the reply. Returns false if the reply has arrived, or could arrive too late for the call. */
        synchronized boolean coalesce(CallContext context, ReplySink sink) {
            if (ended || context.deadlineNanos() - deadlineNanos < 0) {
                return false;
            }
            waiters.add(new Waiter(context, sink));
            return true;
        }

        /**
         * Answers the waiting calls, each on its own event loop.
         *
         * @param again receives calls that have time left although the transaction's time is over
         */
        void end(RpcReply reply, CallTrace trace, Stage again) {
            boolean late = isUnanswered(reply) && System.nanoTime() - deadlineNanos >= 0;
            String upstream = trace.upstreamId();
            long upstreamNanos = trace.upstreamNanos();
            for (Waiter waiter : ending()) {
                CallContext context = waiter.context();
                Runnable deliver = () -> {
                    if (late && context.millisLeft(System.nanoTime()) > 0) {
                        again.handle(context, waiter.sink());
                        return;
                    }
                    context.trace().markForwarded();
                    if (upstream != null) {
                        context.trace().answeredBy(upstream, upstreamNanos);
                    }
                    waiter.sink().accept(reply);
                };
                context.loop().execute(() -> context.step(deliver));
            }
        }

        private synchronized List<Waiter> ending() {
            ended = true;
            return List.copyOf(waiters);
        }

        private static boolean isUnanswered(RpcReply reply) {
            return reply instanceof RpcReply.Failure failure && failure.kind() == FailureKind.UNAVAILABLE;
        }
    }

    /**
     * Stage that lets clients read the transactions that they sent, at nodes that do not have them yet. Thread-safe.
     *
     * <ul>
     *   <li>If a node has not found an accepted transaction, the client gets it as a pending one.
     *   <li>Once a node has named the block of a transaction, only nodes with that block are asked for it and its receipt.
     *   <li>The nonce at {@code pending} counts the accepted transactions that follow the node's nonce without a gap.
     * </ul>
     *
     * @param shared transactions of other proxies too; null if there are none
     * @param calls makes the proxy's own calls
     */
    record SentLookupStage(
            AcceptedTransactions accepted,
            @Nullable SharedTransactions shared,
            MethodFacts facts,
            Stage calls,
            Stage next)
            implements Stage {

        @Override
        public void handle(CallContext context, ReplySink sink) {
            CheckedParams params = context.checkedParams();
            if (params == null || (shared == null && accepted.isEmpty())) {
                next.handle(context, sink);
                return;
            }
            CacheClass form = facts.lookup().isOfTransaction() ? facts.cacheClass() : null;
            if (form != null) {
                lookUp(form, Hash32.fromHex(Objects.requireNonNull(params.lookupHash())), context, sink);
            } else if (params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING) {
                Address sender = Address.fromHex(text(params.values().get(0)));
                next.handle(context, reply -> count(sender, reply, context, sink));
            } else {
                next.handle(context, sink);
            }
        }

        private void lookUp(CacheClass kind, Hash32 hash, CallContext context, ReplySink sink) {
            Accepted known = accepted.find(hash);
            if (known == null) {
                boolean elsewhere = shared != null && kind == CacheClass.TRANSACTION;
                next.handle(context, elsewhere ? reply -> lookElsewhere(hash, reply, context, sink) : sink);
                return;
            }
            if (known.block() >= 0) {
                context.setRoute(context.route().toBlock(known.block(), true));
            }
            next.handle(context, reply -> {
                if (!isNothing(reply, context)) {
                    note(kind, hash, reply);
                    sink.accept(reply);
                } else if (kind == CacheClass.TRANSACTION) {
                    sink.accept(missing(known, reply, context));
                } else {
                    sink.accept(reply);
                }
            });
        }

        private void lookElsewhere(Hash32 hash, RpcReply reply, CallContext context, ReplySink sink) {
            if (shared == null || !isNothing(reply, context)) {
                sink.accept(reply);
                return;
            }
            shared.find(hash, context, found -> {
                Accepted known = found == null ? null : accepted.add(found.transaction(), hash, "", found.ageNanos());
                sink.accept(known == null ? reply : new RpcReply.Result(PendingForm.of(known)));
            });
        }

        private RpcReply missing(Accepted known, RpcReply reply, CallContext context) {
            if (accepted.isReplaced(known)) {
                accepted.remove(known.hash());
                if (shared != null) {
                    shared.remove(known);
                }
                return reply;
            }
            if (accepted.mayAsk(known.hash())) {
                CallContext own =
                        context.aside(ChainCalls.minedCount(known.sender().hex()), CallCause.FOLLOWER);
                calls.handle(own, count -> {
                    if (count instanceof RpcReply.Result result
                            && number(result.value()) > known.transaction().nonce()) {
                        accepted.used(known.hash());
                    }
                });
            }
            return new RpcReply.Result(PendingForm.of(known));
        }

        private static boolean isNothing(RpcReply reply, CallContext context) {
            return reply instanceof RpcReply.Result result
                    ? result.value().equals(RawJson.NULL)
                    : context.trace().lackedData();
        }

        private void note(CacheClass kind, Hash32 hash, RpcReply reply) {
            AnswerFacts facts = reply instanceof RpcReply.Result result ? AnswerFacts.read(kind, result.value()) : null;
            if (facts != null) {
                accepted.mined(hash, facts.number());
            }
        }

        private void count(Address sender, RpcReply reply, CallContext context, ReplySink sink) {
            long nonce = reply instanceof RpcReply.Result result ? number(result.value()) : -1;
            if (nonce < 0) {
                sink.accept(reply);
            } else {
                count(
                        sender,
                        nonce,
                        context,
                        pending -> sink.accept(
                                pending == nonce
                                        ? reply
                                        : new RpcReply.Result(RawJson.of('"' + Quantity.encode(pending) + '"'))));
            }
        }

        private void count(Address sender, long nonce, CallContext context, LongConsumer sink) {
            long pending = accepted.nextNonce(sender, nonce);
            if (shared == null) {
                sink.accept(pending);
                return;
            }
            shared.find(sender, pending, context, found -> {
                if (found == null) {
                    sink.accept(pending);
                } else {
                    accepted.add(found.transaction(), found.transaction().hash(), "", found.ageNanos());
                    count(sender, pending, context, sink);
                }
            });
        }

        /** Returns the number of a result; -1 if it is none. */
        private static long number(RawJson quantity) {
            try {
                return Quantity.decodeLong(text(quantity));
            } catch (IllegalArgumentException e) {
                return -1;
            }
        }

        private static String text(RawJson string) {
            return string.toString().replace("\"", "");
        }
    }

    /** Writer of a transaction as geth shows it while it is in no block. Confined to one call. */
    static final class PendingForm {

        private final StringBuilder text = new StringBuilder("{\"blockHash\":null,\"blockNumber\":null");

        private PendingForm() {}

        static RawJson of(Accepted accepted) {
            return RawJson.of(new PendingForm().write(accepted));
        }

        private String write(Accepted accepted) {
            Transaction transaction = accepted.transaction();
            // While nobody knows the base fee, the gas price is the most that the transaction may pay.
            BigInteger price = transaction.gasPrice() == null ? transaction.maxFeePerGas() : transaction.gasPrice();
            string("from", accepted.sender().hex());
            string("gas", Quantity.encodeUnsigned(transaction.gas()));
            quantity("gasPrice", price);
            quantity("maxFeePerGas", transaction.maxFeePerGas());
            quantity("maxPriorityFeePerGas", transaction.maxPriorityFeePerGas());
            quantity("maxFeePerBlobGas", transaction.maxFeePerBlobGas());
            string("hash", accepted.hash().hex());
            string("input", transaction.input().hex());
            string("nonce", Quantity.encodeUnsigned(transaction.nonce()));
            if (transaction.to() == null) {
                text.append(",\"to\":null");
            } else {
                string("to", transaction.to().hex());
            }
            text.append(",\"transactionIndex\":null");
            quantity("value", transaction.value());
            string("type", Quantity.encode(transaction.type().number()));
            lists(transaction);
            quantity("chainId", transaction.chainId());
            signature(transaction);
            return text.append('}').toString();
        }

        private void lists(Transaction transaction) {
            TransactionType type = transaction.type();
            if (type != TransactionType.LEGACY) {
                list("accessList", transaction.accessList(), PendingForm::entry);
            }
            if (type == TransactionType.BLOB) {
                list("blobVersionedHashes", transaction.blobVersionedHashes(), PendingForm::quoted);
            }
            if (type == TransactionType.SET_CODE) {
                list("authorizationList", transaction.authorizationList(), PendingForm::authorization);
            }
        }

        private void signature(Transaction transaction) {
            Signature signature = Objects.requireNonNull(transaction.signature());
            quantity("v", transaction.v());
            quantity("r", signature.r());
            quantity("s", signature.s());
            if (transaction.type() != TransactionType.LEGACY) {
                string("yParity", Quantity.encode(signature.yParity()));
            }
        }

        private static String entry(AccessListEntry entry) {
            return entry.storageKeys().stream()
                    .map(PendingForm::quoted)
                    .collect(Collectors.joining(
                            ",", "{\"address\":\"" + entry.address().hex() + "\",\"storageKeys\":[", "]}"));
        }

        private static String authorization(Authorization authorization) {
            return "{\"chainId\":\"" + Quantity.encode(authorization.chainId())
                    + "\",\"address\":\"" + authorization.address().hex()
                    + "\",\"nonce\":\"" + Quantity.encodeUnsigned(authorization.nonce())
                    + "\",\"yParity\":\"" + Quantity.encode(authorization.yParity())
                    + "\",\"r\":\"" + Quantity.encode(authorization.r())
                    + "\",\"s\":\"" + Quantity.encode(authorization.s()) + "\"}";
        }

        private static String quoted(Hash32 hash) {
            return '"' + hash.hex() + '"';
        }

        private <T> void list(String name, Collection<T> items, Function<T, String> item) {
            text.append(items.stream().map(item).collect(Collectors.joining(",", ",\"" + name + "\":[", "]")));
        }

        private void quantity(String name, @Nullable BigInteger value) {
            if (value != null) {
                string(name, Quantity.encode(value));
            }
        }

        private void string(String name, String value) {
            text.append(",\"").append(name).append("\":\"").append(value).append('"');
        }
    }
}
