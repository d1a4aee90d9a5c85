package io.weir.subscription;

import io.weir.chain.BlockLink;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.ChainCalls;
import io.weir.subscription.chain.HeaderSource;
import io.weir.subscription.chain.HeaderText;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.log.BlockLogs;
import io.weir.subscription.log.LogSource;
import io.weir.upstream.ShownBlock;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Blocks and logs for the stream. A block that a node has shown as its newest is taken from there. The others, and the logs, come by
 * the proxy's own calls: from the cache or from any node. If the network verifies, each block is compared with its hash. Confined to
 * the event loop of the stream.
 */
final class NodeAnswers implements HeaderSource, LogSource {

    private final StreamCalls calls;
    private final @Nullable ChainRules rules;
    private final SubscriptionMeters meters;
    private final ShownBlocks shown;

    NodeAnswers(NetworkConfig network, StreamCalls calls, SubscriptionMeters meters, ShownBlocks shown) {
        this.calls = calls;
        this.rules = network.verifies() ? ChainRules.of(network) : null;
        this.meters = meters;
        this.shown = shown;
    }

    @Override
    public void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink) {
        ShownBlock newest = shown.take(hash);
        StreamBlock known = newest == null ? null : read(newest.text(), newest.kind(), hash);
        if (known != null) {
            sink.accept(known);
            return;
        }
        meters.fetched(Fetch.HEADER);
        calls.ask(
                ChainCalls.blockByHash(hash, false),
                number,
                result -> sink.accept(result == null ? null : read(result, AnswerKind.BLOCK, hash)));
    }

    @Override
    public void fetchAt(long number, Consumer<@Nullable StreamBlock> sink) {
        meters.fetched(Fetch.HEADER);
        calls.ask(
                ChainCalls.blockByNumber(number),
                number,
                result -> sink.accept(result == null ? null : read(result, AnswerKind.BLOCK, null)));
    }

    private @Nullable StreamBlock read(RawJson text, AnswerKind kind, @Nullable String hash) {
        StreamBlock read = HeaderText.read(text);
        return read != null && isRight(text, kind, hash) ? read : null;
    }

    /** An announced header may lack members, so that it counts only if its hash proves it. */
    private boolean isRight(RawJson text, AnswerKind kind, @Nullable String hash) {
        if (rules == null) {
            return kind == AnswerKind.BLOCK;
        }
        Verification<?> verification = AnswerProof.check(kind, text, hash, rules);
        return kind == AnswerKind.BLOCK ? !(verification instanceof Verification.Wrong) : verification.value() != null;
    }

    @Override
    public void fetch(StreamBlock of, List<RawJson> addresses, Consumer<@Nullable BlockLogs> sink) {
        BlockLink block = of.link();
        meters.fetched(Fetch.LOGS);
        calls.ask(
                ChainCalls.logs(block.hash(), addresses),
                block.number(),
                result -> sink.accept(result == null ? null : BlockLogs.read(block, result)));
    }
}
