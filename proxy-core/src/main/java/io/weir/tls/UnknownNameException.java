package io.weir.tls;

/** Signals that a client names a host without a certificate, and is to be refused. Carries no stack: clients cause it at will. */
public final class UnknownNameException extends RuntimeException {

    UnknownNameException() {
        super("SNI: unknown (expected: a name of a certificate)", null, false, false);
    }
}
