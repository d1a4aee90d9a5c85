package io.weir.transport;

/** Requests of HTTP/2 that no client sends by itself, over TLS: the same frames get the same answers. */
class Http2RequestsOverTlsIT extends Http2RequestsIT {

    @Override
    ServerBounds bounds() {
        return new ServerBounds().secured();
    }
}
