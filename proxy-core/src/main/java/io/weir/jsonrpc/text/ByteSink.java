package io.weir.jsonrpc.text;

/** The receiver of written JSON, piece by piece. Confined to the writing thread. */
@FunctionalInterface
public interface ByteSink {

    /**
     * Accepts the next bytes. Nobody modifies the array any more, and the sink must not either. The sink may keep the
     * range instead of copying it.
     */
    void write(byte[] array, int offset, int length);
}
