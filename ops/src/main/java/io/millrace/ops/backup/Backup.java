package io.millrace.ops.backup;

import io.millrace.connectors.local.LockFile;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.launcher.Console;
import io.millrace.ops.launcher.Launcher;
import io.millrace.ops.launcher.Options;
import io.millrace.ops.launcher.UsageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code backup}: everything of a home that cannot be made again, in one file. */
public final class Backup {

  private static final double MIB = 1 << 20;
  private static final int NAMES_SHOWN = 5;

  private final Home home;
  private final Path file;
  private final Console console;

  private Backup(Home home, Path file, Console console) {
    this.home = home;
    this.file = file;
    this.console = console;
  }

  public static int run(List<String> args, Console console)
      throws IOException, InterruptedException, UsageException {
    Options options =
        Launcher.homeOnly(
                "backup",
                "Writes everything of a home that cannot be made again into one file: topics,"
                    + " settings, spools,\naccounting. Millrace may be at work meanwhile.")
            .operands("FILE")
            .parse(args);
    if (options.operands().size() != 1) {
      throw options.wrong("it takes one file");
    }
    Home named = Launcher.home(options);
    Path file = real(Path.of(options.operands().get(0)).toAbsolutePath().normalize());
    if (!Files.exists(named.settings())) {
      throw new IOException(named.root() + " is no home of Millrace");
    }
    // A walk through files does not follow links, not even the one with which it begins.
    Home home = new Home(named.root().toRealPath());
    ClusterSettings cluster = ClusterSettings.read(home);
    if (!cluster.isEmbedded()) {
      throw new IOException(
          "the topics of "
              + home.root()
              + " are in the cluster at "
              + cluster.bootstrapServers()
              + ": back up that cluster with its own means, and the folder");
    }
    if (file.startsWith(home.root())) {
      throw options.wrong(file + " is inside the home that it is to save");
    }
    if (Files.exists(file)) {
      throw options.wrong(file + " exists already: nothing is written over");
    }
    new Backup(home, file, console).run();
    return 0;
  }

  private static Path real(Path file) throws IOException {
    Path folder = file.getParent();
    return folder != null && Files.exists(folder)
        ? folder.toRealPath().resolve(file.getFileName())
        : file;
  }

  private void run() throws IOException, InterruptedException {
    Path lock = home.root().resolve("run/backup.lock");
    Files.createDirectories(lock.getParent());
    try (FileChannel channel = LockFile.open(lock);
        FileLock held = channel.tryLock()) {
      if (held == null) {
        throw new IOException("another backup of " + home.root() + " is at work");
      }
      Cut.clear(home.root());
      try (Cut cut = cut()) {
        write(cut);
      }
    }
  }

  /** Nobody starts or stops a part meanwhile. */
  private Cut cut() throws IOException, InterruptedException {
    try (FileChannel launcher = Launcher.lock(home, console)) {
      List<Long> parts = Launcher.processes(home);
      if (parts.isEmpty()) {
        return Cut.of(home.root(), () -> {});
      }
      long millis;
      Cut cut;
      try (Freeze freeze = Freeze.of(parts)) {
        cut = Cut.of(home.root(), freeze);
        millis = freeze.millis();
      }
      console.say("all parts stood still for " + millis + " ms");
      return cut;
    }
  }

  private void write(Cut cut) throws IOException {
    console.busy("writing " + file);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    List<String> filled;
    try {
      filled = ArchiveWriter.write(fresh, about(), cut.kept());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    SmallFile.force(file.getParent());
    List<Kept> files = cut.kept().stream().filter(kept -> kept.kind() == Kept.Kind.FILE).toList();
    double all = files.stream().mapToLong(Kept::bytes).sum() / MIB;
    console.say(
        String.format(
            Locale.ROOT,
            "%s: %d files, %.1f MiB in %.1f MiB",
            file,
            files.size(),
            all,
            Files.size(file) / MIB));
    if (!filled.isEmpty()) {
      console.say(filled(filled));
    }
  }

  static String filled(List<String> names) {
    return names.size()
        + " outputs were emptied by their jobs while they were read, and end with zeros in the"
        + " backup: "
        + String.join(", ", names.subList(0, Math.min(NAMES_SHOWN, names.size())))
        + (names.size() > NAMES_SHOWN ? ", ..." : "");
  }

  private String about() throws IOException {
    Map<String, Object> broker = ClientSettings.read(home.brokerData().resolve("meta.properties"));
    return "form="
        + Archive.FORM
        + "\nwritten="
        + Instant.now()
        + "\nhome="
        + home.root()
        + "\ncluster="
        + broker.getOrDefault("cluster.id", "")
        + "\n"
        + Kept.Rights.of(home.root()).lines();
  }
}
