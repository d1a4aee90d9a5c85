package io.weir.upstream.ws;

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

/** How a node is asked for a WebSocket. Immutable; holds credentials. */
final class Handshake {

    private final URI url;
    private final HttpHeaders headers;

    /**
     * Decides what is sent.
     *
     * @throws IllegalArgumentException when a header cannot be sent; the message shows only its name
     */
    Handshake(NodeAddress address, Map<String, String> configured) {
        url = URI.create((address.tls() ? "wss://" : "ws://") + address.hostHeader() + address.target());
        headers = NodeHeaders.of(address, Map.of(), configured);
    }

    /**
     * Begins one.
     *
     * @param frames counts what has arrived of a frame that is not whole
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
                // Nodes hold an origin against a list of web pages; who names none is no web page.
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
