package io.weir.wallet.method;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.typed.TypedData;
import io.weir.wallet.abi.CallDescriber;
import io.weir.wallet.abi.MessageEffect;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.LruCache;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.Content;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.request.Requests;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The methods by which keys sign messages or are shown, and {@code verifyMessage}. Thread-safe; blocks. */
final class MessageMethods {
    private static final String MESSAGE = "typedDataMessage";
    private static final String SIGNER = "signerAddress";
    /** Hashing a message takes seconds at worst: other threads stay free for the approvals page. */
    private static final int MAX_HASHING = 2;

    /** Messages that are being hashed or wait for it. */
    private static final int MAX_READ = 6;

    private static final long MAX_WAIT_SECONDS = 10;

    private static final Felt VALID = ShortString.encode("VALID");

    private final Accounts accounts;
    private final TenantKeys keys;
    private final AccountState state;
    private final Requests requests;
    private final CallDescriber describer;
    private final SignatureLimit limit;
    private final Semaphore hashing = new Semaphore(MAX_HASHING, true);
    private final Semaphore reading = new Semaphore(MAX_READ);

    MessageMethods(
            Accounts accounts,
            TenantKeys keys,
            AccountState state,
            Requests requests,
            CallDescriber describer,
            InstantSource clock) {
        this.accounts = accounts;
        this.keys = keys;
        this.state = state;
        this.requests = requests;
        this.describer = describer;
        this.limit = new SignatureLimit(clock);
    }

    CompletionStage<JsonNode> signMessage(SnapCall call) {
        JsonNode message = call.arguments().json(MESSAGE);
        Felt signer = call.arguments().address(SIGNER);
        WalletAccount account = accounts.require(call.tenant(), call.network(), signer, Arguments.path(SIGNER));
        Hashed hashed = hash(message, signer);
        Felt hash = hashed.hash();
        checkChain(call, hashed.chainId());
        return requests.run(
                call,
                request -> requests.ask(request, wanted(call, signer, hashed.covered()), () -> {
                    if (!limit.admits(call.tenant(), hash)) {
                        throw SnapErrors.busy(
                                "this message was signed too often (expected: at most 10 times a minute)");
                    }
                    Signature signature = keys.sign(account, hash);
                    String text =
                            signature.r().toBigInteger() + "," + signature.s().toBigInteger();
                    return TransactionJson.answer(JsonNodeFactory.instance.stringNode(text));
                }));
    }

    private Content wanted(SnapCall call, Felt signer, JsonNode message) {
        MessageEffect effect = MessageEffect.of(message, signer);
        return new Content.Message(call.origin(), signer, message, describer.describe(call.network(), effect));
    }

    CompletionStage<JsonNode> verifyMessage(SnapCall call) {
        JsonNode message = call.arguments().json(MESSAGE);
        Felt signer = call.arguments().address(SIGNER);
        call.arguments().text("signature");
        List<Felt> signature = call.arguments().felts("signature");
        Felt hash = hash(message, signer).hash();
        Optional<WalletAccount> own = accounts.find(call.tenant(), call.network(), signer);
        boolean valid = own.isPresent()
                ? isSignedBy(own.get(), hash, signature)
                : isValidOnChain(call, signer, hash, signature);
        return TransactionJson.answer(JsonNodeFactory.instance.booleanNode(valid));
    }

    /** Gives the caller nothing: the key goes to the approver. */
    CompletionStage<JsonNode> displayPrivateKey(SnapCall call) {
        Arguments arguments = call.arguments();
        String name = !arguments.has("userAddress") && arguments.has("address") ? "address" : "userAddress";
        Felt address = arguments.address(name);
        WalletAccount account = accounts.require(call.tenant(), call.network(), address, Arguments.path(name));
        Content.Key wanted = new Content.Key(call.origin(), address);
        return requests.run(call, request -> requests.reveal(request, wanted, () -> keys.privateKey(account)));
    }

