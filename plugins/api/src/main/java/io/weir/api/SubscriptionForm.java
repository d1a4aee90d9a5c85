package io.weir.api;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form of one kind of network's subscriptions, which the proxy serves over WebSocket from one stream of blocks. Calls have their
 * parameters by position or by name. The parameters of a notification are the subscription's id and {@code result}. Immutable.
 *
 * @param idMember the name of the id, in notifications and in the call that ends a subscription
 * @param ending the method that ends a subscription
 * @param unknownId the error for an id that the connection does not have
 * @param heads the subscription to new blocks
 * @param status the subscription to the status of one transaction; null if there is none
 * @param events the subscription to events; null if there is none
 * @param passed the other subscriptions, each of which one node serves
 * @param reorganisation the notification of blocks that are no longer part of the chain; null if their logs are told once more, with
 *     {@code removed}
 * @param logs the subscription to logs by Ethereum's filter, which {@code eth_getLogs} shows; null if there is none
 * @param pending the subscription to pending transactions; null if there is none
 */
public record SubscriptionForm(
        String idMember,
        String ending,
        Refusal unknownId,
        Heads heads,
        @Nullable Status status,
        @Nullable Events events,
        List<Passed> passed,
        @Nullable Reorganisation reorganisation,
        @Nullable Topic logs,
        @Nullable Topic pending) {

    private static final String SUBSCRIBE = "eth_subscribe";
    private static final String SUBSCRIPTION = "eth_subscription";

    /** The form of Ethereum, with the headers of geth. */
    public static final SubscriptionForm ETHEREUM = new SubscriptionForm(
            "subscription",
            "eth_unsubscribe",
            new Refusal(-32000, "subscription not found"),
            new Heads(
                    ofEthereum("newHeads"),
                    null,
                    List.of(
                            "parentHash",
                            "sha3Uncles",
                            "miner",
                            "stateRoot",
                            "transactionsRoot",
                            "receiptsRoot",
                            "logsBloom",
                            "difficulty",
                            "number",
                            "gasLimit",
                            "gasUsed",
                            "timestamp",
                            "extraData",
                            "mixHash",
                            "nonce",
                            "baseFeePerGas",
                            "withdrawalsRoot",
                            "blobGasUsed",
                            "excessBlobGas",
                            "parentBeaconBlockRoot",
                            "requestsHash",
                            "blockAccessListHash",
                            "slotNumber",
                            "hash")),
            null,
            null,
            List.of(),
            null,
            ofEthereum("logs"),
            ofEthereum("newPendingTransactions"));

    /** Creates the form of a network with neither logs nor pending transactions as Ethereum has them. */
    public SubscriptionForm(
            String idMember,
            String ending,
            Refusal unknownId,
            Heads heads,
            @Nullable Status status,
            @Nullable Events events,
            List<Passed> passed,
            Reorganisation reorganisation) {
        this(idMember, ending, unknownId, heads, status, events, passed, reorganisation, null, null);
    }

    /** Copies the list. */
    public SubscriptionForm {
        passed = List.copyOf(passed);
    }

    /** Returns a kind of {@code eth_subscribe}, by the name in its first parameter. */
    public static Topic ofEthereum(String kind) {
        return new Topic(SUBSCRIBE, SUBSCRIPTION, kind);
    }

    /** Returns the same form whose headers have these members, in their order. */
    public SubscriptionForm withHeaders(List<String> members) {
        return with(new Heads(heads.topic(), heads.start(), members), passed);
    }

    /** Returns the same form with these subscriptions that one node serves. */
    public SubscriptionForm withPassed(Passed... others) {
        return with(heads, List.of(others));
    }

    private SubscriptionForm with(Heads itsHeads, List<Passed> itsPassed) {
        return new SubscriptionForm(
                idMember, ending, unknownId, itsHeads, status, events, itsPassed, reorganisation, logs, pending);
    }

    /** Returns the kinds that the proxy serves itself. */
    public List<Topic> topics() {
        return Stream.of(
                        heads.topic(),
                        status == null ? null : status.topic(),
                        events == null ? null : events.topic(),
                        logs,
                        pending)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the methods that subscribe to what the proxy serves itself. */
    public List<String> methods() {
        return topics().stream().map(Topic::method).distinct().toList();
    }

    /**
     * Error of a node's API. Immutable.
     *
     * @param message without details
     */
    public record Refusal(int code, String message) {}

    /**
     * Names of one kind of subscription. Immutable.
     *
     * @param method that subscribes
     * @param notification the method of its notifications
     * @param kind the first parameter, if the method subscribes to several kinds; else null. New blocks without a start, logs and
     *     pending transactions have one
     */
    public record Topic(
            String method, String notification, @Nullable String kind) {

        /** Creates the names of a kind that has a method of its own. */
        public Topic(String method, String notification) {
            this(method, notification, null);
        }
    }

    /**
     * The subscription to new blocks, which are told as headers. Immutable.
     *
     * @param start the earlier block from which on blocks are told; null if later blocks alone are
     * @param members the members that a header takes from a block, in their order; those that a block lacks are left out
     */
    public record Heads(Topic topic, @Nullable Start start, List<String> members) {

        /** Copies the list. */
        public Heads {
            members = List.copyOf(members);
        }
    }

    /**
     * The parameter that names an earlier block, as {@link BlockForm} says. Without it, or with the tag of the newest block, later
     * blocks alone are told. Immutable.
     *
     * @param maxBlocks the maximum number of blocks from it to the newest one
     * @param tooEarly the error for a block further back
     * @param unknownBlock the error for a block that no node has
     */
    public record Start(String parameter, int maxBlocks, Refusal tooEarly, Refusal unknownBlock) {}

    /**
     * The subscription to the status of one transaction, which is told at the beginning and whenever it changes. Immutable.
     *
     * @param parameter the hash of the transaction; also its name in notifications
     * @param status the name of the status in notifications
     * @param lookup the method that shows the status, with the hash as its only parameter
     * @param finality the member of that status which says how far the transaction is
     * @param order the values of that member, from the first one to the last, after which it does not change
     */
    public record Status(
            Topic topic, String parameter, String status, String lookup, String finality, List<String> order) {

        /** Copies the list. */
        public Status {
            order = List.copyOf(order);
        }
    }

    /**
     * The subscription to the events of new blocks, which are told as nodes show them. Its parameters are those of the address and of
     * the keys, the block of {@link Start}, and the finality. Immutable.
     *
     * @param address the parameter with an address, or a list of them; without it, events of all addresses are told
     * @param keys the parameter with a list of the alternatives at each position; an empty list there allows all keys
     * @param maxPositions the maximum number of these lists
     * @param finality the parameter with the status that a block must have, and the member of each event that says it
     * @param finalityValue the status of the blocks that are told, the only value of that parameter
     * @param lookup the call that shows the events of a block
     */
    public record Events(
            Topic topic,
            String address,
            String keys,
            int maxPositions,
            String finality,
            String finalityValue,
            EventLookup lookup) {}

    /**
     * The call that shows the events of blocks in pages. Its only parameter is an object with the first and the last block. Immutable.
     *
     * @param firstBlock the member with the first block, named by its hash
     * @param lastBlock the member with the last block
     * @param pageSize the member with the maximum number of events of a page
     * @param maxPage that number
     * @param token the member with the next page; in answers it is missing after the last one
     * @param events the member of answers with a list of events
     * @param count the member of a block that tells the number of its events
     * @param members the names of the members of an event
     */
    public record EventLookup(
            String method,
            String firstBlock,
            String lastBlock,
            String pageSize,
            int maxPage,
            String token,
            String events,
            String count,
            Members members) {

        /** Names of the members of an event that are read. Immutable. */
        public record Members(String address, String keys, String blockHash) {}
    }

    /**
     * A subscription that one node with a WebSocket serves. The node gets its parameters as they came. Immutable.
     *
     * @param hash the member of a result that tells it from others, where the result is not such a hash itself. With it, another node
     *     goes on when the node is lost, and the client gets each hash once. Without it (null) the subscription then ends with an error
     */
    public record Passed(Topic topic, @Nullable String hash) {}

    /**
     * The notification of blocks that are no longer part of the chain, sent before those that replace them. Immutable.
     *
     * @param notification the method
     * @param first the names of the lowest block's members
     * @param last the names of the highest block's members
     */
    public record Reorganisation(String notification, Place first, Place last) {

        /** Names of the members that tell a block's place. Immutable. */
        public record Place(String hash, String number) {}
    }
}
