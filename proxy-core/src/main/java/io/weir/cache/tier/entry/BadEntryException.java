package io.weir.cache.tier.entry;

/** What a tier gave is not the entry that it should be. */
public final class BadEntryException extends Exception {

    BadEntryException(String why) {
        super(why, null, false, false);
    }
}
