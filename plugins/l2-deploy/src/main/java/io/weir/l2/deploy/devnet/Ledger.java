package io.weir.l2.deploy.devnet;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.Uint256;
import io.weir.l2.hash.Selector;
import io.weir.l2.transaction.ContractCall;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The accounts and the balances of one token after one block. Each address has 1000 of the token at first. Confined to the lock of its chain. */
final class Ledger {
    /** The class of accounts that development nodes of this network have; its constructor takes the public key. */
    static final Felt ACCOUNT_CLASS =
            Felt.parseHex("0x5b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564");

    /** The token of the fees, at its address on all public networks. */
    static final Felt TOKEN = Felt.parseHex("0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d");

    /** The address that gets the fees. */
    static final Felt SEQUENCER = Felt.parseHex("0x1000");

    static final Felt TRANSFER_EVENT = Selector.of("Transfer");

    /** The description of the token's functions. */
    static final String TOKEN_ABI = """
            [{"type":"interface","name":"IERC20","items":[
            {"type":"function","name":"transfer","inputs":[
            {"name":"recipient","type":"core::starknet::contract_address::ContractAddress"},
            {"name":"amount","type":"core::integer::u256"}]},
            {"type":"function","name":"approve","inputs":[
            {"name":"spender","type":"core::starknet::contract_address::ContractAddress"},
            {"name":"amount","type":"core::integer::u256"}]},
            {"type":"function","name":"transfer_from","inputs":[
            {"name":"sender","type":"core::starknet::contract_address::ContractAddress"},
            {"name":"recipient","type":"core::starknet::contract_address::ContractAddress"},
            {"name":"amount","type":"core::integer::u256"}]}]}]""";

    private static final BigInteger FIRST_BALANCE = BigInteger.TEN.pow(21);

    private static final Map<Felt, String> FUNCTIONS = Stream.of(
                    "symbol",
                    "name",
                    "decimals",
                    "balanceOf",
                    "balance_of",
                    "allowance",
                    "transfer",
                    "transferFrom",
                    "transfer_from",
                    "approve",
                    "get_public_key",
                    "getPublicKey")
            .collect(Collectors.toUnmodifiableMap(Selector::of, name -> name));

    private final Map<Felt, Account> accounts = new HashMap<>();
    private final Map<Felt, BigInteger> balances = new HashMap<>();
    private final Map<List<Felt>, BigInteger> allowances = new HashMap<>();

    /** An account contract. Immutable. */
    record Account(Felt publicKey, long nonce) {}

    /** A transfer of the token. Immutable. */
    record Transfer(Felt from, Felt to, BigInteger amount) {}

    /** A call failed, and with it all calls of its transaction. */
    static final class Reverted extends Exception {
        private static final long serialVersionUID = 1;

        private final boolean isOfFunction;

        Reverted(String reason) {
            this(reason, false);
        }

        private Reverted(String reason, boolean isOfFunction) {
            super(reason, null, false, false);
            this.isOfFunction = isOfFunction;
        }

        /** Returns whether the contract has no such function. */
        boolean isOfFunction() {
            return isOfFunction;
        }

        /** Returns the cause in words. */
        String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** Returns another one with the same content. */
    Ledger copy() {
        Ledger copy = new Ledger();
        copy.accounts.putAll(accounts);
        copy.balances.putAll(balances);
        copy.allowances.putAll(allowances);
        return copy;
    }

    /** Returns the account at an address, or nothing. */
    Optional<Account> account(Felt address) {
        return Optional.ofNullable(accounts.get(address));
    }

    /** Returns the class of the contract at an address, or nothing. */
    Optional<Felt> classHash(Felt address) {
        return address.equals(TOKEN)
                ? Optional.of(Selector.of("ERC20"))
                : account(address).map(known -> ACCOUNT_CLASS);
    }

    /** Returns the number of addresses and allowances that it holds. */
    int size() {
        return accounts.size() + balances.size() + allowances.size();
    }

    BigInteger balance(Felt owner) {
        return balances.getOrDefault(owner, FIRST_BALANCE);
    }

