package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Trace;
import io.millrace.schedulers.simulator.TraceFindings;
import io.millrace.schedulers.simulator.TraceReader;
import io.millrace.schedulers.simulator.Workload;
import io.millrace.schedulers.simulator.Workload.SameSecond;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** A trace on disk. */
public final class TraceFile {

  private TraceFile() {}

  /**
   * Reads a workload.
   *
   * @param processors of the machine; 0 to take it from the header
   * @throws IOException with one line that says what is wrong with the file
   */
  public static Workload read(Path file, int processors, SameSecond order) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException("there is no file " + file);
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(file + " is no file that can be read");
    }
    Trace trace;
    try (InputStream in = Files.newInputStream(file)) {
      trace = TraceReader.read(in);
    }
    if (trace.lines().isEmpty()) {
      throw noJob(file, trace.findings());
    }
    int machine = processors > 0 ? processors : trace.processors();
    if (machine == 0) {
      throw new IOException(
          file
              + " says neither MaxProcs nor MaxNodes in its header: give --nodes N"
              + found(trace.findings()));
    }
    Workload workload = Workload.of(trace, machine, order);
    if (workload.jobs().isEmpty()) {
      throw new IOException(file + " has no job that can be replayed" + found(workload.findings()));
    }
    return workload;
  }

  private static IOException noJob(Path file, TraceFindings findings) {
    return new IOException(file + " has no job that can be replayed" + found(findings));
  }

  private static String found(TraceFindings findings) {
    return findings.sentences().stream().map("; "::concat).collect(Collectors.joining());
  }

  /** The file name without folder and suffixes. */
  public static String title(Path file) {
    return file.getFileName().toString().replaceFirst("\\.gz$", "").replaceFirst("\\.swf$", "");
  }
}