    private static boolean isSignedBy(WalletAccount account, Felt hash, List<Felt> signature) {
        return signature.size() == 2
                && StarkSigner.verify(hash, new Signature(signature.get(0), signature.get(1)), account.publicKey());
    }

    /** Contracts say {@code VALID}, older ones 1, or fail where it is not. */
    private boolean isValidOnChain(SnapCall call, Felt signer, Felt hash, List<Felt> signature) {
        List<Felt> calldata = new ArrayList<>(List.of(hash, Felt.of(signature.size())));
        calldata.addAll(signature);
        for (String function : List.of("is_valid_signature", "isValidSignature")) {
            Optional<List<Felt>> answer =
                    state.callIfThere(call.network(), ContractCall.of(signer, function, calldata));
            if (answer.isPresent()) {
                List<Felt> felts = answer.get();
                return felts.size() == 1
                        && (felts.get(0).equals(VALID) || felts.get(0).equals(Felt.ONE));
            }
        }
        return false;
    }

    /** A message of another chain would be good there, where the key may have no rights. */
    private void checkChain(SnapCall call, Optional<Felt> chainId) {
        String path = Arguments.path(MESSAGE) + ": domain.chainId: ";
        if (chainId.isEmpty()) {
            if (!requests.signsWithoutChain(call.tenant())) {
                throw SnapErrors.invalidParams(
                        path + "missing (expected: " + call.network().chainIdText() + ")");
            }
        } else if (!chainId.get().equals(call.network().chainId())) {
            throw SnapErrors.invalidParams(path + "another chain (expected: that of the call, "
                    + call.network().chainIdText() + ")");
        }
    }

    /**
     * A message that was read. Immutable.
     *
     * @param chainId the chain that the hash covers
     * @param covered what the hash covers, and nothing else
     */
    private record Hashed(Felt hash, Optional<Felt> chainId, JsonNode covered) {
        static Hashed of(TypedData data, Felt signer) {
            return new Hashed(data.messageHash(signer), data.chainId(), data.covered());
        }
    }

    private Hashed hash(JsonNode message, Felt signer) {
        if (!reading.tryAcquire()) {
            throw busy();
        }
        try {
            return hashInTurn(message, signer);
        } finally {
            reading.release();
        }
    }

    private Hashed hashInTurn(JsonNode message, Felt signer) {
        if (!Waiting.forPermit(hashing, MAX_WAIT_SECONDS)) {
            throw busy();
        }
        try {
            return Hashed.of(TypedData.of(message), signer);
        } catch (IllegalArgumentException e) {
            throw SnapErrors.invalidParams(Arguments.path(MESSAGE) + ": " + e.getMessage());
        } finally {
            hashing.release();
        }
    }

    private static RpcException busy() {
        return SnapErrors.busy("too many messages are being read (expected: at most " + MAX_READ + " at a time)");
    }

    /** How often one message is signed for one tenant: many signatures of one message help whoever measures them. Thread-safe. */
    private static final class SignatureLimit {
        private static final int MAX_KEPT = 10_000;
        private static final int MAX_PER_WINDOW = 10;
        private static final Duration WINDOW = Duration.ofMinutes(1);

        private final InstantSource clock;
        private final Map<Signed, Count> counts = LruCache.ofMost(MAX_KEPT);

        private record Signed(String tenant, Felt hash) {}

        private record Count(Instant since, int signatures) {}

        SignatureLimit(InstantSource clock) {
            this.clock = clock;
        }

        /** Counts a signature. Returns whether it may be made. */
        synchronized boolean admits(String tenant, Felt hash) {
            Instant now = clock.instant();
            Count count = counts.get(new Signed(tenant, hash));
            if (count == null || count.since().plus(WINDOW).isBefore(now)) {
                count = new Count(now, 0);
            }
            counts.put(new Signed(tenant, hash), new Count(count.since(), count.signatures() + 1));
            return count.signatures() < MAX_PER_WINDOW;
        }
    }
}
