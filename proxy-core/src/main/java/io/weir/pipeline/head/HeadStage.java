package io.weir.pipeline.head;

import io.weir.chain.Finality;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.NullMeaning;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.NetworkHead;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stage that holds calls to the network's head, so that answers do not alternate between nodes that differ. Thread-safe.
 *
 * <ul>
 *   <li>{@code latest} becomes the number of the head, so that every node answers for the same block. Nodes answer with the
 *       same bytes for the tag and for the number of their head. If no node has that block, the head is requested again,
 *       and the call is sent with the new one. A block that exists is never {@code null}: if no node shows it, the call fails.
 *   <li>A call for a fee at the head, which names no block, gets the head as its block. The node gets the call unchanged.
 *   <li>The tag {@code pending} is sent unchanged to a node that has the head, {@code earliest} to any node.
 *   <li>The tags {@code safe} and {@code finalized} become the number on which the nodes agree. If no node ever had the tag, a
 *       number below the head replaces it. While nodes agree on nothing, the call fails. A network of one node gets the tag
 *       unchanged, if its node has it.
 *   <li>A number is sent to a node that has the block, or else to the highest one.
 *   <li>An answer that names a block above the head raises the head.
 * </ul>
 */
public final class HeadStage implements Stage {

    /** Words for data of a block. An error with one of them is not about the tag, because the node has the block. */
    private static final Pattern BEHIND_THE_BLOCK = Pattern.compile("state|trie|prun|histor");

    /** How often a call for a head that no node shows is sent with a new one. */
    private static final int REPEATS = 2;

    private final NetworkHead head;
    private final @Nullable SeenBlocks seen;
    private final boolean nullMeansNoBlock;
    private final boolean ofHead;
    private final Stage next;

    public HeadStage(MethodFacts facts, NetworkHead head, Stage next) {
        this.head = head;
        this.seen = SeenBlocks.of(facts);
        this.nullMeansNoBlock = facts.nullMeaning() == NullMeaning.NO_BLOCK;
        this.ofHead = facts.isOfHead();
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (params == null) {
            watched(context, sink);
        } else if (ofHead) {
            handleLatest(params, context, sink);
        } else if (params.block() instanceof BlockSelector.Tag tag) {
            handle(tag.tag(), params, context, sink);
        } else {
            if (params.block() instanceof BlockSelector.Height height) {
                context.setRoute(context.route().toBlock(Math.max(0, height.number()), false));
            }
            watched(context, sink);
        }
    }

    private void handle(BlockTag tag, CheckedParams params, CallContext context, ReplySink sink) {
        if (tag == BlockTag.LATEST) {
            handleLatest(params, context, sink);
        } else if (tag == BlockTag.PENDING) {
            // The number of the block in the making says nothing about the head.
            unheld(context, sink);
        } else if (tag == BlockTag.EARLIEST) {
            next.handle(context, sink);
        } else {
            handleFinal(tag, params, context, sink);
        }
    }

    private void handleLatest(CheckedParams params, CallContext context, ReplySink sink) {
        whenFresh(context, number -> {
            if (number >= 0) {
                hold(number, params, REPEATS, context, sink);
            } else {
                unheld(context, reply -> watched(reply, context, sink));
            }
        });
    }

    private void whenFresh(CallContext context, LongConsumer then) {
        whenFresh(head, context, then);
    }

    /** Finds the head for a call, on its event loop; -1 if no node names one. */
    static void whenFresh(NetworkHead head, CallContext context, LongConsumer then) {
        head.whenFresh(context.loop(), context.deadlineNanos(), number -> context.step(() -> then.accept(number)));
    }