    /** Deploys an account. */
    void deploy(Felt address, Felt publicKey) {
        accounts.put(address, new Account(publicKey, 0));
    }

    /** Notes that an account made a transaction. */
    void count(Felt sender) {
        accounts.computeIfPresent(sender, (address, was) -> new Account(was.publicKey(), was.nonce() + 1));
    }

    /** Moves an amount that the owner has. */
    Transfer move(Felt from, Felt to, BigInteger amount) {
        balances.put(from, balance(from).subtract(amount));
        balances.put(to, balance(to).add(amount));
        return new Transfer(from, to, amount);
    }

    /** Carries out the calls of an account. If one fails, what those before it changed stays: the caller has a copy. */
    List<Transfer> execute(Felt sender, List<ContractCall> calls) throws Reverted {
        List<Transfer> transfers = new ArrayList<>();
        for (ContractCall call : calls) {
            if (!call.contract().equals(TOKEN)) {
                throw new Reverted("the contract " + call.contract().toHex() + " cannot be run here (expected: "
                        + TOKEN.toHex() + ")");
            }
            Transfer transfer = token(sender, call);
            if (transfer != null) {
                transfers.add(transfer);
            }
        }
        return transfers;
    }

    private @Nullable Transfer token(Felt sender, ContractCall call) throws Reverted {
        List<Felt> data = call.calldata();
        switch (function(call)) {
            case "transfer" -> {
                return transfer(sender, argument(data, 0), amount(data, 1));
            }
            case "transferFrom", "transfer_from" -> {
                Felt owner = argument(data, 0);
                BigInteger amount = amount(data, 2);
                BigInteger left = allowances.getOrDefault(List.of(owner, sender), BigInteger.ZERO);
                if (left.compareTo(amount) < 0) {
                    throw new Reverted("ERC20: insufficient allowance");
                }
                allowances.put(List.of(owner, sender), left.subtract(amount));
                return transfer(owner, argument(data, 1), amount);
            }
            case "approve" -> allowances.put(List.of(sender, argument(data, 0)), amount(data, 1));
            // A read changes nothing.
            default -> read(call);
        }
        return null;
    }

    private Transfer transfer(Felt from, Felt to, BigInteger amount) throws Reverted {
        if (balance(from).compareTo(amount) < 0) {
            throw new Reverted("ERC20: insufficient balance");
        }
        return move(from, to, amount);
    }

    /** Answers a call that changes nothing. */
    List<Felt> read(ContractCall call) throws Reverted {
        String function = function(call);
        Optional<Account> account = account(call.contract());
        if (account.isPresent() && function.toLowerCase(Locale.ROOT).startsWith("get")) {
            return List.of(account.get().publicKey());
        }
        if (!call.contract().equals(TOKEN)) {
            throw new Reverted("no such function of " + call.contract().toHex(), true);
        }
        List<Felt> data = call.calldata();
        return switch (function) {
            case "symbol" -> List.of(ShortString.encode("STRK"));
            case "name" -> List.of(ShortString.encode("Development Token"));
            case "decimals" -> List.of(Felt.of(18));
            case "balanceOf", "balance_of" -> Uint256.words(balance(argument(data, 0)));
            case "allowance" ->
                Uint256.words(allowances.getOrDefault(List.of(argument(data, 0), argument(data, 1)), BigInteger.ZERO));
            default -> throw new Reverted("no such function of the token: " + function, true);
        };
    }

    /** Returns the name of a called function; its selector if it is unknown here. */
    private static String function(ContractCall call) {
        return FUNCTIONS.getOrDefault(call.selector(), call.selector().toHex());
    }

    private static Felt argument(List<Felt> data, int index) throws Reverted {
        if (index >= data.size()) {
            throw new Reverted("Failed to deserialize param #" + (index + 1));
        }
        return data.get(index);
    }

    private static BigInteger amount(List<Felt> data, int index) throws Reverted {
        return Uint256.of(argument(data, index), argument(data, index + 1))
                .orElseThrow(() -> new Reverted("Failed to deserialize param #" + (index + 1)));
    }
}
