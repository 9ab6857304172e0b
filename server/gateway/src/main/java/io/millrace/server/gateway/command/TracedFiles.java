package io.millrace.server.gateway.command;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The accounting files and day logs of a cluster, read by the client with the rights of whoever
 * asks: he sees what he may read there himself.
 */
final class TracedFiles {

  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT);
  private static final int LINES_MAX = 100_000;

  /** A folder with a file for each day. */
  private record Folder(char letter, char file, String path) {}

  private final Call call;
  private final Tracing tracing;

  TracedFiles(Call call, Tracing tracing) {
    this.call = call;
    this.tracing = tracing;
  }

  private List<Folder> folders() {
    List<Folder> folders = new ArrayList<>();
    folders.add(new Folder('a', 'A', "server_priv/accounting"));
    folders.add(new Folder('s', 'S', "server_logs"));
    folders.add(new Folder('l', 'L', "sched_logs"));
    for (ClusterObject scheduler : call.site().cluster().all(ObjectKind.SCHEDULER)) {
      if (!scheduler.getName().equals("default")) {
        folders.add(new Folder('l', 'L', "sched_logs_" + scheduler.getName()));
      }
    }
    return folders;
  }

  /** All lines about jobs whose id fits. */
  List<TracedLine> lines(Predicate<String> job) {
    String home = tracing.prefix().isEmpty() ? call.site().home() : tracing.prefix();
    List<TracedLine> lines = new ArrayList<>();
    if (home.isEmpty()) {
      return lines;
    }
    LocalDate today = LocalDate.now(call.site().clock());
    for (Folder folder : folders()) {
      for (int i = 0; i < tracing.days() && !tracing.leaves(folder.letter()); i++) {
        read(folder, home + "/" + folder.path() + "/" + DAY.format(today.minusDays(i)), job, lines);
      }
    }
    return lines;
  }

  private void read(Folder folder, String path, Predicate<String> job, List<TracedLine> lines) {
    try (BufferedReader file =
        new BufferedReader(
            new InputStreamReader(call.invocation().openFile(path), StandardCharsets.UTF_8))) {
      int number = 0;
      for (String line; (line = file.readLine()) != null && lines.size() < LINES_MAX; ) {
        number++;
        Optional<TracedLine> traced = TracedLine.of(folder.file(), number, line);
        traced.filter(it -> job.test(it.name())).ifPresent(lines::add);
      }
    } catch (IOException e) {
      if (tracing.verbose()) {
        call.invocation().err(path + ": " + e.getMessage() + "\n");
      }
    }
  }
}
