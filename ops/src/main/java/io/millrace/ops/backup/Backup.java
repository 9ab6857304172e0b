package io.millrace.ops.backup;

import io.millrace.connectors.local.spool.LockFile;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
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

/** {@code backup}: writes everything in a home that cannot be recreated into one file. */
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
    GivenOptions options =
        HomeOption.only(
                "backup",
                "Writes everything of a home that cannot be made again into one file: topics,"
                    + " settings, spools,\naccounting. Millrace may be at work meanwhile.")
            .operands("FILE")
            .parse(args);
    if (options.operands().size() != 1) {
      throw options.wrong("it takes one file");
    }
    Home named = HomeOption.of(options);
    Path file = real(Path.of(options.operands().get(0)).toAbsolutePath().normalize());
    if (!Files.exists(named.settings())) {
      throw new IOException(named.root() + " is no home of Millrace");
    }
    // A file walk does not follow links, not even one that it starts at.
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
      HomeSnapshot.clear(home.root());
      try (HomeSnapshot snapshot = snapshot()) {
        write(snapshot);
      }
    }
  }

  /** Takes the snapshot under the home's lock, so that nobody starts or stops a part meanwhile. */
  private HomeSnapshot snapshot() throws IOException, InterruptedException {
    try (FileChannel launcher = HomeLock.take(home, console)) {
      List<Long> parts = new Processes(home).pids();
      if (parts.isEmpty()) {
        return HomeSnapshot.of(home.root(), () -> {});
      }
      long millis;
      HomeSnapshot snapshot;
      try (Freeze freeze = Freeze.of(parts)) {
        snapshot = HomeSnapshot.of(home.root(), freeze);
        millis = freeze.millis();
      }
      console.say("all parts stood still for " + millis + " ms");
      return snapshot;
    }
  }

  private void write(HomeSnapshot snapshot) throws IOException {
    console.busy("writing " + file);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    List<String> filled;
    try {
      filled = ArchiveWriter.write(fresh, about(), snapshot.kept());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    SmallFile.force(file.getParent());
    List<ArchivedFile> files =
        snapshot.kept().stream()
            .filter(kept -> kept.kind() == ArchivedFile.ArchivedFileKind.FILE)
            .toList();
    double all = files.stream().mapToLong(ArchivedFile::bytes).sum() / MIB;
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
        + ArchivedFile.FileRights.of(home.root()).lines();
  }
}
