package io.weir.wallet;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the wallet's packages apart. */
@Tag("rules")
class ArchitectureTest {
    /** From the door inward: a package imports only from those further down. */
    private static final List<String> ROOMS = List.of(
            "method",
            "request",
            "snap",
            "page",
            "command",
            "token",
            "abi",
            "send",
            "account",
            "audit",
            "approval",
            "key",
            "state",
            "chain",
            "name");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.weir.wallet");

    @Test
    void aPackageImportsOnlyFromThoseFurtherDown() {
        for (int room = 1; room < ROOMS.size(); room++) {
            String[] above = ROOMS.subList(0, room).stream()
                    .map(name -> "io.weir.wallet." + name)
                    .toArray(String[]::new);
            noClasses()
                    .that(resideInAPackage("io.weir.wallet." + ROOMS.get(room)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .check(MAIN);
        }
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("io.weir.wallet.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void onlyWhatSignsOrKeepsSeedsTouchesPrivateKeys() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.weir.wallet.account", "io.weir.wallet.key", "io.weir.wallet.command")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.weir.l2.curve.PrivateKey")
                .check(MAIN);
    }
}
