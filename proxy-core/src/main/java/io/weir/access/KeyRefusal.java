package io.weir.access;

/** The reasons why a known key does not get an answer. The names are label values of a meter. */
public enum KeyRefusal {
    /** The key has expired. */
    EXPIRED,
    /** The client's address is none of the key's. */
    CLIENT,
    /** The page is none of the key's. */
    ORIGIN,
    /** The key may not use the network. */
    NETWORK,
    /** The key may not call the method. */
    METHOD,
    /** The call could reach another contract than those of the key. */
    CONTRACT,
    /** The key's rate is exceeded. */
    RATE,
    /** The key's units of the day are spent. */
    UNITS,
    /** The key has its share of what all callers want. */
    SHARE
}
