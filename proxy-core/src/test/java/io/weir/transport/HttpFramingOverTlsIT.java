package io.weir.transport;

/** Ambiguous requests, over TLS: the same bytes give the same answers. */
class HttpFramingOverTlsIT extends HttpFramingIT {

    @Override
    ServerBounds bounds() {
        return new ServerBounds().secured();
    }
}
