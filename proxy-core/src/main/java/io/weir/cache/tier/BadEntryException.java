package io.weir.cache.tier;

/** Signals that bytes from a tier are not the expected entry. */
public final class BadEntryException extends Exception {

    BadEntryException(String why) {
        super(why, null, false, false);
    }
}
