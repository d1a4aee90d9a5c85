package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.chain.Finality.Anchor;
import io.weir.pipeline.watch.BlockSource.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Search for the highest known block that a newest block builds on. Short gaps and reorganisations are followed block by
 * block, gaps within a budget. For longer ones, known blocks are compared with the nodes' blocks at the same height. Confined to its
 * event loop.
 */
final class HeadWalk {

    /** Maximum depth of a reorganisation, and length of a gap, that is followed block by block. */
    private static final int MAX_STEPS = 80;

    private final ChainView view;
    private final Finality finalized;
    private final BlockSource blocks;
    private final EventLoop loop;
    private final long until;
    private final String upstreamId;
    private final BlockLink newest;
    private final Consumer<Boolean> sink;
    private final List<BlockLink> branch = new ArrayList<>();
    private long settled = -1;

    /**
     * @param until when its calls end, in nanoseconds
     * @param sink receives whether the view has the newest block
     */
    HeadWalk(
            ChainView view,
            Finality finalized,
            BlockSource blocks,
            EventLoop loop,
            long until,
            Named newest,
            Consumer<Boolean> sink) {
        this.view = view;
        this.finalized = finalized;
        this.blocks = blocks;
        this.loop = loop;
        this.until = until;
        this.upstreamId = newest.upstreamId();
        this.newest = newest.link();
        this.sink = sink;
        branch.add(newest.link());
    }

    /**
     * @param lastFinal the highest block that was final when the view was last compared with the nodes' chain
     * @param budget takes the fetches of so many headers out of the budget; false if there are not enough
     */
    void begin(long lastFinal, IntPredicate budget) {
        settled = lastFinal;
        long gap = newest.number() - view.top();
        if (view.attach(branch, upstreamId)) {
            sink.accept(true);
        } else if (view.top() < 0) {
            view.restart(branch, upstreamId);
            sink.accept(true);
        } else if (gap > 1) {
            // The comparison of the old newest block costs one call too.
            boolean read = gap == 2 || (gap <= MAX_STEPS && budget.test((int) gap - 1));
            if (read) {
                blocks.downFrom(loop, newest.number() - 1, (int) gap - 1, newest.number(), until, this::takeGap);
            } else {
                new Search(view.links()).begin(view.top() + 1);
            }
        } else {
            step();
        }
    }

    /** Takes the blocks of a short gap; the step that follows goes on where they do not fit. */
    private void takeGap(@Nullable BlockLink[] links) {
        for (BlockLink link : links) {
            BlockLink child = branch.get(branch.size() - 1);
            if (link == null
                    || link.number() != child.number() - 1
                    || !link.hash().equals(child.parentHash())) {
                break;
            }
            branch.add(link);
        }
        step();
    }

    private void step() {
        BlockLink lowest = branch.get(branch.size() - 1);
        if (view.attach(branch, upstreamId)) {
            sink.accept(true);
        } else if (isFar(lowest)) {
            new Search(view.links()).begin(lowest.number());
        } else {
            blocks.byHash(loop, lowest.parentHash(), until, named -> {
                if (named == null || named.link().number() != lowest.number() - 1) {
                    // It leaves a gap, which is filled later.
                    new Search(view.links()).begin(lowest.number());
                } else {
                    branch.add(named.link());
                    step();
                }
            });
        }
    }

    /** Returns whether no known block can be found by a few more steps. */
    private boolean isFar(BlockLink lowest) {
        boolean gap = lowest.number() <= view.top() && view.hash(lowest.number() - 1) == null;
        return lowest.number() == 0 || gap || branch.size() > MAX_STEPS;
    }

    /**
     * Search among the known blocks: in growing steps downward, then by halves. Finds one that stayed while the next known
     * one above it did not. Confined to the event loop of its walk.
     */
    private final class Search {

        private final CanonicalLinks links;
        private long step = 1;
        /** The lowest known block that is not canonical any more, or the end of the range. */
        private long changed;
        /** The highest known block that has stayed; -1 if none was found. */
        private long stayed = -1;

        Search(CanonicalLinks links) {
            this.links = links;
        }

        /** Searches below a height. */
        void begin(long below) {
            changed = below;
            next();
        }

        private void next() {
            long candidate = candidate();
            if (candidate >= 0) {
                compare(candidate);
            } else if (stayed >= 0) {
                Anchor anchor = finalized.anchor();
                boolean unsure = links.knownAbove(stayed) > settled;
                if (anchor != null && anchor.number() > stayed && unsure) {
                    // Final blocks may be in a gap above the highest block that has stayed.
                    whetherStays(anchor, this::resumeIf);
                } else {
                    resumeIf(true);
                }
            } else {
                replaceAll();
            }
        }

        private void resumeIf(boolean stays) {
            String hash = links.hash(stayed);
            if (!stays || hash == null) {
                replaceAll(-1);
            } else {
                sink.accept(view.resume(branch, upstreamId, stayed, hash));
            }
        }

        /** Returns the next known block to compare; -1 if the search is over. */
        private long candidate() {
            if (stayed >= 0) {
                long middle = links.knownUpTo(stayed + (changed - stayed) / 2);
                long known = middle > stayed ? middle : links.knownAbove(stayed);
                return known < changed ? known : -1;
            }
            long known = links.knownUpTo(changed - step);
            step *= 2;
            long lowest = links.knownAbove(-1);
            return known >= 0 ? known : lowest < changed ? lowest : -1;
        }

        private void compare(long number) {
            blocks.byNumber(loop, number, newest.number(), until, named -> {
                if (named == null || named.link().number() != number) {
                    sink.accept(false);
                    return;
                }
                if (named.link().hash().equals(links.hash(number))) {
                    stayed = number;
                } else {
                    changed = number;
                }
                next();
            });
        }

        /**
         * Replaces all known blocks, but keeps final blocks as final where that can be known. Otherwise a reorganisation
         * beside a view of few blocks would drop all cached results.
         */
        private void replaceAll() {
            Anchor anchor = finalized.anchor();
            long lowest = links.knownAbove(-1);
            if (anchor == null || lowest <= settled) {
                replaceAll(-1);
                return;
            }
            whetherStays(anchor, stays -> replaceAll(stays ? Math.min(finalized.number(), lowest - 1) : -1));
        }

        private void whetherStays(Anchor anchor, Consumer<Boolean> next) {
            blocks.byNumber(loop, anchor.number(), newest.number(), until, named -> {
                if (named == null || named.link().number() != anchor.number()) {
                    sink.accept(false);
                } else {
                    next.accept(named.link().hash().equals(anchor.hash()));
                }
            });
        }

        private void replaceAll(long kept) {
            view.replaceAll(branch, upstreamId, kept);
            sink.accept(true);
        }
    }
}
