package io.weir.transport.log;

/** The log of requests and answers. Thread-safe. */
public interface AccessLog {

    /** A log that is off. */
    AccessLog OFF = new AccessLog() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void add(AccessLogEntry entry) {
            // There are no entries to record.
        }
    };

    /** Returns whether entries are recorded. */
    boolean isOn();

    /** Records a finished entry. Never blocks. */
    void add(AccessLogEntry entry);
}
