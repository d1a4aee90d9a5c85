package io.weir.admin;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/** Header lines of a request to the admin listener, or its trailer lines. Confined to its event loop. */
final class AdminHeaders extends DefaultHttpHeaders {

    private static final int MAX_LINES = 100;

    private int lines;

    /** A reader of requests that takes no more lines than allowed. */
    static HttpDecoderConfig bounded() {
        HttpHeadersFactory factory = new HttpHeadersFactory() {
            @Override
            public HttpHeaders newHeaders() {
                return new AdminHeaders();
            }

            @Override
            public HttpHeaders newEmptyHeaders() {
                return new AdminHeaders();
            }
        };
        return new HttpDecoderConfig().setHeadersFactory(factory).setTrailersFactory(factory);
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        if (++lines > MAX_LINES) {
            throw new TooLongHttpHeaderException("headers: too many lines (expected: at most " + MAX_LINES + ")");
        }
        return super.add(name, value);
    }
}
