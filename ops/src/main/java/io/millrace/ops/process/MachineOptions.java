package io.millrace.ops.process;

import java.util.List;

/**
 * Options with which the Java machines of parts need less. Some are of the kind that a later Java
 * may not know any more; it leaves those out then, and needs more.
 */
public final class MachineOptions {

  /** For when they are idle. */
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

  /**
   * The quick compiler begins after a quarter of the usual calls: until then a method is
   * interpreted, which is ten times as slow and is what the first jobs cost most
   * (docs/decisions/0039).
   */
  public static final List<String> EARLY =
      List.of(
          "-XX:Tier3InvocationThreshold=50",
          "-XX:Tier3MinInvocationThreshold=25",
          "-XX:Tier3CompileThreshold=500",
          "-XX:Tier3BackEdgeThreshold=16000");

  private MachineOptions() {}
}
