package io.weir.transport.log;

/** Takes notes of what was asked and answered. Thread-safe. */
public interface AccessLog {

    /** Nobody wants to know. */
    AccessLog OFF = new AccessLog() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void add(AccessLogEntry note) {
            // Nobody makes any.
        }
    };

    /** Whether notes are wanted at all. */
    boolean isOn();

    /** Takes a finished note, and never waits. */
    void add(AccessLogEntry note);
}
