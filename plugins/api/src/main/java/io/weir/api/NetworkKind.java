package io.weir.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The probing of the nodes of one kind of network. Names the calls for the chain, the head and the state of syncing, and reads
 * their answers. Pure and thread-safe.
 */
public interface NetworkKind {

    /** The kind's name, as in a network's {@code kind} setting. */
    String name();

    /** A chain id as this kind compares it. Applied to the configured one and to what nodes answer. */
    String normaliseChainId(String chainId);

    /** The call that tells the chain id. */
    ProbeCall chainIdCall();

    /** The call that tells the head. */
    ProbeCall headCall();

    /** The call that tells whether the node is syncing. */
    ProbeCall syncingCall();

    /**
     * Reads a chain id.
     *
     * @throws IllegalArgumentException when the result is none
     */
    String readChainId(JsonNode result);

    /**
     * Reads the head's number.
     *
     * @throws IllegalArgumentException when the result has none
     */
    long readHead(JsonNode result);

    /**
     * Reads whether the node is syncing.
     *
     * @throws IllegalArgumentException when the result does not tell
     */
    boolean readSyncing(JsonNode result);

    /**
     * Whether nodes serve blocks by Ethereum's calls. Their blocks then show their heads, and prove them if nodes differ.
     */
    default boolean servesEthereumBlocks() {
        return servesEthereumMethods();
    }

    /**
     * Whether nodes take Ethereum's methods with Ethereum's parameters; read once. The proxy then checks, holds to the head, stores and
     * filters their calls as on a network of kind {@code ethereum}, whose results no hash proves. Where nodes differ from Ethereum's,
     * {@link #blockForm}, {@link #subscriptionForm} and {@link #methods} say so.
     */
    default boolean servesEthereumMethods() {
        return false;
    }

    /**
     * The methods that nodes serve, beside those that the proxy knows itself; read once. Calls of these methods are counted by name,
     * and equal reads at the same time reach a node once.
     */
    default List<NetworkMethod> methods() {
        return List.of();
    }

    /**
     * The form in which nodes name and show blocks; read once. With it calls about the newest block are held to one head, which no
     * single node moves far. Without it (null) such calls go to nodes as they came. Nodes that serve Ethereum's blocks have the form
     * of Ethereum, or one made from it.
     */
    default @Nullable BlockForm blockForm() {
        return servesEthereumBlocks() ? BlockForm.ETHEREUM : null;
    }

    /**
     * The form of subscriptions, which the proxy serves over WebSocket from one stream of blocks, whatever its nodes serve; read once.
     * Without it (null) there are none. It needs a {@link #blockForm}.
     */
    default @Nullable SubscriptionForm subscriptionForm() {
        return servesEthereumBlocks() ? SubscriptionForm.ETHEREUM : null;
    }

    /**
     * Whether a client may send the call again without effect, for methods that neither {@link #methods} nor the proxy's catalogue
     * names.
     */
    default boolean isRepeatable(String method) {
        return false;
    }

    /**
     * Whether an error of this code is the network's own word on a call of the method: any node would say so. No other node is
     * asked then, and the client gets code, message and data as the node sent them.
     */
    default boolean isFinalError(String method, int code) {
        return false;
    }

    /**
     * Whether an error of this code says that a node did nothing, because it does not understand a call that another node may
     * understand. The next node is asked then; if all say so, the client gets the error.
     */
    default boolean isUnread(String method, int code) {
        return false;
    }

    /**
     * Whether an error of this code says that a node has no such block, transaction or other object, which another node may have.
     * The next node is asked then; if none has it, the client gets the error.
     */
    default boolean isNotFound(String method, int code) {
        return false;
    }

    /** A call of a probe. Immutable. */
    record ProbeCall(String method, List<JsonNode> params) {
        public ProbeCall {
            params = List.copyOf(params);
        }

        /** A call without parameters. */
        public static ProbeCall of(String method) {
            return new ProbeCall(method, List.of());
        }
    }
}
