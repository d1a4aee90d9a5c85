package io.weir.app.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random parameters about a chain, such as are there and such as are not. Confined to one thread. */
final class RandomValues {

    private static final String[] TAGS = {"latest", "earliest", "pending", "safe", "finalized"};
    private static final String[] REVERTS = {
        "0x08c379a0" + ChainHistory.word(32) + ChainHistory.word(6) + "6f682c206e6f" + "0".repeat(52),
        "0x08c379a0" + ChainHistory.word(32) + ChainHistory.word(0),
        "0x08c379a0ffff",
        "0x4e487b71" + ChainHistory.word(0x11),
        "0x4e487b71" + ChainHistory.word(0xff),
        "0xcf479181" + ChainHistory.word(1) + ChainHistory.word(2),
        "0x82b42900",
        "0x77726f6e67",
        "0x",
    };

    /** Halts at once, never does, or leaves the block's number, its base fee or its parent's hash as code. */
    private static final String[] CREATIONS = {
        "0xfe", "0x5b5f56", "0x4360005260206000f3", "0x4860005260206000f3", "0x600143034060005260206000f3"
    };

    private final RandomGenerator random;
    private final ChainHistory chain;

    RandomValues(RandomGenerator random, ChainHistory chain) {
        this.random = random;
        this.chain = chain;
    }

