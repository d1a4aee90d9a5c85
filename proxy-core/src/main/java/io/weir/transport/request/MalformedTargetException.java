package io.weir.transport.request;

/** Signals a request line without a valid path. Its message contains no part of the request. Immutable. */
public final class MalformedTargetException extends Exception {

    MalformedTargetException(String message) {
        super(message, null, false, false);
    }
}