    /**
     * Finds the number that stands for {@code safe} or {@code finalized} in one call of a network whose nodes agree on finality: the one on
     * which they agree, or a number below the head if no node ever had the tag. Does one of three things, on the call's event loop.
     *
     * @param byDepth whether a number below the head may stand for the tag
     * @param found receives the number; -1 if the call has to go on with the tag
     * @param sink receives the failure of the call while the nodes agree on nothing
     */
    static void whenAgreed(
            NetworkHead head, BlockTag tag, boolean byDepth, CallContext context, LongConsumer found, ReplySink sink) {
        head.whenAgreed(
                context.loop(),
                tag,
                context.deadlineNanos(),
                known -> context.step(() -> {
                    if (known.number() >= 0 && !known.byDepth()) {
                        found.accept(known.number());
                    } else if (!byDepth) {
                        found.accept(-1);
                    } else if (known.byDepth()) {
                        whenFresh(head, context, number -> {
                            if (number < 0) {
                                found.accept(-1);
                            } else {
                                Finality finality = head.finality();
                                long under = Math.max(known.number(), finality.underHead(number));
                                finality.used(tag, under);
                                found.accept(under);
                            }
                        });
                    } else {
                        // A node that names the tag may be out of reach: any number may be above its final block.
                        sink.accept(RpcReply.unavailable("no upstream could answer: " + tag.text()
                                + ": nodes name no common block yet (expected: two that name one)"));
                    }
                }));
    }

    private void unheld(CallContext context, ReplySink sink) {
        context.setRoute(context.route().toBlock(Math.max(0, head.tracker().number()), false));
        next.handle(context, sink);
    }

    private void watched(CallContext context, ReplySink sink) {
        next.handle(context, seen == null ? sink : reply -> watched(reply, context, sink));
    }

    private void watched(RpcReply reply, CallContext context, ReplySink sink) {
        if (seen != null && reply instanceof RpcReply.Result result) {
            seen.note(head, context, result.value());
        }
        sink.accept(reply);
    }

    /**
     * Sends the call with the number of a block.
     *
     * @param repeats how often the call may be sent with a new head if no node shows the block
     */
    private void hold(long number, CheckedParams params, int repeats, CallContext context, ReplySink sink) {
        boolean numbered = params.blockIndex() >= 0;
        if (numbered) {
            context.checked(params.atHeight(number));
        } else if (ofHead) {
            context.checked(params.at(new BlockSelector.Height(number)));
        }
        context.setRoute(context.route().toBlock(number, nullMeansNoBlock));
        next.handle(context, reply -> {
            if (!numbered || !lacksBlock(reply, context)) {
                sink.accept(reply);
            } else if (repeats > 0) {
                head.missing(number);
                whenFresh(context, newer -> {
                    if (newer >= 0) {
                        hold(newer, params, repeats - 1, context, sink);
                    } else {
                        sink.accept(orFailure(reply, number));
                    }
                });
            } else {
                sink.accept(orFailure(reply, number));
            }
        });
    }

    /** Returns a failure in place of {@code null} for a block that upstreams name. */
    private static RpcReply orFailure(RpcReply reply, long number) {
        return reply instanceof RpcReply.Result
                ? RpcReply.unavailable("no upstream could answer: none shows block " + number + ", which one has named")
                : reply;
    }

    private boolean lacksBlock(RpcReply reply, CallContext context) {
        return reply instanceof RpcReply.Result result
                ? nullMeansNoBlock && result.value().equals(RawJson.NULL)
                : context.trace().lackedData();
    }

    private void handleFinal(BlockTag tag, CheckedParams params, CallContext context, ReplySink sink) {
        if (params.blockIndex() < 0) {
            next.handle(context, sink);
        } else if (!head.finality().isAlone()) {
            whenAgreed(
                    head,
                    tag,
                    params.shape().isOfEthereum(),
                    context,
                    number -> {
                        if (number < 0) {
                            next.handle(context, sink);
                        } else {
                            hold(number, params, 0, context, sink);
                        }
                    },
                    sink);
        } else if (!params.shape().isOfEthereum()) {
            // No depth stands for finality where a proof on another chain decides it.
            next.handle(context, sink);
        } else if (head.finality().isLackedInCalls(tag)) {
            handleByDepth(params, context, sink);
        } else {
            context.setRoute(context.route().toBlock(0, nullMeansNoBlock));
            next.handle(context, reply -> {
                if (lacksTag(reply, context)) {
                    handleByDepth(params, context, byDepth -> {
                        // A call that fails with a number too may be wrong itself, and shows nothing about the tag.
                        if (byDepth instanceof RpcReply.Result result
                                && !result.value().equals(RawJson.NULL)) {
                            head.finality().lackedInCall(tag);
                        }
                        sink.accept(byDepth);
                    });
                } else {
                    sink.accept(reply);
                }
            });
        }
    }

