package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Metrics read as strictly as their format (text, version 0.0.4) is written down. Immutable. */
final class PrometheusText {

    private static final Pattern HELP = Pattern.compile("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (NaN|[+-]Inf|[-+0-9.eE]+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\[\\\\\"n])*)\"(,|$)");

    private final Map<String, Family> families = new LinkedHashMap<>();

    private record Sample(String name, Map<String, String> labels, double value) {}

    private record Family(String help, String type, List<Sample> samples) {}

    private PrometheusText() {}

    /** Reads a text; fails at the first line that does not belong. */
    static PrometheusText parse(String text) {
        assertThat(text).endsWith("\n");
        PrometheusText metrics = new PrometheusText();
        String help = "";
        Family family = null;
        String familyName = "";
        for (String line : text.split("\n")) {
            Matcher helped = HELP.matcher(line);
            Matcher typed = TYPE.matcher(line);
            if (helped.matches()) {
                help = helped.group(2);
            } else if (typed.matches()) {
                familyName = typed.group(1);
                family = new Family(help, typed.group(2), new ArrayList<>());
                assertThat(metrics.families.put(familyName, family))
                        .as("second " + familyName)
                        .isNull();
            } else {
                Sample sample = sample(line);
                assertThat(family).as(line).isNotNull();
                assertThat(sample.name()).as(line).startsWith(familyName);
                family.samples().add(sample);
            }
        }
        metrics.families.forEach(
                (name, one) -> assertThat(one.samples()).as(name).isNotEmpty().doesNotHaveDuplicates());
        return metrics;
    }

    private static Sample sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as("a sample: " + line).isTrue();
        Map<String, String> labels = new LinkedHashMap<>();
        if (sample.group(2) != null) {
            Matcher label = LABEL.matcher(sample.group(2));
            int end = 0;
            while (label.lookingAt()) {
                assertThat(labels.put(label.group(1), label.group(2))).as(line).isNull();
                end = label.end();
                label.region(end, sample.group(2).length());
            }
            assertThat(end).as(line).isEqualTo(sample.group(2).length());
        }
        return new Sample(
                sample.group(1), labels, Double.parseDouble(sample.group(3).replace("Inf", "Infinity")));
    }

    /** Fails unless a family is there with this type and text, and every sample has exactly these labels. */
    void assertFamily(String name, String type, String help, List<String> labels) {
        Family family = families.get(name);
        assertThat(family).as(name + " in " + families.keySet()).isNotNull();
        assertThat(family.type()).as(name).isEqualTo(type);
        assertThat(family.help()).as(name).isEqualTo(help);
        for (Sample sample : family.samples()) {
            List<String> expected = new ArrayList<>(labels);
            if (sample.name().equals(name + "_bucket")) {
                expected.add("le");
            }
            assertThat(sample.labels().keySet()).as(name).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /**
     * The sum of the samples of this name that have these labels.
     *
     * @param labels names and values in turn
     */
    double sum(String name, String... labels) {
        double sum = 0;
        for (Family family : families.values()) {
            for (Sample sample : family.samples()) {
                boolean meant = sample.name().equals(name);
                for (int i = 0; i < labels.length; i += 2) {
                    meant &= labels[i + 1].equals(sample.labels().get(labels[i]));
                }
                sum += meant ? sample.value() : 0;
            }
        }
        return sum;
    }
}
