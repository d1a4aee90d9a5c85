package io.weir.app.start;

import picocli.CommandLine.IVersionProvider;

/** The program's version, from its jar. */
public final class Version implements IVersionProvider {

    /** Returns the version, or {@code development} if the program runs without its jar. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"weir " + text(), "java " + Runtime.version()};
    }
}