    private boolean rarely() {
        return random.nextInt(6) == 0;
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private String unknownHash() {
        return "0x" + ChainHistory.word(0xabc000 + random.nextInt(1000));
    }

    Spelled flag() {
        return Spelled.same(Boolean.toString(random.nextBoolean()));
    }

    Spelled blockHash() {
        return Spelled.hex(random, rarely() ? unknownHash() : one(chain.blocks()));
    }

    Spelled transactionHash() {
        return Spelled.hex(random, rarely() ? unknownHash() : one(chain.transactions()));
    }

    Spelled index() {
        return Spelled.quantity(random, random.nextInt(5));
    }

    Spelled small(int bound) {
        return Spelled.quantity(random, 1 + random.nextInt(bound));
    }

    Spelled bytes() {
        return Spelled.hex(random, "0x" + "a1".repeat(random.nextInt(40)));
    }

    Spelled address() {
        String address = switch (random.nextInt(5)) {
            case 0 -> chain.logger();
            case 1 -> chain.echo();
            case 2 -> "0x" + ChainHistory.word(random.nextInt(20)).substring(24);
            default -> one(ChainHistory.ACCOUNTS);
        };
        return Spelled.hex(random, address);
    }

    Spelled position() {
        return Spelled.position(random, random.nextInt(ChainHistory.WORDS + 1));
    }

    Spelled word() {
        return Spelled.hex(random, "0x" + ChainHistory.word(random.nextInt(ChainHistory.WORDS + 1)));
    }

    Spelled tag() {
        return Spelled.text(random, TAGS[random.nextInt(TAGS.length)]);
    }

    /** Up to three past the newest, or far beyond. */
    Spelled number() {
        return Spelled.quantity(random, rarely() ? 0xffffff : random.nextInt(chain.height() + 4));
    }

    Spelled numberOrTag() {
        return rarely() ? tag() : number();
    }

    /** A number or a tag of a block that is not being made: that one holds the time of asking. */
    Spelled madeBlock() {
        Spelled block = numberOrTag();
        return block.normal().equals("\"pending\"") ? Spelled.text(random, "latest") : block;
    }

    Spelled stateBlock() {
        return switch (random.nextInt(5)) {
            case 0 -> {
                Spelled number = number();
                yield new Spelled(number.normal(), "{\"blockNumber\": " + number.odd() + "}");
            }
            case 1 -> {
                Spelled hash = blockHash();
                yield new Spelled(
                        "{\"blockHash\":" + hash.normal() + "}",
                        random.nextBoolean()
                                ? hash.odd()
                                : "{\"requireCanonical\":false,\"blockHash\":" + hash.odd() + "}");
            }
            case 2 -> {
                Spelled hash = blockHash();
                yield new Spelled(
                        "{\"blockHash\":" + hash.normal() + ",\"requireCanonical\":true}",
                        "{ \"requireCanonical\" : true , \"blockHash\" : " + hash.odd() + " }");
            }
            default -> numberOrTag();
        };
    }

    Spelled receiptsBlock() {
        return switch (random.nextInt(5)) {
            case 0 -> blockHash();
            case 1 -> new Spelled("\"latest\"", "\"pending\"");
            case 2 -> {
                int number = random.nextInt(chain.height() + 2);
                yield new Spelled("\"0x" + Integer.toHexString(number) + '"', Integer.toString(number));
            }
            case 3 -> {
                int number = random.nextInt(chain.height() + 2);
                yield new Spelled("\"0x" + Integer.toHexString(number) + '"', "\"" + number + '"');
            }
            default -> madeBlock();
        };
    }

    /** Of every kind: one that succeeds, reverts in some way, halts, or asks for more than there is. */
    Spelled call() {
        List<Spelled> members = new ArrayList<>();
        switch (random.nextInt(6)) {
            case 0 -> {
                members.add(member("to", Spelled.hex(random, chain.logger())));
                Spelled words = Spelled.hex(random, "0x" + ChainHistory.word(random.nextInt(9)) + ChainHistory.word(7));
                members.add(random.nextBoolean() ? member("data", words) : renamed("data", "input", words));
            }
            case 1, 2 -> {
                members.add(member("to", Spelled.hex(random, chain.echo())));
                members.add(member("data", Spelled.hex(random, REVERTS[random.nextInt(REVERTS.length)])));
            }
            case 3 -> members.add(member("data", Spelled.hex(random, CREATIONS[random.nextInt(CREATIONS.length)])));
            case 4 -> {
                members.add(member("to", address()));
                members.add(member("value", Spelled.quantity(random, random.nextLong() >>> random.nextInt(60))));
            }
            default -> members.add(member("to", address()));
        }
        maybe(members);
        return object(members);
    }

    private void maybe(List<Spelled> members) {
        if (random.nextBoolean()) {
            members.add(member("from", address()));
        }
        if (rarely()) {
            members.add(member("gas", gas()));
        }
        if (rarely()) {
            members.add(member("nonce", Spelled.quantity(random, random.nextInt(30))));
        }
        if (rarely()) {
            members.add(member("unknown\\u0021", Spelled.same("[1e0,{\"a\":null}]")));
        }
        if (rarely()) {
            members.add(0, new Spelled("", "\"maxFeePerGas\":null"));
        }
    }

    /** Far more than blocks have is cut to ten times that. */
    private Spelled gas() {
        if (random.nextInt(3) > 0) {
            return Spelled.quantity(random, 20_000 + random.nextInt(100_000));
        }
        long most = 10 * chain.gasLimit();
        return new Spelled(
                "\"0x" + Long.toHexString(most) + '"',
                Spelled.quantity(random, most + 1 + random.nextInt(1_000_000)).odd());
    }

    Spelled stateOverrides() {
        Spelled address = address();
        Spelled balance = Spelled.quantity(random, random.nextLong() >>> 1);
        return new Spelled(
                "{" + address.normal() + ":{\"balance\":" + balance.normal() + "}}",
                "{ " + address.odd() + " :{\"nonce\":null,\"balance\" : " + balance.odd() + "}}");
    }

    Spelled logFilter() {
        List<Spelled> members = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            members.add(member("blockHash", blockHash()));
        } else {
            members.add(member("fromBlock", random.nextBoolean() ? Spelled.text(random, "earliest") : madeBlock()));
            members.add(member("toBlock", madeBlock()));
        }
        if (random.nextBoolean()) {
            Spelled address = Spelled.hex(random, chain.logger());
            members.add(member("address", random.nextBoolean() ? address : Spelled.array(address, address())));
        }
        if (random.nextBoolean()) {
            Spelled first = random.nextBoolean() ? Spelled.same("null") : Spelled.array(word(), word());
            members.add(member("topics", random.nextBoolean() ? Spelled.array(first) : Spelled.array(first, word())));
        }
        return object(members);
    }

    private static Spelled member(String name, Spelled value) {
        return renamed(name, name, value);
    }

    private static Spelled renamed(String name, String oddName, Spelled value) {
        return new Spelled('"' + name + "\":" + value.normal(), " \"" + oddName + "\" : " + value.odd());
    }

    private static Spelled object(List<Spelled> members) {
        List<String> normal = new ArrayList<>();
        List<String> odd = new ArrayList<>();
        for (Spelled member : members) {
            if (!member.normal().isEmpty()) {
                normal.add(member.normal());
            }
            odd.add(0, member.odd());
        }
        return new Spelled("{" + String.join(",", normal) + "}", "{" + String.join(",", odd) + "}");
    }
}
