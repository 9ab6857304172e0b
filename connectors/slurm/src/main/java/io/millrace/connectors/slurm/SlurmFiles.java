package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.bridge.tail.FileTail;
import io.millrace.connectors.bridge.tail.TailPosition;
import io.millrace.connectors.bridge.tail.TailRead;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that a Slurm writes: one of jobs that are over, and one of begins and ends. A cursor
 * has a position for each, with a blank between.
 */
final class SlurmFiles {
  private static final Logger log = LoggerFactory.getLogger(SlurmFiles.class);

  private static final int TAIL_BYTES = 1 << 20;

  /** The position in a file that there is not, or that cannot be read. */
  private static final String NONE = "-";

  private final ClusterFile file;
  private final Optional<FileTail> accounting;
  private final Optional<FileTail> starts;

  /** Why begins and ends cannot be read; empty when they can. */
  private String unread = "";

  SlurmFiles(ClusterFile file, OutsideFiles files) {
    this.file = file;
    this.accounting = tail(file.given(SlurmKind.ACCOUNTING), files);
    this.starts = tail(file.given(SlurmKind.STARTS), files);
  }

  private static Optional<FileTail> tail(Optional<String> path, OutsideFiles files) {
    return path.map(it -> new FileTail(files, Path.of(it), TAIL_BYTES));
  }

  boolean hasAccounting() {
    return accounting.isPresent();
  }

  /**
   * What stands in a file behind a position.
   *
   * @param position behind it, as a word
   */
  private record WrittenLines(List<String> lines, String position, boolean atEnd, boolean gap) {
    static WrittenLines none(String position) {
      return new WrittenLines(List.of(), position, true, false);
    }
  }

  /** As {@code OutsideSystem#changes}. */
  Told<OutsideChanges> changes(String cursor) {
    String[] parts = cursor.split(" ", 2);
    try {
      WrittenLines over = read(accounting, parts[0]);
      ZoneId zone = ZoneId.systemDefault();
      List<OutsideRecord> records =
          over.lines.stream().flatMap(it -> CompletionLine.record(it, zone).stream()).toList();
      WrittenLines begun = starts(parts.length > 1 ? parts[1] : NONE);
      List<OutsideMove> moves =
          begun.lines.stream().flatMap(it -> ControllerLine.move(it).stream()).toList();
      // From begins and ends that were lost nothing follows: the queue shows them too.
      return Told.of(
          new OutsideChanges(
              records,
              moves,
              over.position + " " + begun.position,
              over.atEnd && begun.atEnd,
              over.gap));
    } catch (IOException e) {
      return Told.nothing(file.text(SlurmKind.ACCOUNTING) + ": " + e.getMessage());
    }
  }

  /** Begins and ends; that they cannot be read keeps nothing else up. */
  private WrittenLines starts(String position) {
    try {
      WrittenLines read = read(starts, position);
      unread = "";
      return read;
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(unread)) {
        log.warn(
            "begins and ends of jobs are seen later, with the next question for the queue: {}: {}",
            file.text(SlurmKind.STARTS),
            why);
        unread = why;
      }
      return WrittenLines.none(position);
    }
  }

  private static WrittenLines read(Optional<FileTail> tail, String position) throws IOException {
    if (tail.isEmpty()) {
      return WrittenLines.none(NONE);
    }
    Optional<TailPosition> from = TailPosition.read(position);
    if (from.isEmpty()) {
      return WrittenLines.none(tail.get().end().toString());
    }
    TailRead read = tail.get().read(from.get());
    return new WrittenLines(read.lines(), read.position().toString(), read.atEnd(), read.gap());
  }
}
