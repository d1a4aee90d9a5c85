package io.weir.upstream.link;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.wire.NodeConnector.Opened;
import io.weir.upstream.wire.ReplyVerdict;
import org.jspecify.annotations.Nullable;

/**
 * Opening handshake in progress: sends the request and judges the answer. A refusal means the same as that status in answer
 * to a call, except that no call was sent. Confined to its event loop.
 */
final class Opening {

    private final WebSocketClientHandshaker handshaker;
    private @Nullable Opened listener;
    private @Nullable HttpResponse head;

    Opening(WebSocketClientHandshaker handshaker) {
        this.handshaker = handshaker;
    }

    /** Sends the request. */
    void begin(Channel channel, Opened opened) {
        listener = opened;
        handshaker.handshake(channel).addListener(sent -> {
            if (!sent.isSuccess()) {
                end(refusal("no connection could be made"));
            }
        });
    }

    /** Reads a part of the answer. The caller keeps its ownership. */
    void read(Channel channel, Object message) {
        if (message instanceof HttpResponse response) {
            head = response;
            if (response.decoderResult().isFailure()) {
                end(refusal("no HTTP"));
            } else if (!response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
                end(verdict(response));
            }
        }
        if (message instanceof LastHttpContent && head != null && listener != null) {
            finish(channel, head);
        }
    }

    private Failed verdict(HttpResponse response) {
        Failed seen = ReplyVerdict.ofHead(response);
        if (seen == null || seen.flaw() == Flaw.UNREQUESTED_CODING) {
            return refusal("HTTP " + response.status().code() + " in place of a WebSocket");
        }
        return new Failed(seen.fault(), Executed.NO, seen.detail(), seen.retryAfterSeconds(), seen.flaw());
    }

    private void finish(Channel channel, HttpResponse response) {
        try {
            handshaker.finishHandshake(
                    channel,
                    new DefaultFullHttpResponse(
                            response.protocolVersion(),
                            response.status(),
                            Unpooled.EMPTY_BUFFER,
                            response.headers(),
                            new DefaultHttpHeaders()));
        } catch (WebSocketHandshakeException e) {
            end(refusal("no valid answer to the handshake"));
            return;
        }
        end(null);
    }

    private void end(@Nullable Failed problem) {
        Opened opened = listener;
        listener = null;
        if (opened != null) {
            opened.ended(problem);
        }
    }

    private static Failed refusal(String detail) {
        return new Failed(Flaw.NO_WEBSOCKET.fault(), Executed.NO, detail, 0, Flaw.NO_WEBSOCKET);
    }
}
