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
    check(file);
    Trace trace;
    try (InputStream in = Files.newInputStream(file)) {
      trace = TraceReader.read(in);
    }
    return workload(file, trace, processors, order);
  }

  /**
   * Reads a workload from the accounting of a PBS server: a file, or a folder with one for each
   * day.
   *
   * @param days which of a folder's files
   * @param processors of the machine; 0 for as many as were in use at once
   * @throws IOException with one line that says what is wrong with the files
   */
  static Workload accounted(Path path, AccountedDays days, int processors, SameSecond order)
      throws IOException {
    return workload(path, AccountedFiles.read(path, days), processors, order);
  }

  /**
   * @throws IOException when there is nothing that can be read, in one line
   */
  static void check(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException("there is no file " + file);
    }
    if (!Files.isReadable(file) || !(Files.isRegularFile(file) || Files.isDirectory(file))) {
      throw new IOException(file + " is no file that can be read");
    }
  }

  private static Workload workload(Path file, Trace trace, int processors, SameSecond order)
      throws IOException {
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
