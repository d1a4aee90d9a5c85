package io.weir.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;

/**
 * A node at block 1,000 whose every value is one word. What goes to it and comes from it is bytes. Confined to one event loop.
 */
final class InProcessNode implements NodeClient {

    private static final byte[] WORD =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x0de0b6b3a7640000\"}".getBytes(US_ASCII);

    private final RequestWriter writer = new RequestWriter();
    private final ReplyReader replies = new ReplyReader();

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        sink.accept(new NodeOutcome.Answered(
                switch (call.method()) {
                    case "eth_chainId" -> new RpcReply.Result(RawJson.of("\"0x1\""));
                    case "eth_blockNumber" -> new RpcReply.Result(RawJson.of("\"0x3e8\""));
                    case "eth_syncing" -> new RpcReply.Result(RawJson.of("false"));
                    case "eth_getBlockByNumber" -> RpcReply.failure(ErrorCode.INVALID_PARAMS.error("unknown tag"));
                    default -> word(call);
                }));
    }

    private RpcReply word(RpcCall call) {
        if (writer.write(1, call.method(), call.params()).length == 0) {
            throw new IllegalStateException("request: empty (expected: a call)");
        }
        try {
            return replies.read(WORD, 0, WORD.length).reply();
        } catch (MalformedReplyException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
