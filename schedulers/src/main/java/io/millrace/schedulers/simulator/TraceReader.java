package io.millrace.schedulers.simulator;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads the Standard Workload Format, as described at the Parallel Workloads Archive: header lines
 * behind semicolons, then a line of 18 numbers for each job. A line that cannot be read is counted
 * and passed over.
 */
public final class TraceReader {

  /** Much longer than 18 numbers are. */
  private static final int LINE_MAX = 4096;

  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private final TraceFindings findings = new TraceFindings();
  private final TraceHeader header = new TraceHeader(findings);
  private final List<Trace.TraceLine> lines = new ArrayList<>();
  private final Set<Long> numbers = new HashSet<>();
  private final LineFields fields = new LineFields();
  private long lastSubmitS = Long.MIN_VALUE;

  private TraceReader() {}

  /**
   * @param in the trace, plain or compressed with gzip; the caller closes it
   * @throws IOException when it cannot be read at all; a file that breaks off is a finding
   */
  public static Trace read(InputStream in) throws IOException {
    TraceReader reader = new TraceReader();
    reader.readAll(in);
    return reader.trace();
  }

  private Trace trace() {
    return new Trace(header.processors(), header.startEpochS(), lines, findings);
  }

  private void readAll(InputStream in) throws IOException {
    InputStream buffered = new BufferedInputStream(in, 1 << 16);
    buffered.mark(2);
    boolean compressed = buffered.read() == GZIP_FIRST && buffered.read() == GZIP_SECOND;
    buffered.reset();
    int number = 0;
    try {
      Compressed unpacked = compressed ? new Compressed(buffered) : null;
      LineSource source = new LineSource(compressed ? unpacked : buffered, LINE_MAX);
      for (String line = source.next(); line != null; line = source.next()) {
        number++;
        take(number, line);
      }
      if (compressed && unpacked.hasMore()) {
        findings.add(TraceFinding.BEHIND_END, number);
      }
    } catch (EOFException | ZipException e) {
      findings.add(TraceFinding.BROKEN_OFF, number);
    }
  }

  /** A gzip stream that also reports what follows its end. */
  private static final class Compressed extends GZIPInputStream {

    private static final int TRAILER = 8;

    Compressed(InputStream in) throws IOException {
      super(in, 1 << 16);
    }

    /** At the end of the data: whether bytes follow that are no further gzip member. */
    boolean hasMore() throws IOException {
      return inf.getRemaining() > TRAILER || in.read() >= 0;
    }
  }

  private void take(int number, String line) {
    String text = line.strip();
    if (text.isEmpty()) {
      return;
    }
    if (text.charAt(0) == ';') {
      header.take(number, text, !lines.isEmpty());
      return;
    }
    TraceFinding wrong = fields.read(text);
    if (wrong == null && fields.submitS() < 0) {
      wrong = TraceFinding.NO_SUBMIT_TIME;
    }
    if (wrong != null) {
      findings.add(wrong, number);
      return;
    }
    accept(number);
  }

  private void accept(int number) {
    if (fields.tooMany()) {
      findings.add(TraceFinding.LONG_LINE, number);
    }
    if (fields.rounded()) {
      findings.add(TraceFinding.FRACTION, number);
    }
    if (!numbers.add(fields.job())) {
      findings.add(TraceFinding.SAME_NUMBER, number);
    }
    if (fields.submitS() < lastSubmitS) {
      findings.add(TraceFinding.OUT_OF_ORDER, number);
    }
    lastSubmitS = fields.submitS();
    lines.add(fields.line(number));
  }
}
