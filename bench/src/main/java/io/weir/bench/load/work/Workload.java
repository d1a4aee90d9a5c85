package io.weir.bench.load.work;

import java.io.IOException;

/** Something that is measured. Immutable. */
public interface Workload {

    /** What the command line and the files of a run call it. */
    String id();

    /** What it is, for the table. */
    String title();

    /** Measures. */
    void run(Session session) throws IOException, InterruptedException;
}
