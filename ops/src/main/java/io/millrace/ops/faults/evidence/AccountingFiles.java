package io.millrace.ops.faults.evidence;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The accounting files of a home. */
public final class AccountingFiles {
  private static final long LOOK_MS = 200;

  private AccountingFiles() {}

  /** Reads all lines, waiting until there are {@code wanted} or the patience is used up. */
  public static List<String> await(Home home, int wanted, long patienceMs)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    while (true) {
      List<String> lines = new ArrayList<>();
      try (Stream<Path> files = Files.list(home.accounting())) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          lines.addAll(Files.readAllLines(file));
        }
      }
      if (lines.size() >= wanted || System.nanoTime() > deadline) {
        return lines;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
