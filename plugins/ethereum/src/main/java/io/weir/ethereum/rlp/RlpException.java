package io.weir.ethereum.rlp;

/** Input that is not RLP in its one allowed form, or not of the expected shape. Immutable. */
public final class RlpException extends IllegalArgumentException {
    public RlpException(String message) {
        super(message);
    }

    RlpException(int position, String message) {
        super("rlp at byte " + position + ": " + message);
    }
}
