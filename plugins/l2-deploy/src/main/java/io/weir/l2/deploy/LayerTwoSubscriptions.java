package io.weir.l2.deploy;

import io.weir.api.SubscriptionForm;
import io.weir.api.SubscriptionForm.EventLookup;
import io.weir.api.SubscriptionForm.Events;
import io.weir.api.SubscriptionForm.Heads;
import io.weir.api.SubscriptionForm.Passed;
import io.weir.api.SubscriptionForm.Refusal;
import io.weir.api.SubscriptionForm.Reorganisation;
import io.weir.api.SubscriptionForm.Start;
import io.weir.api.SubscriptionForm.Status;
import io.weir.api.SubscriptionForm.Topic;
import java.util.List;

/** The subscriptions of the layer-2 network, versions 0.8 to 0.10 of its specification. Pure. */
final class LayerTwoSubscriptions {

    /** A header's members; those from the commitments on came with version 0.10. */
    private static final List<String> HEADER = List.of(
            "block_hash",
            "parent_hash",
            "block_number",
            "new_root",
            "timestamp",
            "sequencer_address",
            "l1_gas_price",
            "l2_gas_price",
            "l1_data_gas_price",
            "l1_da_mode",
            "starknet_version",
            "event_commitment",
            "transaction_commitment",
            "receipt_commitment",
            "state_diff_commitment",
            "event_count",
            "transaction_count",
            "state_diff_length");

    private static final int MAX_BLOCKS_BACK = 1024;

    private static final Start START = new Start(
            "block_id",
            MAX_BLOCKS_BACK,
            new Refusal(68, "Cannot go back more than 1024 blocks"),
            new Refusal(24, "Block not found"));

    /** As many as an event has at most in version 0.14 of the chain, and some more. */
    private static final int MAX_KEY_POSITIONS = 64;

    /** Nodes give at least 1,024. */
    private static final int MAX_PAGE = 1000;

    private static final Events EVENTS = new Events(
            new Topic("starknet_subscribeEvents", "starknet_subscriptionEvents"),
            "from_address",
            "keys",
            MAX_KEY_POSITIONS,
            "finality_status",
            "ACCEPTED_ON_L2",
            new EventLookup(
                    "starknet_getEvents",
                    "from_block",
                    "to_block",
                    "chunk_size",
                    MAX_PAGE,
                    "continuation_token",
                    "events",
                    "event_count",
                    new EventLookup.Members("from_address", "keys", "block_hash")));

    /** The first is one of version 0.8. The others came with 0.9, and end with their node, because they also tell each block once. */
    private static final List<Passed> PASSED = List.of(
            new Passed(
                    new Topic("starknet_subscribePendingTransactions", "starknet_subscriptionPendingTransactions"),
                    "transaction_hash"),
            new Passed(new Topic("starknet_subscribeNewTransactions", "starknet_subscriptionNewTransaction"), null),
            new Passed(
                    new Topic(
                            "starknet_subscribeNewTransactionReceipts", "starknet_subscriptionNewTransactionReceipts"),
                    null));

    static final SubscriptionForm FORM = new SubscriptionForm(
            "subscription_id",
            "starknet_unsubscribe",
            new Refusal(66, "Invalid subscription id"),
            new Heads(new Topic("starknet_subscribeNewHeads", "starknet_subscriptionNewHeads"), START, HEADER),
            new Status(
                    new Topic("starknet_subscribeTransactionStatus", "starknet_subscriptionTransactionStatus"),
                    "transaction_hash",
                    "status",
                    "starknet_getTransactionStatus",
                    "finality_status",
                    List.of("RECEIVED", "CANDIDATE", "PRE_CONFIRMED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1")),
            EVENTS,
            PASSED,
            new Reorganisation(
                    "starknet_subscriptionReorg",
                    new Reorganisation.Place("starting_block_hash", "starting_block_number"),
                    new Reorganisation.Place("ending_block_hash", "ending_block_number")));

    private LayerTwoSubscriptions() {}
}
