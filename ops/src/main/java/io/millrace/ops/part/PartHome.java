package io.millrace.ops.part;

import io.millrace.ops.home.BuildMark;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.installation.Distribution;
import io.millrace.ops.installation.HomeBin;
import io.millrace.ops.installation.HomeCheck;
import io.millrace.ops.join.JoinCheck;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The home of one part: what the part reads of its place, and the arguments that say where it is.
 *
 * @param name of this place among those of the cluster; a server's lasts, and is nobody else's
 */
record PartHome(Home home, JoinFile join, String name) {

  /** Where the Java machine unpacks libraries; the file system beside may be one to read only. */
  private static final String TEMPORARY = "java.io.tmpdir";

  /** For brokers that begin beside the part: what starts it would only start it again. */
  private static final Duration BROKERS = Duration.ofSeconds(60);

  /**
   * Asks the cluster first, so that a file that does not fit leaves no half a home.
   *
   * @throws IOException what is wrong, in one line
   */
  void prepare(LonePart part) throws IOException, InterruptedException, UsageException {
    HomeCheck.pass(home);
    if (Files.exists(home.joined())) {
      String before = Files.readString(home.joined()).strip();
      if (!before.equals(join.clusterId())) {
        throw new IOException(
            home.root()
                + " has joined the cluster "
                + before
                + ", and the join file is of "
                + join.clusterId()
                + ": give another --home");
      }
    }
    JoinCheck.pass(join, part.principal(), BROKERS);
    home.create();
    join.give(home);
    new ClusterSettings(join.servers(), join.shards(), null).write(home);
    BuildMark.current().write(home);
    SmallFile.write(home.instance(), name + "\n");
    temporary();
    if (part == LonePart.EXECUTOR) {
      HostFiles.ensureOwn(home, name);
      Files.createDirectories(home.spool(name));
    }
    if (part == LonePart.GATEWAY) {
      HomeBin.fill(home, Distribution.current());
    }
  }

  /** An empty folder for what an earlier life of the part has left. */
  private void temporary() throws IOException {
    Path folder = Path.of(System.getProperty(TEMPORARY)).toAbsolutePath().normalize();
    if (folder.startsWith(home.root())) {
      FolderTree.delete(folder);
      Files.createDirectories(folder);
    }
  }

  /** The arguments of a part but those that are its own business. */
  List<String> arguments(LonePart part) throws UsageException {
    List<String> arguments = new ArrayList<>();
    Path client = home.client(part.principal());
    switch (part) {
      case SERVER -> arguments.addAll(List.of("--home", root(), "--instance", name));
      case GATEWAY -> {
        arguments.addAll(List.of("--home", root(), "--host", name));
        // There may be many; the one whose files count is told so behind this.
        arguments.addAll(List.of("--policy-files", "no"));
      }
      case WEB -> {
        arguments.addAll(List.of("--home", root(), "--host", name, "--monitor-properties"));
        arguments.add(home.client(KafkaPrincipal.MONITOR).toString());
      }
      case ACCOUNTING ->
          arguments.addAll(List.of("--home", root(), "--folder", home.accounting().toString()));
      case ENGINE ->
          arguments.addAll(
              List.of("--monitor-folder", home.root().resolve("sched_priv").toString()));
      case EXECUTOR -> {
        client = home.hostClient(name);
        arguments.addAll(List.of("--host", name, "--spool", home.spool(name).toString()));
        arguments.add("--supervisor");
        arguments.add(Distribution.current().bin("millrace-supervisor").toString());
        // The shards refuse root's jobs unless acl_roots names root.
        arguments.addAll(List.of("--root-jobs", "true"));
      }
    }
    arguments.addAll(List.of("--bootstrap-servers", join.servers()));
    arguments.addAll(List.of("--properties", client.toString()));
    return arguments;
  }

  private String root() {
    return home.root().toString();
  }
}
