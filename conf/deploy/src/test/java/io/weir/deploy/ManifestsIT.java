package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.deploy.Dockerfile.Instruction;
import io.weir.testing.Checkout;
import io.weir.testing.NodeScript;
import io.weir.testing.PythonScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The manifests of the example: against the schemas of Kubernetes, and against the image. */
final class ManifestsIT {

    private static final Path DEPLOY = Checkout.find().root().resolve("conf/deploy");
    private static final Path MANIFESTS = DEPLOY.resolve("kubernetes.yaml");
    /** An older one that clusters still run, and the newest one of the package. */
    private static final List<String> VERSIONS = List.of("1.29", "1.37");

    @TempDir
    private Path folder;

    private static NodeScript check(Path file) {
        return PythonScript.run(
                "conf/deploy/src/test/python",
                "kubernetes_validate",
                "manifests.py",
                file.toString(),
                VERSIONS.get(0),
                VERSIONS.get(1));
    }

    @Test
    void eachManifestFollowsTheSchemaOfItsKind() {
        NodeScript checked = check(MANIFESTS);
        assertThat(checked.saw("manifests")
                        .valueStream()
                        .map(manifest -> manifest.path("kind").asString()))
                .containsExactly("ConfigMap", "Deployment", "Service", "PodDisruptionBudget");
        assertThat(checked.saw("problems")).isEmpty();
    }

    @Test
    void anUnknownFieldAndAWrongTypeAreFound() throws IOException {
        String text = Files.readString(MANIFESTS);
        Path wrong = Files.writeString(
                folder.resolve("wrong.yaml"),
                text.replaceFirst("failureThreshold:", "failuresThreshold:").replace("replicas: 2", "replicas: two"));
        JsonNode problems = check(wrong).saw("problems");
        assertThat(problems).isNotEmpty();
    }

    @Test
    void thePodFitsTheImage() throws IOException {
        JsonNode pod = check(MANIFESTS).saw("manifests").get(1).at("/spec/template/spec");
        JsonNode container = pod.at("/containers/0");
        Dockerfile image = Dockerfile.read(DEPLOY.resolve("Dockerfile"));

        assertThat(text(image, "USER"))
                .isEqualTo(pod.at("/securityContext/runAsUser").asInt() + ":"
                        + pod.at("/securityContext/runAsGroup").asInt());
        assertThat(text(image, "EXPOSE"))
                .isEqualTo(container.at("/ports/0/containerPort").asInt() + " "
                        + container.at("/ports/1/containerPort").asInt());
        assertThat(container.at("/image").asString())
                .isEqualTo("weir:" + text(image, "ARG").replace("VERSION=", ""));
        assertThat(image.instructions())
                .extracting(Instruction::text)
                .anyMatch(text -> text.contains(
                        "include \"" + container.at("/volumeMounts/0/mountPath").asString() + "/weir.conf\""));
        assertThat(text(image, "VOLUME"))
                .isEqualTo(container.at("/volumeMounts/1/mountPath").asString());
    }

    private static String text(Dockerfile file, String name) {
        return file.instructions().stream()
                .filter(instruction -> instruction.name().equals(name))
                .map(Instruction::text)
                .findFirst()
                .orElseThrow();
    }
}
