package io.weir.transport.entry;

/** Says that a request line names no path. Its message repeats nothing of the request. */
public final class MalformedTargetException extends Exception {

    MalformedTargetException(String message) {
        super(message, null, false, false);
    }
}