    private void handleByDepth(CheckedParams params, CallContext context, ReplySink sink) {
        whenFresh(context, number -> {
            if (number >= 0) {
                hold(head.finality().underHead(number), params, 0, context, sink);
            } else {
                next.handle(context, sink);
            }
        });
    }

    private boolean lacksTag(RpcReply reply, CallContext context) {
        if (!(reply instanceof RpcReply.Failure failure)) {
            return lacksBlock(reply, context);
        }
        // The parameters were valid before, so the node can only reject the tag.
        return failure.error().code() == ErrorCode.INVALID_PARAMS.code()
                || (context.trace().lackedData()
                        && !BEHIND_THE_BLOCK
                                .matcher(failure.error().message().toLowerCase(Locale.ROOT))
                                .find());
    }

    /**
     * Stage that answers the call for the number of the newest block with the head to which all calls are held. If no node names one, the call is
     * forwarded like any other, so that it fails like any other. Thread-safe.
     */
    public record BlockNumberStage(NetworkHead head, BlockIds blocks, Stage next) implements Stage {

        @Override
        public void handle(CallContext context, ReplySink sink) {
            whenFresh(head, context, number -> {
                if (number >= 0) {
                    sink.accept(new RpcReply.Result(blocks.number(number)));
                } else {
                    next.handle(context, reply -> sink.accept(atLeastKnown(context, reply)));
                }
            });
        }

        /** Returns the known head if there is one, because a single node must not move the head. */
        private RpcReply atLeastKnown(CallContext context, RpcReply reply) {
            if (!(reply instanceof RpcReply.Result result)) {
                return reply;
            }
            String upstream = context.trace().upstreamId();
            if (upstream != null) {
                head.seen(upstream, blocks.number(result.value()));
            }
            long known = head.tracker().number();
            return known >= 0 ? new RpcReply.Result(blocks.number(known)) : reply;
        }
    }

    /**
     * Stage that answers with the hash and the number of the head to which all calls are held. It asks a node that has the block for it
     * by its number. If no node names a head, the call is forwarded like any other, so that it fails like any other. Thread-safe.
     */
    public record HeadBlockStage(NetworkHead head, BlockIds blocks, Stage next) implements Stage {

        private static final RpcReply OTHER_BLOCK = RpcReply.unavailable("the node showed another block than the head");

        @Override
        public void handle(CallContext context, ReplySink sink) {
            handle(context, true, sink);
        }

        private void handle(CallContext context, boolean mayRepeat, ReplySink sink) {
            whenFresh(head, context, number -> {
                if (number >= 0) {
                    ask(number, context, mayRepeat, sink);
                } else {
                    next.handle(context, sink);
                }
            });
        }

        private void ask(long number, CallContext context, boolean mayRepeat, ReplySink sink) {
            RpcCall call = Objects.requireNonNull(blocks.call(new BlockSelector.Height(number)));
            CallContext asked = context.with(call);
            asked.setRoute(asked.route().toBlock(number, true));
            next.handle(asked, reply -> {
                if (reply instanceof RpcReply.Result result) {
                    sink.accept(place(number, result.value()));
                } else if (mayRepeat && asked.trace().lackedData()) {
                    head.missing(number);
                    handle(context, false, sink);
                } else {
                    sink.accept(reply);
                }
            });
        }

        private RpcReply place(long number, RawJson block) {
            RawJson place = block.first() == '{' && blocks.height(block) == number ? blocks.place(block) : null;
            return place == null ? OTHER_BLOCK : new RpcReply.Result(place);
        }
    }
}
