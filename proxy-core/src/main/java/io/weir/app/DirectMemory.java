package io.weir.app;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The bound on the memory outside of the heap that buffers of sockets take. The JVM's own bound is the size of the heap, so that a heap
 * of most of the memory and as many buffers would not fit. Stateless.
 */
final class DirectMemory {

    private static final String PROPERTY = "io.netty.maxDirectMemory";
    private static final long MIN = 64L << 20;

    private DirectMemory() {}

    /** Sets the bound, before Netty's first class reads it. A bound of the operator takes precedence. */
    static void limit() {
        if (System.getProperty(PROPERTY) == null
                && ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                && !isSetByOperator()) {
            // In a container the memory is that of its limit.
            long bound = bound(system.getTotalMemorySize(), Runtime.getRuntime().maxMemory());
            System.setProperty(PROPERTY, Long.toString(bound));
        }
    }

    private static boolean isSetByOperator() {
        HotSpotDiagnosticMXBean flags = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return !flags.getVMOption("MaxDirectMemorySize").getValue().equals("0");
    }

    /** Returns half of the memory that the heap leaves, at most as much as the heap, and at least 64 MiB. */
    static long bound(long memory, long heap) {
        return Math.max(MIN, Math.min(heap, (memory - heap) / 2));
    }
}
