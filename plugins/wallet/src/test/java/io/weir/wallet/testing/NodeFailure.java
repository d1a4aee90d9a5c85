package io.weir.wallet.testing;

/** An error that a scripted node answers with. */
final class NodeFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    final int code;

    NodeFailure(int code, String message) {
        super(message);
        this.code = code;
    }
}
