package io.weir.bench.classes;

import static java.util.Objects.requireNonNull;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector.Argument;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Records the project's classes of which a running JVM enters a method, a constructor or an initialiser. Attaches to the JVM as a
 * debugger, which needs no change of its classes. Confined to one thread.
 */
final class EnteredClasses implements AutoCloseable {

    private static final String OWN = "io.weir.*";
    /** A call has ended once its JVM enters no method for this time. Its log line and its counters come after the answer. */
    private static final long QUIET_MILLIS = 300;
    /** Bytes that were sent are received within this time. */
    private static final long RECEIVED_MILLIS = 3;
    /** An effect is received within this time. */
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final VirtualMachine machine;

    private EnteredClasses(VirtualMachine machine) {
        this.machine = machine;
    }

    /** Returns the flag with which a JVM waits for a debugger at a port of 127.0.0.1. */
    static String flag(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + port;
    }

    /** Attaches to the JVM that was started with {@link #flag}. */
    static EnteredClasses attach(int port) throws IOException {
        AttachingConnector socket = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(connector -> connector.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow(() -> new IOException("this JDK cannot attach to a socket"));
        Map<String, Argument> arguments = socket.defaultArguments();
        requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        requireNonNull(arguments.get("port")).setValue(Integer.toString(port));
        try {
            return new EnteredClasses(socket.attach(arguments));
        } catch (IllegalConnectorArgumentsException e) {
            throw new IOException("port " + port + ": no JVM to attach to", e);
        }
    }

    /** Makes a call and returns what it entered. A nested class counts, a lambda belongs to its class. */
    Entered during(Call call) throws IOException, InterruptedException {
        MethodEntryRequest entries = request(EventRequest.SUSPEND_NONE);
        entries.enable();
        call.make();
        Entered entered = Entered.none();
        for (EventSet events = next(); events != null; events = next()) {
            for (Event event : events) {
                if (event instanceof MethodEntryEvent entry) {
                    entered.add(entry.method().declaringType());
                }
            }
        }
        stop(entries);
        return entered;
    }

    /**
     * Sends a message and returns what was entered until an effect of it was received. A thread waits where it enters a class for the first
     * time, so that nothing counts that comes after.
     */
    Entered until(Message message) throws IOException, InterruptedException {
        Entered entered = Entered.none();
        MethodEntryRequest first = request(EventRequest.SUSPEND_EVENT_THREAD);
        first.enable();
        CountDownLatch received = message.send();
        long end = System.nanoTime() + MAX_NANOS;
        while (received.getCount() > 0 && System.nanoTime() - end < 0) {
            EventSet events = next();
            if (events != null) {
                for (Event event : events) {
                    if (event instanceof MethodEntryEvent entry
                            && !received.await(RECEIVED_MILLIS, TimeUnit.MILLISECONDS)) {
                        entered.add(entry.method().declaringType());
                        exclude(entry.method().declaringType(), first);
                    }
                }
                events.resume();
            }
        }
        stop(first);
        if (received.getCount() > 0) {
            throw new IOException("message: no effect was received, entered: " + entered.classes());
        }
        return entered;
    }

    /** Reports no entry of a class any more. A report of each entry would make the proxy too slow for its own deadlines. */
    private static void exclude(ReferenceType type, MethodEntryRequest request) {
        String name = Entered.name(type);
        request.disable();
        request.addClassExclusionFilter(name);
        request.addClassExclusionFilter(name + "$$Lambda*");
        request.enable();
    }

    private MethodEntryRequest request(int suspendPolicy) {
        MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
        request.addClassFilter(OWN);
        request.setSuspendPolicy(suspendPolicy);
        return request;
    }

    private void stop(MethodEntryRequest request) throws InterruptedException {
        machine.eventRequestManager().deleteEventRequest(request);
        for (EventSet late = machine.eventQueue().remove(1);
                late != null;
                late = machine.eventQueue().remove(1)) {
            // Entered between the last event and the end of the recording.
            late.resume();
        }
        machine.resume();
    }

    private EventSet next() throws InterruptedException {
        return machine.eventQueue().remove(QUIET_MILLIS);
    }

    @Override
    public void close() {
        machine.dispose();
    }

    /**
     * Binary names of the types that a call entered. Confined to one thread.
     *
     * @param classes all but records, interfaces with default methods among them
     * @param records apart from the others, since most carry data and decide nothing
     */
    record Entered(SortedSet<String> classes, SortedSet<String> records) {

        private static Entered none() {
            return new Entered(new TreeSet<>(), new TreeSet<>());
        }

        private void add(ReferenceType type) {
            (isRecord(type) ? records : classes).add(name(type));
        }

        private static String name(ReferenceType type) {
            int lambda = type.name().indexOf("$$Lambda");
            return lambda < 0 ? type.name() : type.name().substring(0, lambda);
        }

        private static boolean isRecord(ReferenceType type) {
            return type instanceof ClassType known && known.superclass().name().equals("java.lang.Record");
        }

        /** Leaves out what another call did not enter. */
        void retain(Entered other) {
            classes.retainAll(other.classes);
            records.retainAll(other.records);
        }
    }

    /** One call of a client. */
    interface Call {

        /** Returns after the answer. */
        void make() throws IOException, InterruptedException;
    }

    /** A message to the JVM that has an effect elsewhere. */
    interface Message {

        /** Sends it. Returns what is counted down once its effect was received. */
        CountDownLatch send();
    }
}
