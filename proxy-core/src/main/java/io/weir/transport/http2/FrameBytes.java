package io.weir.transport.http2;

import io.netty.handler.codec.http2.Http2FrameTypes;

/** The bytes of a connection that its decoder holds: those of an unfinished frame, and of fields without end. Confined to its event loop. */
final class FrameBytes {

    private static final int END_HEADERS = 4;

    private int type;
    private int length;
    private boolean lastOfBlock;
    private boolean open;

    /** The bytes of whole frames of fields, the last of which is still to come. */
    private long block;

    /** Begins a frame, whose head has arrived. The one before is whole. */
    void begin(int frameType, int flags, int bytes) {
        end();
        type = frameType;
        lastOfBlock = (flags & END_HEADERS) != 0;
        length = bytes;
        open = true;
    }

    /** Ends a frame that has arrived whole. */
    void end() {
        if (open && isOfBlock()) {
            block = lastOfBlock ? 0 : block + length;
        }
        open = false;
    }

    /** Returns whether the frame that is arriving belongs to a body. */
    boolean isOfBody() {
        return open && type == Http2FrameTypes.DATA;
    }

    /** Returns the bytes of fields without end, but for those of the frame that is arriving. */
    long block() {
        return block;
    }

    private boolean isOfBlock() {
        return type == Http2FrameTypes.HEADERS || type == Http2FrameTypes.CONTINUATION;
    }
}
