package io.weir.pipeline.plan;

import io.weir.pipeline.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Stages that calls pass one after the other. Immutable.
 *
 * @param names of the stages, in order: the names of their classes without {@code Stage}
 * @param first stage, which passes calls on to the others
 */
record StagePath(List<String> names, Stage first) {

    private static final String SUFFIX = "Stage";

    /**
     * Builds the stages from the last to the first.
     *
     * @param steps make the stages before the last, in order, each from the stage behind it; a step that returns that stage adds
     *     none
     * @param last stage, which answers every call that reaches it
     */
    @SuppressWarnings("ReferenceEquality") // The stage itself, and not one like it, says that none was added.
    static StagePath of(List<UnaryOperator<Stage>> steps, Stage last) {
        List<String> names = new ArrayList<>();
        names.add(name(last));
        Stage first = last;
        for (int i = steps.size() - 1; i >= 0; i--) {
            Stage made = steps.get(i).apply(first);
            if (made != first) {
                names.add(name(made));
                first = made;
            }
        }
        Collections.reverse(names);
        return new StagePath(List.copyOf(names), first);
    }

    private static String name(Stage stage) {
        String name = stage.getClass().getSimpleName();
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }
}
