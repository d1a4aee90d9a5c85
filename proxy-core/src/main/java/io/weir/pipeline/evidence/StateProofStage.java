package io.weir.pipeline.evidence;

import io.weir.access.KeyRefusal;
import io.weir.cache.AnswerFacts;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.trie.StateAccount;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors.ClaimedBlock;
import io.weir.pipeline.evidence.Anchors.Standing;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.AnswerProof;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification.Part;
import java.math.BigInteger;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Stage for calls that require proven state. The balance, the nonce, a slot and the code of an account are cut out of the account's proof,
 * which is a call of the proxy's own. The state root is that of the block's header: of a new block it is known, that of another one is
 * fetched, proven, and confirmed by a second node. What cannot be proven is refused. Other calls pass. Thread-safe.
 */
public final class StateProofStage implements Stage {

    private static final RpcReply NEVER =
            refusal("the result cannot be proven (expected: state of a block by its number"
                    + " or hash, on a network that hashes as Ethereum does and verifies)");

    private static final RpcReply OVER_RATE = new RpcReply.Failure(
            ErrorCode.LIMIT_EXCEEDED.error("the proof exceeds the rate or the units of this api key"),
            RpcReply.FailureKind.RATE_LIMITED,
            1);

    private static final RawJson NO_CODE = RawJson.of("\"0x\"");

    /** What methods tell of an account. */
    private static final Map<String, Fact> FACTS = Map.of(
            ChainCalls.PROOF,
            Fact.ALL,
            ChainCalls.BALANCE,
            Fact.BALANCE,
            ChainCalls.TRANSACTION_COUNT,
            Fact.NONCE,
            ChainCalls.STORAGE,
            Fact.SLOT,
            ChainCalls.CODE,
            Fact.CODE);

    private final VerificationContext shared;
    private final Anchors anchors;
    private final Nodes nodes;
    private final Stage next;
    /** Null if the method tells nothing that is proven. */
    private final @Nullable Fact fact;

    private enum Fact {
        ALL,
        BALANCE,
        NONCE,
        SLOT,
        CODE
    }

    /** @param next answers calls that require no proof, and gives proofs and code */
    public StateProofStage(MethodFacts facts, VerificationContext shared, Anchors anchors, Nodes nodes, Stage next) {
        this.shared = shared;
        this.anchors = anchors;
        this.nodes = nodes;
        this.next = next;
        this.fact = FACTS.get(facts.name());
    }

    private static RpcReply refusal(String message) {
        return RpcReply.failure(ErrorCode.INVALID_INPUT.error(message));
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (!context.caller().requiresState()) {
            next.handle(context, sink);
        } else if (fact == null || params == null || !isProvable(params.block())) {
            sink.accept(NEVER);
        } else if (fact == Fact.ALL) {
            prove(context, params, sink);
        } else {
            cut(context, params, fact, sink);
        }
    }

    private boolean isProvable(BlockSelector block) {
        return shared.policy().proves()
                && shared.known().hasStateRoots()
                && (block instanceof BlockSelector.Height || block instanceof BlockSelector.Hash);
    }

    /** Gives the proof of an account once the header of its block is known. */
    private void prove(CallContext context, CheckedParams params, ReplySink sink) {
        String hash = params.block() instanceof BlockSelector.Hash named
                ? named.hash()
                : shared.known().hash(((BlockSelector.Height) params.block()).number());
        if (hash != null && shared.known().headerOfReceipts(hash) != null) {
            ask(context, params, sink);
            return;
        }
        findHeader(context, params, found -> {
            if (found == null) {
                sink.accept(refusal("the state is not proven: no header of its block is"));
                return;
            }
            shared.known().passed(found);
            if (params.block() instanceof BlockSelector.Hash) {
                ask(context, params, sink);
            } else {
                RawJson block = RawJson.of("{\"blockHash\":\"" + found.hash().hex() + "\"}");
                askAside(context, params.values().get(1), block, (own, reply) -> sink.accept(reply));
            }
        });
    }

    private void ask(CallContext context, CheckedParams params, ReplySink sink) {
        next.handle(context, reply -> {
            boolean again = reply instanceof RpcReply.Result && !isProven(context.trace());
            if (!again || !(context.trace().hit() || context.trace().collapsed())) {
                sink.accept(proven(reply, context.trace()));
                return;
            }
            // It came before the header was known.
            CallContext aside = context.asidePastMemory(context.call());
            aside.checked(params);
            next.handle(aside, other -> {
                adopt(context, aside);
                sink.accept(proven(other, aside.trace()));
            });
        });
    }

    private static void adopt(CallContext context, CallContext aside) {
        context.trace().askedAs(aside.trace());
        context.trace().markVerified(aside.trace().verified());
    }

    private static boolean isProven(CallTrace trace) {
        return trace.verified().contains(Part.STATE.word());
    }

    private static RpcReply proven(RpcReply reply, CallTrace trace) {
        String node = trace.upstreamId() == null ? "" : ", by upstream " + trace.upstreamId();
        return reply instanceof RpcReply.Failure || isProven(trace) ? reply : refusal("the state is not proven" + node);
    }

