package io.weir.api;

/** Opens nodes in this process behind URLs of a scheme of its own, such as {@code devnet:default}. */
public interface UpstreamProvider {

    /** The scheme, in lower case and without the colon; not {@code http}, {@code https}, {@code ws} or {@code wss}. */
    String scheme();

    /**
     * Opens the node that a URL names. The host closes it.
     *
     * @param address what follows the colon, such as {@code default}
     * @throws IllegalArgumentException when the address names nothing; the message is shown to the operator
     */
    LocalNode open(String address);
}
