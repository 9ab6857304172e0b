package io.millrace.ops.log;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Crash reports of the JVM: {@code log/PART-PID.crash}. */
public final class CrashReports {

  /**
   * Number of crash reports kept per part; a part that crashes again and again does so for the same
   * reason.
   */
  static final int KEPT = 2;

  private CrashReports() {}

  /** File name pattern for the JVM; %p is the process id. */
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
        // Reports of the part "engine" must not match those of "engine-night".
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