    /**
     * Finds the header of the block that a call names, by a call of the proxy's own.
     *
     * @param sink gets it; null if no header is proven, or nobody confirms the block of a number
     */
    private void findHeader(CallContext context, CheckedParams params, Consumer<@Nullable BlockHeader> sink) {
        CallContext sub = context.aside(
                ChainCalls.wholeBlock(params.block(), params.values().get(params.blockIndex())), CallCause.VERIFY);
        sub.setRoute(sub.route().ofEvidence(NeededProof.withoutUncles()));
        shared.calls().handle(sub, reply -> {
            BlockHeader header = header(reply);
            if (header == null || params.block() instanceof BlockSelector.Hash || !anchors.isPossible()) {
                sink.accept(header);
                return;
            }
            String node = Objects.requireNonNullElse(sub.trace().upstreamId(), Anchors.STORED);
            ClaimedBlock claim = new ClaimedBlock(header.number(), header.hash().hex(), node);
            anchors.find(context, claim, standing -> sink.accept(standing == Standing.CANONICAL ? header : null));
        });
    }

    private @Nullable BlockHeader header(RpcReply reply) {
        RawJson block = reply instanceof RpcReply.Result result ? result.value() : RawJson.NULL;
        AnswerFacts named = AnswerFacts.read(CacheClass.BLOCK, block);
        ProvenBlock proven = named == null
                ? null
                : AnswerProof.header(block, named.hash(), true, shared.rules().family())
                        .value();
        return proven == null ? null : proven.header();
    }

    /** Receiver of the reply to a call of the proxy's own. */
    @FunctionalInterface
    private interface AsideSink {
        void accept(CallContext own, RpcReply reply);
    }

    private void askAside(CallContext context, RawJson slots, RawJson block, AsideSink sink) {
        RawJson address =
                Objects.requireNonNull(context.checkedParams()).values().get(0);
        CallContext own = context.aside(ChainCalls.proof(address, slots, block), CallCause.VERIFY);
        shared.calls().handle(own, reply -> {
            adopt(context, own);
            sink.accept(own, reply);
        });
    }

    /** Cuts what a method tells out of the account's proof. */
    private void cut(CallContext context, CheckedParams params, Fact told, ReplySink sink) {
        int catalogue = MethodCatalogue.ofName(ChainCalls.PROOF).cost();
        long units = context.caller().bounds().costs().of(ChainCalls.PROOF, catalogue);
        if (context.caller().admitMore(1, units) > 0) {
            context.caller().account().refused(KeyRefusal.RATE);
            sink.accept(OVER_RATE);
            return;
        }
        context.trace().costsMore(units);
        RawJson slots = told == Fact.SLOT ? RawJson.of("[" + params.values().get(1) + "]") : RawJson.EMPTY_ARRAY;
        askAside(context, slots, params.values().get(params.blockIndex()), (own, reply) -> {
            JsonNode account = reply instanceof RpcReply.Result result ? AnswerProof.parsed(result.value()) : null;
            if (account == null || !isProven(own.trace())) {
                sink.accept(proven(reply, own.trace()));
            } else if (told == Fact.CODE) {
                code(context, account.path("codeHash").asString(), sink);
            } else {
                sink.accept(new RpcReply.Result(value(account, told)));
            }
        });
    }

    private static RawJson value(JsonNode account, Fact told) {
        JsonNode member = switch (told) {
            case BALANCE -> account.path("balance");
            case NONCE -> account.path("nonce");
            default -> account.at("/storageProof/0/value");
        };
        BigInteger number = new BigInteger(member.asString().substring(2), 16);
        String text = told == Fact.SLOT ? Hash32.ofNumber(number).hex() : Quantity.encode(number);
        return RawJson.of('"' + text + '"');
    }

    /** Asks for code, which its hash proves. */
    private void code(CallContext context, String hash, ReplySink sink) {
        Hash32 proven = Hash32.fromHex(hash);
        if (proven.equals(StateAccount.NO_CODE) || proven.equals(Hash32.ZERO)) {
            sink.accept(new RpcReply.Result(NO_CODE));
            return;
        }
        askForCode(context, next, (own, reply) -> {
            String node = own.trace().upstreamId();
            if (isOfHash(reply, proven) || reply instanceof RpcReply.Failure) {
                sink.accept(reply);
                return;
            }
            if (node != null) {
                shared.misbehaviour().report(node, Flaw.FALSE_HASH, ChainCalls.CODE + ": code of another hash", true);
            }
            Stage others = nodes.without().apply(node == null ? Set.of() : Set.of(node));
            askForCode(context, others, (again, other) -> {
                if (isOfHash(other, proven) || other instanceof RpcReply.Failure) {
                    sink.accept(other);
                } else {
                    context.trace().markVerified("");
                    sink.accept(refusal("the code has another hash than the proven one"));
                }
            });
        });
    }

    private static void askForCode(CallContext context, Stage stage, AsideSink sink) {
        CallContext own = context.aside(context.call());
        own.checked(Objects.requireNonNull(context.checkedParams()));
        stage.handle(own, reply -> {
            context.trace().askedAs(own.trace());
            sink.accept(own, reply);
        });
    }

    private static boolean isOfHash(RpcReply reply, Hash32 proven) {
        return reply instanceof RpcReply.Result code && proven.equals(hash(code.value()));
    }

    private static @Nullable Hash32 hash(RawJson code) {
        String text = code.toString();
        try {
            return Bytes.fromHex(text.substring(1, text.length() - 1)).keccak();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
