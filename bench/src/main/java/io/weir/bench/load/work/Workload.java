package io.weir.bench.load.work;

import java.io.IOException;

/** Something that is measured. Immutable. */
public interface Workload {

    /** Returns the name on the command line and in the files of a run. */
    String id();

    /** Describes it for the table. */
    String title();

    /** Measures. */
    void run(Session session) throws IOException, InterruptedException;
}
