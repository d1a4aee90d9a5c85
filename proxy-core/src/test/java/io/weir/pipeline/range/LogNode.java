package io.weir.pipeline.range;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.verdict.CallErrors;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers of a node that takes ranges of logs up to a limit. Confined to one thread. */
final class LogNode implements Function<RpcCall, NodeOutcome> {

    /** Error of a node. */
    interface Refusal {
        RpcError of(BlockRange asked);
    }

    private static final ErrorTable TABLE = new ErrorTable();
    private static final JsonMapper JSON = new JsonMapper();

    private final LongFunction<List<String>> logs;
    private final List<BlockRange> refused = new ArrayList<>();
    private final List<BlockRange> answered = new ArrayList<>();
    private long maxBlocks = Long.MAX_VALUE;
    private long maxLogs = Long.MAX_VALUE;
    private Refusal refusal = asked -> new RpcError(-32005, "block range is too wide", null);

    /** @param logs of each block */
    LogNode(LongFunction<List<String>> logs) {
        this.logs = logs;
    }

    LogNode takingBlocks(long limit, Refusal error) {
        maxBlocks = limit;
        refusal = error;
        return this;
    }

    LogNode takingLogs(long limit, Refusal error) {
        maxLogs = limit;
        refusal = error;
        return this;
    }

    List<BlockRange> refused() {
        return refused;
    }

    List<BlockRange> answered() {
        return answered;
    }

    int asked() {
        return refused.size() + answered.size();
    }

    /** Returns the array of all logs of a range, as a node without limits gives it. */
    String logs(BlockRange range) {
        List<String> found = new ArrayList<>();
        for (long block = range.from(); block <= range.to(); block++) {
            found.addAll(logs.apply(block));
        }
        return '[' + String.join(",", found) + ']';
    }

    @Override
    public NodeOutcome apply(RpcCall call) {
        JsonNode filter = JSON.readTree(String.valueOf(call.params())).get(0);
        BlockRange range = new BlockRange(
                Long.decode(filter.get("fromBlock").asString()),
                Long.decode(filter.get("toBlock").asString()));
        if (range.length() > maxBlocks || count(range) > maxLogs) {
            refused.add(range);
            return error(call, refusal.of(range));
        }
        answered.add(range);
        return new Answered(new RpcReply.Result(RawJson.of(logs(range))));
    }

    private long count(BlockRange range) {
        long count = 0;
        for (long block = range.from(); maxLogs < Long.MAX_VALUE && block <= range.to(); block++) {
            count += logs.apply(block).size();
        }
        return count;
    }

    /** Returns the outcome of an error as a pool gives it. */
    static NodeOutcome error(RpcCall call, RpcError error) {
        Verdict verdict = TABLE.verdict(call, error, 200);
        return new Answered(RpcReply.failure(CallErrors.clean(call, error, verdict)), 200, verdict);
    }
}
