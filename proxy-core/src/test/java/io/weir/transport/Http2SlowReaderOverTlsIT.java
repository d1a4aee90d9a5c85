package io.weir.transport;

/** Clients of HTTP/2 that give no window, over TLS. */
class Http2SlowReaderOverTlsIT extends Http2SlowReaderIT {

    @Override
    ServerBounds bounds() {
        return new ServerBounds().secured();
    }
}
