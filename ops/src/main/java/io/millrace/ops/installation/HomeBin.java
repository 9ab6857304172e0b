package io.millrace.ops.installation;

import io.millrace.ops.home.ClientNames;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.log.LogSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The folder {@code bin} of a home: the client finds its gateway by the path of its own file. So
 * each home has its own copy, and a shell needs only this folder in its path.
 */
public final class HomeBin {

  /** Class name as a text, because the words must not depend on the launcher that finds them. */
  private static final String LAUNCHER = "io.millrace.ops.launcher.Launcher";

  private HomeBin() {}

  public static void fill(Home home, Distribution dist) throws IOException {
    fill(home.bin(), dist, ClientNames.NAMES);
    // Grid Engine's commands share names with PBS's, so they have a folder of their own.
    Path gridEngine = home.bin().resolve("sge");
    Files.createDirectories(gridEngine);
    fill(gridEngine, dist, ClientNames.GRID_ENGINE);
    // man(1) looks for pages beside a bin folder of the search path.
    link(home.root().resolve("share"), dist.root().resolve("share"));
    link(gridEngine.resolve("man"), dist.root().resolve("share/sge/man"));
    // Tells the Java client where its class is.
    SmallFile.write(home.root().resolve("etc/dist"), dist.root() + "\n");
    // Java that runs the Java client, whatever Java a user has.
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    SmallFile.write(home.root().resolve("etc/java"), java + "\n");
    // The program that qterm runs in a process of its own, because it ends the process that answers
    // qterm.
    SmallFile.write(home.root().resolve("etc/terminate"), termination(home, dist), "rwx------");
  }

  private static String termination(Home home, Distribution dist) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Dmillrace.dist=" + dist.root().toAbsolutePath(),
            "-Djava.util.logging.config.class=" + LogSetup.class.getName(),
            "-cp",
            dist.root().resolve("lib").toAbsolutePath() + "/*",
            LAUNCHER,
            "down",
            Down.SERVER,
            "--home",
            home.root().toAbsolutePath().toString());
    String line = command.stream().map(HomeBin::quoted).collect(Collectors.joining(" "));
    return "#!/bin/sh\nexec " + line + "\n";
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private static void fill(Path folder, Distribution dist, List<String> names) throws IOException {
    Path client = folder.resolve("millrace-client");
    Path source = dist.bin("millrace-client");
    if (!Files.exists(client) || Files.mismatch(client, source) >= 0) {
      Path fresh = folder.resolve("millrace-client.new");
      Files.copy(
          source, fresh, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
      Files.move(fresh, client, StandardCopyOption.ATOMIC_MOVE);
    }
    for (String name : names) {
      link(folder.resolve(name), Path.of("millrace-client"));
    }
  }

  private static void link(Path link, Path target) throws IOException {
    if (Files.isSymbolicLink(link) && !Files.readSymbolicLink(link).equals(target)) {
      Files.delete(link);
    }
    if (!Files.isSymbolicLink(link)) {
      Files.createSymbolicLink(link, target);
    }
  }
}
