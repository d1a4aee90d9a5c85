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
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** The rules of packages and classes: dependencies point in one direction, and logging is bounded. */
@Tag("rules")
class ArchitectureTest {

    /** From the sockets inward: a package imports only from those further down. */
    private static final List<String> LAYERS = List.of(
            "app",
            "admin",
            "transport",
            "network",
            "plugin",
            "subscription",
            "pipeline",
            "sharing",
            "access",
            "answer",
            "cache",
            "verify",
            "upstream",
            "chain",
            "method",
            "jsonrpc",
            "tls",
            "tracing",
            "redis",
            "framing",
            "gzip",
            "config",
            "limit",
            "metrics");

    /** The order inside the packages that hold most of the code; "" is the package itself, which the others build on. */
    private static final Map<String, List<String>> INNER_LAYERS = Map.of(
            "io.weir.pipeline",
            List.of(
                    "plan",
                    "send",
                    "head",
                    "gas",
                    "answer",
                    "cache",
                    "range",
                    "admission",
                    "agree",
                    "evidence",
                    "watch",
                    ""),
            "io.weir.transport",
            List.of("", "http2", "websocket", "http", "tls", "answer", "request", "log", "http1"),
            "io.weir.subscription",
            List.of("", "filter", "delivery", "stream"),
            "io.weir.cache",
            List.of("memory", "tier", ""),
            "io.weir.upstream",
            List.of("link", "pool", "budget", "head", "stream", "", "verdict"));

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .withImportOption(location -> !location.contains("/weir-api"))
            .importPackages(LAYERS.stream().map(layer -> "io.weir." + layer).toArray(String[]::new));

    @Test
    void aPackageImportsOnlyFromPackagesFurtherDown() {
        classes().should(importInOrder("io.weir", LAYERS)).check(MAIN);
    }

    @Test
    void packagesInsideALayerHaveAnOrderToo() {
        INNER_LAYERS.forEach((parent, order) -> classes()
                .that()
                .resideInAPackage(parent + "..")
                .should(importInOrder(parent, order))
                .check(MAIN));
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
                .resideOutsideOfPackages("io.weir.app..", "io.weir.plugin")
                .and()
                .doNotHaveSimpleName("RateLimitedLogger")
                .and()
                .doNotHaveSimpleName("NodeTransitionLog")
                .and()
                .doNotHaveSimpleName("TransitionLog")
                .and()
                .doNotHaveSimpleName("FailureLog")
                .and()
                // Once for each time in which its file cannot be written.
                .doNotHaveSimpleName("AccessWriter")
                .and()
                // Each change by an operator, who has the token, is to be seen.
                .doNotHaveSimpleName("UpstreamOperation")
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
                        "io.weir.transport..",
                        "io.weir.admin..",
                        "io.weir.upstream..",
                        "io.weir.app..",
                        "io.weir.tls..",
                        "io.weir.framing..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.handler..", "io.netty.buffer..", "io.netty.bootstrap..")
                .check(MAIN);
    }

    /** Lets the packages below {@code parent} import only from those that come later in the order; "" is the parent itself. */
    private static ArchCondition<JavaClass> importInOrder(String parent, List<String> order) {
        return new ArchCondition<>("import only from packages further down in " + parent + " " + order) {
            @Override
            public void check(JavaClass from, ConditionEvents events) {
                int here = layer(parent, order, from);
                if (here < 0) {
                    events.add(SimpleConditionEvent.violated(from, from.getPackageName() + " is not in the order"));
                }
                from.getDirectDependenciesFromSelf().forEach(dependency -> {
                    int there = layer(parent, order, dependency.getTargetClass());
                    if (there >= 0 && there < here) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                });
            }
        };
    }

    /** Returns the position of a type's package in the order, or -1 if it is outside of the parent or not listed. */
    private static int layer(String parent, List<String> order, JavaClass type) {
        String name = type.getPackageName();
        if (!name.equals(parent) && !name.startsWith(parent + ".")) {
            return -1;
        }
        String below = name.equals(parent) ? "" : name.substring(parent.length() + 1);
        int dot = below.indexOf('.');
        return order.indexOf(dot < 0 ? below : below.substring(0, dot));
    }
}
