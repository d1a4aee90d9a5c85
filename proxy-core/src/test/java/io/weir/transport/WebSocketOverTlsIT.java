package io.weir.transport;

/** WebSocket messages, over TLS: the same bytes give the same answers. */
class WebSocketOverTlsIT extends WebSocketIT {

    @Override
    ServerBounds bounds() {
        return new ServerBounds().secured();
    }
}
