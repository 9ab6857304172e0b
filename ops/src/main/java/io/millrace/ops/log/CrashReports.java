package io.millrace.ops.log;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a Java machine writes down when it dies of a fault of its own: {@code log/PART-PID.crash}.
 */
public final class CrashReports {

  /** Those of the last deaths; a part that dies again and again dies of the same thing. */
  static final int KEPT = 2;

  private CrashReports() {}

  /** As the Java machine takes it; %p is its process number. */
  public static Path pattern(Home home, String part) {
    return home.log(part).resolveSibling(part + "-%p.crash");
  }

  public static void forgetOld(Home home, String part) throws IOException {
    List<Path> reports = new ArrayList<>();
    Path folder = home.log(part).getParent();
    if (!Files.exists(folder)) {
      return;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, part + "-*.crash")) {
      for (Path report : all) {
        // The engine's are not those of engine-night.
        if (report.getFileName().toString().matches(part + "-[0-9]+\\.crash")) {
          reports.add(report);
        }
      }
    }
    reports.sort(Comparator.comparing(report -> report.toFile().lastModified()));
    for (Path old : reports.subList(0, Math.max(0, reports.size() - KEPT))) {
      Files.deleteIfExists(old);
    }
  }
}
