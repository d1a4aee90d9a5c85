package io.weir.wallet.token;

import io.weir.l2.Felt;
import io.weir.l2.Uint256;
import io.weir.l2.transaction.ContractCall;
import io.weir.wallet.account.LruCache;
import io.weir.wallet.approval.Content;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads symbols, decimals and balances of tokens, and waits only a short time for the nodes. Symbols and decimals are asked for once
 * and cached, for a bounded number of tokens. Thread-safe; holds no thread while it waits.
 */
public final class TokenReader {
    private static final int MAX_CACHED = 1_000;
    /** Of one request. */
    private static final int MAX_TOKENS = 8;

    private static final int MAX_TOKENS_OF_LIST = 32;

    private final L2Client client;
    private final Felt feeToken;
    private final Map<Felt, TokenFacts> named;
    private final Executor executor;
    private final Duration patience;
    /** The least recently used first; also the questions that are under way. */
    private final Map<Key, CompletableFuture<TokenFacts>> facts = LruCache.ofMost(MAX_CACHED);

    private record Key(Felt chainId, Felt token) {}

    /**
     * Makes a reader.
     *
     * @param named what the configuration says of tokens
     * @param executor where the pages go on
     * @param patience the time that nodes are given
     */
    public TokenReader(
            L2Client client, Felt feeToken, Map<Felt, TokenFacts> named, Executor executor, Duration patience) {
        this.client = client;
        this.feeToken = feeToken;
        this.named = named;
        this.executor = executor;
        this.patience = patience;
    }

    /** Reads the symbols, decimals and balances that a request is about. The stage never fails for a node's sake. */
    public CompletableFuture<TokenSnapshot> read(Content request) {
        L2Network network = request.origin().network();
        Map<Felt, CompletableFuture<BigInteger>> balances = new HashMap<>();
        tokens(request).forEach(token -> balances.put(token, balance(network, token, request.account())));
        return snapshot(facts(Stream.of(request)), balances);
    }

    /** Reads the symbols and decimals of several requests, for a list. */
    public CompletableFuture<Map<String, TokenSnapshot>> symbols(Collection<Content> requests) {
        Map<String, List<Content>> byChain = requests.stream().collect(Collectors.groupingBy(Content::chainId));
        Map<String, CompletableFuture<TokenSnapshot>> read = new HashMap<>();
        byChain.forEach((chain, some) -> read.put(chain, snapshot(facts(some.stream()), Map.of())));
        return CompletableFuture.allOf(read.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> inTime(read));
    }

    /** Returns the symbols and decimals of a request's tokens that are cached. Asks no node. */
    public TokenSnapshot cached(Content request) {
        L2Network network = request.origin().network();
        Map<Felt, TokenFacts> known = new HashMap<>();
        known.put(feeToken, TokenFacts.FEE_TOKEN);
        for (Felt token : tokens(request)) {
            CompletableFuture<TokenFacts> asked = asked(network, token);
            if (asked != null) {
                known.putAll(inTime(Map.of(token, asked)));
            }
        }
        return new TokenSnapshot(feeToken, known, Map.of());
    }

    private Set<Felt> tokens(Content request) {
        Set<Felt> tokens = new LinkedHashSet<>();
        if (request.maxFeeFri() != null) {
            tokens.add(feeToken);
        }
        Felt chainId = request.origin().network().chainId();
        TokenSnapshot.calls(request)
                .map(TokenCall::token)
                .filter(token -> !token.isZero())
                .distinct()
                // The names of known tokens cost no question.
                .sorted(Comparator.comparing(token -> known(chainId, token).isEmpty()))
                .limit(MAX_TOKENS)
                .forEach(tokens::add);
        return tokens;
    }

    private Optional<TokenFacts> known(Felt chainId, Felt token) {
        return TokenFacts.known(chainId, token).or(() -> Optional.ofNullable(named.get(token)));
    }

    private Map<Felt, CompletableFuture<TokenFacts>> facts(Stream<Content> requests) {
        Map<Felt, CompletableFuture<TokenFacts>> found = new HashMap<>();
        requests.forEach(request -> tokens(request).forEach(token -> {
            if (found.size() < MAX_TOKENS_OF_LIST) {
                found.computeIfAbsent(token, missing -> facts(request.origin().network(), missing));
            }
        }));
        return found;
    }

    /** Returns what is known of a token or was asked for before; null if it is not known. */
    private @Nullable CompletableFuture<TokenFacts> asked(L2Network network, Felt token) {
        if (token.equals(feeToken)) {
            return CompletableFuture.completedFuture(TokenFacts.FEE_TOKEN);
        }
        Optional<TokenFacts> known = known(network.chainId(), token);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        return facts.get(new Key(network.chainId(), token));
    }

    private CompletableFuture<TokenFacts> facts(L2Network network, Felt token) {
        Key key = new Key(network.chainId(), token);
        CompletableFuture<TokenFacts> asked;
        synchronized (facts) {
            CompletableFuture<TokenFacts> known = asked(network, token);
            if (known != null) {
                return known;
            }
            asked = new CompletableFuture<>();
            facts.put(key, asked);
        }
        ask(network, token, "symbol", List.of())
                .thenCombine(ask(network, token, "decimals", List.of()), TokenFacts::read)
                .whenComplete((read, failure) -> {
                    if (failure == null) {
                        asked.complete(read);
                    } else {
                        // A node that failed once is asked again.
                        facts.remove(key, asked);
                        asked.completeExceptionally(failure);
                    }
                });
        return asked;
    }

    private CompletableFuture<BigInteger> balance(L2Network network, Felt token, Felt account) {
        return ask(network, token, "balanceOf", List.of(account))
                .thenApply(words -> Uint256.of(words).orElseThrow());
    }

    private CompletableFuture<List<Felt>> ask(L2Network network, Felt token, String function, List<Felt> data) {
        try {
            return client.callLater(network, ContractCall.of(token, function, data))
                    .toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<TokenSnapshot> snapshot(
            Map<Felt, CompletableFuture<TokenFacts>> names, Map<Felt, CompletableFuture<BigInteger>> balances) {
        CompletableFuture<?>[] all = Stream.concat(names.values().stream(), balances.values().stream())
                .map(question -> question.handle((answer, failure) -> true))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(all)
                .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenApplyAsync(done -> new TokenSnapshot(feeToken, inTime(names), inTime(balances)), executor);
    }

    private static <K, V> Map<K, V> inTime(Map<K, CompletableFuture<V>> questions) {
        Map<K, V> known = new HashMap<>();
        questions.forEach((key, question) -> {
            if (question.isDone() && !question.isCompletedExceptionally()) {
                known.put(key, question.join());
            }
        });
        return known;
    }
}
