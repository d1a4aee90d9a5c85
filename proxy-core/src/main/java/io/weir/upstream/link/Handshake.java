package io.weir.upstream.link;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker13;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.weir.limit.Reservation;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import java.net.URI;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opening handshake of a WebSocket to a node. Immutable; holds credentials. */
final class Handshake {

    private final URI url;
    private final HttpHeaders headers;

    /**
     * Prepares the request.
     *
     * @throws IllegalArgumentException if a header cannot be sent; the message shows only its name
     */
    Handshake(NodeAddress address, Map<String, String> configured) {
        url = URI.create((address.tls() ? "wss://" : "ws://") + address.hostHeader() + address.target());
        headers = address.headers(Map.of(), configured);
    }

    /**
     * Returns a new handshake.
     *
     * @param frames counts the bytes of an incomplete frame
     */
    Opening begin(int maxFrameBytes, Reservation frames) {
        return new Opening(url, headers, maxFrameBytes, frames);
    }

    /**
     * Handshake in progress: sends the request and judges the answer. A refusal means the same as that status in answer to a call, except
     * that no call was sent. Confined to its event loop.
     */
    static final class Opening extends WebSocketClientHandshaker13 {

        private final boolean fromBrowser;
        private final Reservation frames;
        private @Nullable Consumer<@Nullable Failed> listener;
        private @Nullable HttpResponse head;

        private Opening(URI url, HttpHeaders headers, int maxFrameBytes, Reservation frames) {
            super(url, WebSocketVersion.V13, null, false, headers, maxFrameBytes);
            this.frames = frames;
            fromBrowser = headers.contains(HttpHeaderNames.ORIGIN);
        }

        @Override
        protected FullHttpRequest newHandshakeRequest() {
            FullHttpRequest request = super.newHandshakeRequest();
            if (!fromBrowser) {
                // Nodes compare the origin with a list of web pages. A client without an origin is not a web page.
                request.headers().remove(HttpHeaderNames.ORIGIN);
            }
            return request;
        }

        @Override
        protected WebSocketFrameDecoder newWebsocketDecoder() {
            return new AnswerDecoder(maxFramePayloadLength(), frames);
        }

        /** Sends the request. */
        void begin(Channel channel, Consumer<@Nullable Failed> opened) {
            listener = opened;
            handshake(channel).addListener(sent -> {
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
                finishHandshake(
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
            Consumer<@Nullable Failed> opened = listener;
            listener = null;
            if (opened != null) {
                opened.accept(problem);
            }
        }

        private static Failed refusal(String detail) {
            return new Failed(Flaw.NO_WEBSOCKET.fault(), Executed.NO, detail, 0, Flaw.NO_WEBSOCKET);
        }
    }
}
