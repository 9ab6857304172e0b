package io.millrace.ops.bench.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Scripts each of which writes as its first instruction when it began, all into one file. They are
 * judged by it alone.
 */
public final class FolderOfScripts {
  private static final int LOOK_MS = 50;
  private static final int PATIENCE_S = 600;

  /** After the last start so long for scripts that are started twice. */
  private static final int SETTLE_MS = 200;

  private final List<String> scripts;
  private final Path log;

  private FolderOfScripts(List<String> scripts, Path log) {
    this.scripts = scripts;
    this.log = log;
  }

  /** New scripts in a new folder below one that any user may pass. */
  public static FolderOfScripts write(Path parent, int count) throws IOException {
    Path folder = Files.createTempDirectory(parent, "scripts-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path log = Files.createFile(folder.resolve("started"));
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-rw-rw-"));
    List<String> scripts = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Path script = folder.resolve("job" + number + ".sh");
      String line = "echo \"" + script + " ${EPOCHREALTIME//[.,]/}\" >> " + log;
      Files.writeString(script, "#!/bin/bash\n" + line + "\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
      scripts.add(script.toString());
    }
    return new FolderOfScripts(scripts, log);
  }

  /** The scripts divided among clients. */
  public List<List<String>> dealt(int clients) {
    List<List<String>> dealt = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      dealt.add(
          scripts.subList(
              client * scripts.size() / clients, (client + 1) * scripts.size() / clients));
    }
    return dealt;
  }

  /**
   * Waits until each has begun.
   *
   * @return when, in microseconds since 1970
   * @throws IOException when some have not, or one has twice
   */
  public Map<String, Long> awaitStarts() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (starts().size() < scripts.size()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(starts().size() + " of " + scripts.size() + " scripts have begun");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
    return starts();
  }

  private Map<String, Long> starts() throws IOException {
    Map<String, Long> starts = new HashMap<>();
    for (String line : Files.readAllLines(log)) {
      String[] fields = line.split(" ");
      if (fields.length == 2 && starts.put(fields[0], Long.parseLong(fields[1])) != null) {
        throw new IOException(fields[0] + " was started twice");
      }
    }
    return starts;
  }
}
