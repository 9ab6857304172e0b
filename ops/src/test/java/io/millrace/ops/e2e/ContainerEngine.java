package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * Debian's dockerd, with all that it makes below one folder, and in namespaces of its own: its
 * networks, mounts and containers are nobody else's and end with it. Another one that runs on this
 * machine is not asked. It ends also when this process is killed, since its input ends then.
 */
final class ContainerEngine implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration END = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(30);

  /** Its control groups are its own too; where they are mounted anew is nothing to it. */
  private static final String BEGIN =
      """
      mount -t tmpfs tmpfs /run && ip link set lo up || exit 1
      mkdir -p /etc/docker && mount -t tmpfs tmpfs /etc/docker
      {
        dockerd --config-file "$1/daemon.json" --data-root "$1/data" --exec-root "$1/exec" \
          --pidfile "$1/pid" --host "unix://$1/docker.sock" --cgroup-parent "/$2" \
          --exec-opt native.cgroupdriver=cgroupfs </dev/null
        echo "engine: ended with exit status $?"
      } &
      read -r _
      [ ! -e "$1/pid" ] || kill "$(cat "$1/pid")"
      wait
      find /sys/fs/cgroup -depth -type d -path "*/$2*" -exec rmdir {} +
      """;

  private static final String GET =
      "bash -c 'exec 3<>/dev/tcp/%s/%d;"
          + " printf \"GET %%s HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n\" \"$0\" >&3; cat <&3' '%s'";

  private final Path folder;
  private final Process process;
  private final Shell shell;

  private ContainerEngine(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
    this.shell = environment(new Shell(folder));
  }

  /**
   * Starts it.
   *
   * @param folder is made
   * @throws TestAbortedException where it cannot run, with what it said last
   */
  static ContainerEngine start(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder.resolve("client"));
    Files.writeString(folder.resolve("daemon.json"), "{}\n");
    String group = "millrace-engine-" + ProcessHandle.current().pid();
    List<String> command =
        List.of(
            "unshare",
            "--mount",
            "--net",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "--propagation",
            "private",
            "bash",
            "-c",
            BEGIN,
            "engine",
            folder.toString(),
            group);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
    ContainerEngine engine = new ContainerEngine(folder, builder.start());
    if (!Polling.within(START, () -> engine.ended() || engine.answers()) || engine.ended()) {
      engine.close();
      throw new TestAbortedException(
          "SKIPPED: no container engine runs on this machine: " + engine.lastWords());
    }
    return engine;
  }

  private boolean answers() throws IOException, InterruptedException {
    return shell.run(folder, SHORT, "docker version").status() == 0;
  }

  private boolean ended() throws IOException {
    return !process.isAlive() || Files.readString(folder.resolve("log")).contains("engine: ended");
  }

  private String lastWords() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("log"));
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  /** With what clients of this engine need in their environment. */
  Shell environment(Shell given) {
    return given
        .with("DOCKER_HOST", "unix://" + folder.resolve("docker.sock"))
        .with("DOCKER_CONFIG", folder.resolve("client").toString());
  }

  /** The answer to a GET in the network where its containers and their published ports are. */
  String get(String host, int port, String path) throws IOException, InterruptedException {
    String line =
        "nsenter --target " + process.pid() + " --net " + String.format(GET, host, port, path);
    return shell.run(folder, SHORT, line).must();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
      // The first process of its namespace ends with it, and all others with that one.
      process.destroyForcibly().waitFor();
    }
  }
}
