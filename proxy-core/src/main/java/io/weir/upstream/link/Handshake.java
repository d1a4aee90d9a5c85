package io.weir.upstream.link;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker13;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.weir.limit.Reservation;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeHeaders;
import java.net.URI;
import java.util.Map;

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
        headers = NodeHeaders.of(address, Map.of(), configured);
    }

    /**
     * Returns a new handshake.
     *
     * @param frames counts the bytes of an incomplete frame
     */
    WebSocketClientHandshaker13 begin(int maxFrameBytes, Reservation frames) {
        return new Client(url, headers, maxFrameBytes, frames);
    }

    /** One handshake. Confined to its event loop. */
    private static final class Client extends WebSocketClientHandshaker13 {

        private final boolean fromBrowser;
        private final Reservation frames;

        Client(URI url, HttpHeaders headers, int maxFrameBytes, Reservation frames) {
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
    }
}
