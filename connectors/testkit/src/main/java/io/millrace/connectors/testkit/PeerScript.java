package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A script that has a real batch system on this machine: it installs, starts and stops it. */
public final class PeerScript {

  /** Exit status when the system is not there and cannot be installed. */
  public static final int ABSENT = 77;

  /** Installing takes minutes, and so may another process that has the system. */
  private static final Duration PATIENCE = Duration.ofMinutes(9);

  /** What the scripts share; each reads it from its own folder. */
  private static final String SHARED = "peer.sh";

  /** What a Slurm's controller has write begins and ends of jobs. */
  private static final String STARTS = "/io/millrace/connectors/slurm/millrace-slurm-starts";

  private static final int SAID_MOST = 1 << 20;

  private final Path file;
  private final Map<String, String> environment;

  private PeerScript(Path file, Map<String, String> environment) {
    this.file = file;
    this.environment = Map.copyOf(environment);
  }

  /**
   * Brings a script to the disk for the life of this process.
   *
   * @param name of its file
   * @param environment that it finds
   */
  public static PeerScript of(String name, Map<String, String> environment) throws IOException {
    Path folder = Files.createTempDirectory("millrace-peer-");
    folder.toFile().deleteOnExit(); // after its files: the last one is deleted first
    copy(SHARED, folder);
    copy(STARTS, folder);
    return new PeerScript(copy(name, folder), environment);
  }

  private static Path copy(String name, Path folder) throws IOException {
    Path file = folder.resolve(name.substring(name.lastIndexOf('/') + 1));
    file.toFile().deleteOnExit();
    try (InputStream in = PeerScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("there is no script " + name);
      }
      Files.copy(in, file);
    }
    return file;
  }

  /** Calls it with a verb, this process as the owner, and more words. */
  public OutsideAnswer call(String verb, String... more) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("/bin/bash", file.toString(), verb));
    words.add(Long.toString(ProcessHandle.current().pid()));
    words.addAll(List.of(more));
    return new ProcessRunner()
        .run(new OutsideCommand(words, new byte[0], environment, PATIENCE, SAID_MOST));
  }
}
