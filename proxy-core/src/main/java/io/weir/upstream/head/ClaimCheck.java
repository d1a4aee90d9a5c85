package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadAgreement;
import io.weir.chain.HeadAgreement.Proof;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Check of heads that count only once they are shown. A node is asked for the block with the number that it named. Its
 * parents are followed down to the highest head of the other nodes, and compared with the block of that node. A node is
 * checked at most once in {@link #PAUSE_NANOS} after a check that it did not pass. While no head is known, a node that does not show a
 * block within {@link #FIRST_NANOS} is no witness: the others would wait for it. Confined to the monitor's event loop.
 */
final class ClaimCheck {

    /** Nanoseconds between a check that a node did not pass and its next one. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time in which a node must show a block while no head is known. */
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    /** Nanoseconds within which nodes were heard from at about the same time. */
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Seconds by which the time of a block may be in the future. */
    private static final long CLOCK_SECONDS = 60;

    /**
     * Result of a check. Immutable.
     *
     * @param shown the head that the node has shown; -1 if it has shown none
     * @param contradiction why the node is out of line; null if that is not known
     */
    record Result(long shown, @Nullable String contradiction) {}

    /**
     * Check that a node did not pass. Immutable.
     *
     * @param compared whether another node was in line, so that the result still counts beside other nodes
     */
    private record Failure(long atNanos, Result result, boolean compared) {}

    private final HeadAgreement agreement;
    private final HeadClaims claims;
    private final Branches branches;
    private final LongSupplier clock;
    private final LongSupplier wallSeconds;
    private final Map<HeadNode, Run> running = new HashMap<>();
    private final Map<HeadNode, Failure> failures = new HashMap<>();
    /** Nodes that did not answer while no head was known. */
    private final Set<HeadNode> silent = new HashSet<>();

    /**
     * @param claims says which nodes must show that their head is linked to those of others, whatever it is
     * @param branches learns of the blocks that nodes show, and of their parents
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param wallSeconds seconds since 1970, as the times of blocks
     */
    ClaimCheck(
            HeadAgreement agreement,
            HeadClaims claims,
            Branches branches,
            LongSupplier clock,
            LongSupplier wallSeconds) {
        this.agreement = agreement;
        this.claims = claims;
        this.branches = branches;
        this.clock = clock;
        this.wallSeconds = wallSeconds;
    }

    /**
     * Checks the head that a node named. If the node is being checked, the result is that of the check in progress, which
     * may be about another head.
     *
     * @param others the other nodes that are in line
     * @param sink receives the result once, perhaps before this method returns
     */
    void check(HeadNode node, long claim, List<HeadNode> others, Consumer<Result> sink) {
        Run run = running.get(node);
        Failure failure = failures.get(node);
        if (run != null) {
            run.sinks.add(sink);
        } else if (failure != null
                && failure.compared() == !others.isEmpty()
                && clock.getAsLong() - failure.atNanos() < PAUSE_NANOS) {
            sink.accept(failure.result());
        } else {
            new Run(node, claim, others, new ArrayList<>(List.of(sink))).begin();
        }
    }

    /** One check. Confined to the monitor's event loop. */
    private final class Run {

        private final HeadNode node;
        private final long claim;
        private final @Nullable HeadNode other;
        /** The node's own block to which the head must lead, if nothing else is against the head. */
        private final @Nullable BlockLink tip;

        private final long highest;
        private final boolean mustShow;
        private final List<HeadNode> others;
        private final List<Consumer<Result>> sinks;
        private Proof proof = Proof.NONE;
        private boolean answered;

        Run(HeadNode node, long claim, List<HeadNode> others, List<Consumer<Result>> sinks) {
            this.node = node;
            this.claim = claim;
            this.others = others;
            this.sinks = sinks;
            this.other = witness(others);
            this.mustShow = claims.mustShow(node) || node.believed() < claim;
            long witnessed = other == null ? -1 : other.head();
            boolean counts = !mustShow && agreement.counts(claim, witnessed);
            this.tip = counts ? claims.tip(node, claim) : null;
            this.highest = tip != null ? tip.number() : mustShow ? Math.min(claim, witnessed) : witnessed;
        }

        /** Returns the node with the highest head of those heard from last: others may hang. */
        private static @Nullable HeadNode witness(List<HeadNode> others) {
            HeadNode last = others.stream()
                    .max((one, another) -> Long.compare(one.headNanos() - another.headNanos(), 0))
                    .orElse(null);
            return others.stream()
                    .filter(node -> last != null && last.headNanos() - node.headNanos() < RECENT_NANOS)
                    .max(Comparator.comparingLong(HeadNode::head))
                    .orElse(last);
        }

        void begin() {
            running.put(node, this);
            boolean linked = other != null && (mustShow || tip != null) && claim - highest <= HeadAgreement.MAX_LINKS;
            proof = linked ? Proof.LINKS : agreement.proof(claim, highest, others.size());
            if (proof == Proof.NONE) {
                contradicts("which is too far ahead");
            } else {
                ask(node, new BlockSelector.Height(claim), this::block);
            }
        }

        private void block(BlockAnswer answer) {
            answered = true;
            boolean unable = answer.kind() == Kind.REFUSED && other == null;
            if (!answer.shows(claim) && !unable) {
                lacks(answer, "but does not show that block");
            } else if (proof == Proof.LINKS && other != null) {
                if (claim - agreement.top() <= HeadAgreement.MAX_LINKS) {
                    branches.shown(node, answer);
                }
                step(answer, other);
            } else if (proof == Proof.TIMES && other != null) {
                times(answer, other);
            } else {
                // A sole node has nobody to contradict, also one that has no blocks by number.
                end(new Result(claim, null));
            }
        }

        /**
         * Compares an old block of both nodes, because honest ones may differ about a new one, and then the times of their heads. A node may
         * have pruned any block but the first one.
         */
        private void times(BlockAnswer block, HeadNode witness) {
            long links = Math.min(highest, HeadAgreement.MAX_LINKS);
            ask(
                    witness,
                    new BlockSelector.Height(highest),
                    known -> ask(witness, new BlockSelector.Height(highest - links), early -> {
                        if (!known.shows(highest) || !early.shows(highest - links)) {
                            fails(witness, known);
                        } else {
                            ask(node, new BlockSelector.Height(highest - links), own -> {
                                boolean lacks = highest == links && !own.shows(0);
                                if (lacks
                                        || (own.kind() == Kind.SHOWN
                                                && !own.hash().equals(early.hash()))) {
                                    contradicts("but has another block " + (highest - links));
                                } else if (links > 0) {
                                    compareTimes(block, known, links, known.seconds() - early.seconds());
                                } else {
                                    paceOf(block, known);
                                }
                            });
                        }
                    }));
        }

        /** Takes the pace of the chain from the node itself, because the other one has the first block only. */
        private void paceOf(BlockAnswer block, BlockAnswer known) {
            long links = Math.min(claim, HeadAgreement.MAX_LINKS);
            ask(node, new BlockSelector.Height(claim - links), early -> {
                long seconds = early.shows(claim - links) ? block.seconds() - early.seconds() : 0;
                compareTimes(block, known, links, seconds);
            });
        }

        private void compareTimes(BlockAnswer block, BlockAnswer known, long links, long linkSeconds) {
            boolean plausible = block.seconds() <= wallSeconds.getAsLong() + CLOCK_SECONDS
                    && agreement.isPlausible(claim - highest, block.seconds() - known.seconds(), links, linkSeconds);
            if (plausible) {
                end(new Result(claim, null));
            } else {
                contradicts("but too little time has passed for that block");
            }
        }

        private void step(BlockAnswer block, HeadNode witness) {
            branches.linked(List.of(new BlockLink(block.number(), block.hash(), block.parentHash())));
            if (block.number() == highest && tip != null) {
                end(new Result(block.hash().equals(tip.hash()) ? claim : -1, null));
            } else if (block.number() == highest) {
                ask(witness, new BlockSelector.Height(highest), known -> compare(block, known, witness));
            } else if (block.parentHash().isEmpty()) {
                contradicts("but shows a block without a parent");
            } else {
                ask(node, new BlockSelector.Hash(block.parentHash(), false), parent -> {
                    boolean right =
                            parent.shows(block.number() - 1) && parent.hash().equals(block.parentHash());
                    if (right) {
                        step(parent, witness);
                    } else {
                        lacks(parent, "but does not show the parents of that block");
                    }
                });
            }
        }

        private void compare(BlockAnswer block, BlockAnswer known, HeadNode witness) {
            if (!known.shows(highest)) {
                fails(witness, known);
            } else if (!block.hash().isEmpty() && block.hash().equals(known.hash())) {
                claims.agreed(node, highest);
                end(new Result(claim, null));
            } else {
                contradicts("but its parents do not lead to that block");
            }
        }

        private void ask(HeadNode asked, BlockSelector block, Consumer<BlockAnswer> sink) {
            if (agreement.top() >= 0) {
                asked.askBlock(block, sink);
                return;
            }
            asked.askBlock(block, FIRST_NANOS, answer -> {
                if (answer.kind() == Kind.FAILED) {
                    silent.add(asked);
                } else {
                    silent.remove(asked);
                }
                sink.accept(answer);
            });
        }

        private boolean isSilent(HeadNode one) {
            Run run = running.get(one);
            return silent.contains(one) || (run != null && !run.answered);
        }

        /** Goes on without a witness that does not answer while no head is known. */
        private void fails(HeadNode witness, BlockAnswer known) {
            if (known.kind() == Kind.FAILED && agreement.top() < 0) {
                List<HeadNode> rest =
                        others.stream().filter(one -> !isSilent(one)).toList();
                new Run(node, claim, rest, sinks).begin();
            } else {
                doubt(witness, known);
                end(new Result(-1, null));
            }
        }

        /** Leaves the other node out if it lacks the block that it named. Otherwise it would hold back the head. */
        private void doubt(HeadNode witness, BlockAnswer known) {
            if (known.isLack() && witness.head() == highest) {
                witness.outOfLine("names head " + highest + ", but does not show that block");
            }
        }

        /** Ends without the block. Only an answer contradicts the node: a call that failed says nothing about its chain. */
        private void lacks(BlockAnswer answer, String what) {
            if (answer.kind() == Kind.FAILED) {
                end(new Result(-1, null));
            } else {
                contradicts(what);
            }
        }

        private void contradicts(String what) {
            String reason = other == null
                    ? null
                    : "names head " + claim + ", " + what + "; the highest head of the other nodes is " + highest;
            end(new Result(-1, reason));
        }

        private void end(Result result) {
            running.remove(node);
            if (result.shown() >= 0) {
                failures.remove(node);
            } else if (agreement.top() >= 0) {
                failures.put(node, new Failure(clock.getAsLong(), result, other != null));
            }
            sinks.forEach(sink -> sink.accept(result));
        }
    }
}
