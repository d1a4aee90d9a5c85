package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.verify.Verification.Incomplete;
import io.weir.verify.Verification.Kind;
import io.weir.verify.Verification.Missing;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Shed;
import io.weir.verify.Verification.Unanchored;
import io.weir.verify.Verification.Unlisted;
import io.weir.verify.Verification.Unprovable;
import io.weir.verify.Verification.Unverifiable;
import io.weir.verify.Verification.Wrong;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerificationTest {

    private static final List<Verification<String>> WITHOUT_VALUE = List.of(
            new Incomplete<>("a"),
            new Unverifiable<>("b"),
            new Unprovable<>("e"),
            new Wrong<>("c"),
            new Missing<>("d"),
            new Unanchored<>(),
            new Shed<>());

    @Test
    void onlyAProvenValueIsVerifiedFurther() {
        assertThat(new Proven<>("12", "header").<Integer>then(text -> new Proven<>(text.length(), "receipts")))
                .isEqualTo(new Proven<>(2, "receipts"));
        for (Verification<String> one : WITHOUT_VALUE) {
            Verification<Integer> same = one.then(text -> new Proven<>(text.length()));
            assertThat((Object) same).isSameAs(one);
        }
    }

    @Test
    void aValueIsNotLost() {
        assertThatThrownBy(() -> new Unlisted<>("text", "a member").failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("UNLISTED");
        assertThatThrownBy(() -> new Proven<>("text").failure()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void eachKindIsThatOfItsRecord() {
        assertThat(WITHOUT_VALUE.stream().map(Verification::kind))
                .containsExactly(
                        Kind.INCOMPLETE,
                        Kind.UNVERIFIABLE,
                        Kind.UNPROVABLE,
                        Kind.WRONG,
                        Kind.MISSING,
                        Kind.UNANCHORED,
                        Kind.SHED);
        assertThat(new Proven<>("").kind()).isEqualTo(Kind.PROVEN);
        assertThat(new Unlisted<>("", "").kind()).isEqualTo(Kind.UNLISTED);
    }

    @Test
    void clientsReadOnlyTheProvenParts() {
        Proven<String> proven = new Proven<>("text", "header");
        assertThat(proven.parts()).isEqualTo("header");
        assertThat(proven.withoutParts().parts()).isEmpty();
        assertThat(new Unlisted<>("text", "a member").parts()).isEmpty();
        assertThat(WITHOUT_VALUE).allSatisfy(one -> assertThat(one.parts()).isEmpty());
    }
}
