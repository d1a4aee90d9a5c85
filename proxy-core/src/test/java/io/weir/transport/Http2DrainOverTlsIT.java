package io.weir.transport;

/** How connections of HTTP/2 end, over TLS. */
class Http2DrainOverTlsIT extends Http2DrainIT {

    @Override
    ServerBounds bounds() {
        return new ServerBounds().secured();
    }
}
