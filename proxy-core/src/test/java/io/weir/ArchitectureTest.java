package io.weir;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Holds the rooms of the house apart: data flows one way. */
class ArchitectureTest {

    /** From the door inward: a package imports only from those further down. */
    private static final List<String> ROOMS = List.of(
            "app",
            "admin",
            "transport",
            "network",
            "plugin",
            "pipeline",
            "access",
            "cache",
            "verify",
            "upstream",
            "chain",
            "method",
            "jsonrpc",
            "config",
            "load",
            "metrics");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/weir-api"))
            .importPackages(ROOMS.stream().map(room -> "io.weir." + room).toArray(String[]::new));

    @Test
    void aRoomImportsOnlyFromRoomsFurtherDown() {
        classes().should(importOnlyFromFurtherDown()).check(MAIN);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("io.weir.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void settingsAndMetersKnowNothingOfEachOther() {
        noClasses()
                .that()
                .resideInAPackage("io.weir.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.weir.config..")
                .check(MAIN);
    }

    /** Clients and nodes can bring problems about as often as they like; each of these logs at most once a second. */
    @Test
    void whatClientsAndNodesBringAboutIsLoggedThroughABound() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.weir.app..", "io.weir.plugin", "io.weir.plugin.load..")
                .and()
                .doNotHaveSimpleName("RateLimitedLogger")
                .and()
                .doNotHaveSimpleName("NodeTransitionLog")
                .and()
                .doNotHaveSimpleName("TierTransitionLog")
                .and()
                .doNotHaveSimpleName("FailureLog")
                .and()
                // Once for each time in which its file cannot be written.
                .doNotHaveSimpleName("AccessWriter")
                .should()
                .callMethodWhere(target(owner(assignableTo(Logger.class))).as("a method of a logger"))
                .because("it goes through io.weir.metrics.RateLimitedLogger, which counts what it leaves out")
                .check(MAIN);
    }

    @Test
    void onlyThePluginHostSeesPf4j() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.weir.plugin..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.pf4j..")
                .check(MAIN);
    }

    @Test
    void onlyTransportAdminAndUpstreamKnowSocketsAndHttp() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.weir.transport..", "io.weir.admin..", "io.weir.upstream..", "io.weir.app..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.handler..", "io.netty.buffer..", "io.netty.bootstrap..")
                .check(MAIN);
    }

    private static ArchCondition<JavaClass> importOnlyFromFurtherDown() {
        return new ArchCondition<>("import only from rooms further down") {
            @Override
            public void check(JavaClass from, ConditionEvents events) {
                from.getDirectDependenciesFromSelf().forEach(dependency -> {
                    int here = room(from);
                    int there = room(dependency.getTargetClass());
                    if (there >= 0 && there < here) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                });
            }
        };
    }

    private static int room(JavaClass type) {
        String name = type.getPackageName();
        for (int i = 0; i < ROOMS.size(); i++) {
            String room = "io.weir." + ROOMS.get(i);
            if (name.equals(room) || name.startsWith(room + ".")) {
                return i;
            }
        }
        return -1;
    }
}
