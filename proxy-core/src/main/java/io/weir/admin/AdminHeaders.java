package io.weir.admin;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/** Header or trailer lines of a request to the admin listener, within a bound. Confined to its event loop. */
final class AdminHeaders extends DefaultHttpHeaders {

    private final int maxLines;
    private int lines;

    private AdminHeaders(int maxLines) {
        this.maxLines = maxLines;
    }

    /** Returns the configuration of a decoder that accepts no more lines than allowed. */
    static HttpDecoderConfig bounded(int maxLines) {
        HttpHeadersFactory factory = new HttpHeadersFactory() {
            @Override
            public HttpHeaders newHeaders() {
                return new AdminHeaders(maxLines);
            }

            @Override
            public HttpHeaders newEmptyHeaders() {
                return new AdminHeaders(maxLines);
            }
        };
        return new HttpDecoderConfig().setHeadersFactory(factory).setTrailersFactory(factory);
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        if (++lines > maxLines) {
            throw new TooLongHttpHeaderException("headers: too many lines (expected: at most " + maxLines + ")");
        }
        return super.add(name, value);
    }
}
