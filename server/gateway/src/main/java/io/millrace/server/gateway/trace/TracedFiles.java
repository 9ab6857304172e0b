package io.millrace.server.gateway.trace;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.ClusterView;
import java.io.IOException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The accounting files and day logs of a cluster, read by the client with the rights of whoever
 * asks: he sees what he may read there himself.
 */
final class TracedFiles {

  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT);
  // The memory and the time of the gateway belong to all users, and any file may be named.
  private static final int LINES_MAX = 100_000;
  private static final int CHARACTERS_MAX = 8 << 20;
  static final long BYTES_MAX = 2L << 30;

  /** A folder with a file for each day. */
  private record TracedFolder(char letter, char file, String path) {

    String in(String home) {
      return path.startsWith("/") ? path : home + "/" + path;
    }
  }

  private final Call call;
  private final Tracing tracing;
  private long bytesLeft = BYTES_MAX;
  private long charactersLeft = CHARACTERS_MAX;
  private boolean full;

  TracedFiles(Call call, Tracing tracing) {
    this.call = call;
    this.tracing = tracing;
  }

  private List<TracedFolder> folders() {
    List<TracedFolder> folders = new ArrayList<>();
    folders.add(new TracedFolder('a', 'A', "server_priv/accounting"));
    folders.add(new TracedFolder('s', 'S', "server_logs"));
    Set<String> logs = new LinkedHashSet<>();
    logs.add(SchedulerFolders.usual(SchedulerFolders.LOG, "default"));
    for (ClusterObject scheduler : call.site().cluster().all(ObjectKind.SCHEDULER)) {
      logs.add(SchedulerFolders.usual(SchedulerFolders.LOG, scheduler.getName()));
      // Another home has none of the folders that schedulers here name.
      ClusterView.attribute(scheduler, SchedulerFolders.LOG)
          .filter(path -> path.startsWith("/") && tracing.prefix().isEmpty())
          .ifPresent(logs::add);
    }
    logs.forEach(path -> folders.add(new TracedFolder('l', 'L', path)));
    return folders;
  }

  private void keep(TracedLine line, List<TracedLine> lines) {
    charactersLeft -= line.time().length() + line.name().length() + line.text().length();
    full = charactersLeft < 0 || lines.size() == LINES_MAX;
    if (!full) {
      lines.add(line);
    }
  }

  /** All lines about jobs whose id fits. */
  List<TracedLine> lines(Predicate<String> job) {
    String home = tracing.prefix().isEmpty() ? call.site().home() : tracing.prefix();
    List<TracedLine> lines = new ArrayList<>();
    if (home.isEmpty()) {
      return lines;
    }
    LocalDate today = LocalDate.now(call.site().clock());
    for (TracedFolder folder : folders()) {
      for (int i = 0; !full && i < tracing.days() && !tracing.leaves(folder.letter()); i++) {
        read(folder, folder.in(home) + "/" + DAY.format(today.minusDays(i)), job, lines);
      }
    }
    if (full) {
      call.invocation().err("tracejob: the logs are larger than it looks at, lines are left out\n");
    }
    return lines;
  }

  private void read(
      TracedFolder folder, String path, Predicate<String> job, List<TracedLine> lines) {
    try (TracedFileLines file = new TracedFileLines(call.invocation().openFile(path), bytesLeft)) {
      for (String line; !full && (line = file.next()) != null; ) {
        Optional<TracedLine> traced = TracedLine.of(folder.file(), file.number(), line);
        traced.filter(it -> job.test(it.name())).ifPresent(it -> keep(it, lines));
      }
      bytesLeft -= file.bytes();
      full |= bytesLeft <= 0;
    } catch (IOException e) {
      if (tracing.verbose()) {
        call.invocation().err(path + ": " + e.getMessage() + "\n");
      }
    }
  }
}
