package io.millrace.ops.process;

import java.util.List;

/**
 * Options with which the Java machines of parts need less when idle. Some are of the kind that a
 * later Java may not know any more; it leaves those out then, and needs more.
 */
public final class MachineOptions {

  public static final List<String> SPARING =
      List.of(
          "-XX:+IgnoreUnrecognizedVMOptions",
          "-XX:+UnlockDiagnosticVMOptions",
          // Archives of classes stay where they were made for. Elsewhere each page of them has to
          // be corrected at the start, so that all of them are in memory, and no two machines
          // share any.
          "-XX:ArchiveRelocationMode=0",
          // What the compilers have freed stays with the C library, some 20 MiB of a broker or a
          // server, until it is asked to give it back. In milliseconds.
          "-XX:TrimNativeHeapInterval=300000",
          // Looks for locks that nobody waits for any more, four times a second by default.
          "-XX:AsyncDeflationInterval=2000");

  private MachineOptions() {}
}
