package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;

/**
 * A whole answer whose head equals an earlier one of its connection, byte for byte except the number in Content-Length. The receiver
 * releases it. Confined to its event loop.
 */
final class RepeatedAnswer extends DefaultByteBufHolder {

    private final NodeAnswerHead first;

    /** @param body given up by the caller */
    RepeatedAnswer(NodeAnswerHead first, ByteBuf body) {
        super(body);
        this.first = first;
    }

    /** Returns the first answer's head. Everything but its length applies to this one. */
    NodeAnswerHead first() {
        return first;
    }
}
