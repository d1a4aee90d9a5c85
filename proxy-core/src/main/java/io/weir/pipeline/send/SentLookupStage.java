package io.weir.pipeline.send;

import io.weir.cache.AnswerFacts;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.send.AcceptedTransactions.Accepted;
import io.weir.upstream.CallCause;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Stage that lets clients read the transactions that they sent, at nodes that do not have them yet. Thread-safe.
 *
 * <ul>
 *   <li>If a node has not found an accepted transaction, the client gets it as a pending one.
 *   <li>Once a node has named the block of a transaction, only nodes with that block are asked for it and its receipt.
 *   <li>The nonce at {@code pending} counts the accepted transactions that follow the node's nonce without a gap.
 * </ul>
 */
final class SentLookupStage implements Stage {

    private final AcceptedTransactions accepted;
    private final @Nullable SharedTransactions shared;
    /** The form of the results about one transaction; null if the method counts them. */
    private final @Nullable CacheClass form;

    private final Stage calls;
    private final Stage next;

    /**
     * @param shared transactions of other proxies too; null if there are none
     * @param calls makes the proxy's own calls
     */
    SentLookupStage(
            AcceptedTransactions accepted,
            @Nullable SharedTransactions shared,
            MethodFacts facts,
            Stage calls,
            Stage next) {
        this.accepted = accepted;
        this.shared = shared;
        this.calls = calls;
        this.form = facts.lookup().isOfTransaction() ? facts.cacheClass() : null;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (params == null || (shared == null && accepted.isEmpty())) {
            next.handle(context, sink);
        } else if (form != null) {
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
            context.needsBlock(known.block(), true);
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
                    context.aside(ChainCalls.minedCount(known.sender().hex())).causedBy(CallCause.FOLLOWER);
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
