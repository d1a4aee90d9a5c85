package io.weir.subscription.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.subscription.stream.MadeLogs;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nothing of a subscription is left once it has ended. */
class OpenSubscriptionsTest {

    private final HandSession session = new HandSession(new EmbeddedChannel().eventLoop());
    private final OpenSubscriptions open = new OpenSubscriptions();
    private final Subscription heads = add("heads", SubscriptionKind.NEW_HEADS, null);
    private final Subscription passed = add("passed", SubscriptionKind.PASSED, null);
    private final Subscription logs = add("logs", SubscriptionKind.LOGS, "{\"address\":" + MadeLogs.address(1) + "}");

    private Subscription add(String id, SubscriptionKind kind, @Nullable String filter) {
        Subscription subscription = new Subscription(
                id,
                SubscriptionRequest.of(kind, MadeLogs.NOTIFICATIONS, filter == null ? null : MadeLogs.criteria(filter)),
                TestCaller.CLIENT,
                session);
        open.addSession(session);
        open.add(subscription);
        return subscription;
    }

    private void assertNothingIsLeft() {
        assertThat(open.of(session)).isEmpty();
        assertThat(open.ofKind(SubscriptionKind.NEW_HEADS)).isEmpty();
        assertThat(open.ofStream()).isEmpty();
        assertThat(open.withCriteria()).isEmpty();
        assertThat(open.wantsLogs()).isFalse();
        assertThat(open.criteriaOf(session)).isZero();
        assertThat(open.has(heads)).isFalse();
    }

    @Test
    void eachIsFoundByItsKindOrItsCriteria() {
        assertThat(open.ofKind(SubscriptionKind.NEW_HEADS)).containsExactly(heads);
        assertThat(open.ofStream()).as("no node serves it alone").containsExactly(heads);
        assertThat(open.withCriteria()).containsExactly(logs);
        assertThat(open.wantsLogs()).isTrue();
        assertThat(open.criteriaOf(session)).isEqualTo(1);
        assertThat(open.sessions(SubscriptionKind.PENDING)).isEmpty();
        assertThat(List.of(open.sessions(null), open.sessions(SubscriptionKind.PASSED)))
                .allMatch(List.of(session)::equals);
    }

    @Test
    void thoseThatEndOneByOneLeaveNothing() {
        for (Subscription one : List.of(heads, passed, logs)) {
            assertThat(open.remove(session, one.id())).isSameAs(one);
            assertThat(open.remove(session, one.id())).isNull();
        }
        assertNothingIsLeft();
    }

    @Test
    void thoseThatEndWithTheirConnectionLeaveNothing() {
        assertThat(open.remove(session)).containsExactlyInAnyOrder(heads, passed, logs);
        assertThat(open.remove(session)).isEmpty();
        assertThat(open.sessions(null)).isEmpty();
        assertNothingIsLeft();
    }
}
