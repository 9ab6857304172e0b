package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.container.ContainerTerms.EngineCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Docker's program and a container, of which the texts and exit statuses are those of Debian's
 * docker 20.10.24; commands in it are started on this host.
 */
public final class PlayedEngine {

  public static final Path SFTP_SERVER = Path.of("/usr/lib/openssh/sftp-server");

  static final String FIRST = "5a9c93f7c11ee289c2f61416d0c46361cfae4f6f446dc3af6e97480ebfdb24f2";
  static final String OTHER = "07f3d81fcf5d1b6a8f4e1a6c5f0f9d3c2b1a09e8d7c6b5a4938271605f4e3d2c";

  private static final String SELF = System.getProperty("user.name");

  private static final String PROGRAM =
      """
      #!/bin/bash
      at='@FOLDER@'
      echo "$1" >> "$at/calls"
      if [ -e "$at/away" ]; then
        echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.' \\
          'Is the docker daemon running?' >&2
        exit 1
      fi
      if [ -e "$at/denied" ]; then
        echo 'Got permission denied while trying to connect to the Docker daemon socket at' \\
          'unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.24/info": dial' \\
          'unix /var/run/docker.sock: connect: permission denied' >&2
        exit 1
      fi
      read -r id state started name < "$at/container"
      absent() { echo "Error: No such container: $1" >&2; exit 1; }
      if [ "$1" = inspect ]; then
        [ "${*: -1}" = "$name" ] || absent "${*: -1}"
        echo "$id/$state/$started//$name"
        exit
      fi
      [ "$1 $2 $3 $4 $5" = 'exec --interactive --workdir / --user' ] || exit 125
      user=$6 target=$7
      shift 7
      [ "$target" = "$id" ] || [ "$target" = "$name" ] || absent "$target"
      case $state in
      running) ;;
      paused)
        echo "Error response from daemon: Container $name is paused, unpause the container before" \\
          exec >&2
        exit 1 ;;
      *) echo "Error response from daemon: Container $id is not running" >&2; exit 1 ;;
      esac
      uid=$(sed -n "s/^$user //p" "$at/accounts")
      if [ -z "$uid" ]; then
        printf 'unable to find user %s: no matching entries in passwd file\\r\\n' "$user"
        exit 126
      fi
      echo "$user" >> "$at/users"
      if [ "${*: -2}" = '/usr/bin/id -u' ]; then
        echo "$uid"
        exit
      fi
      if [ ! -x "$1" ]; then
        printf 'OCI runtime exec failed: exec failed: unable to start container process: exec: '
        printf '"%s": stat %s: no such file or directory: unknown\\r\\n' "$1" "$1"
        exit 126
      fi
      cd /
      "$@" <&0 &
      echo $! >> "$at/processes"
      wait $!
      status=$?
      [ ! -e "$at/lost" ] || { echo 'Error response from daemon: No such exec instance' >&2; exit 1; }
      exit $status
      """;

  private final Path folder;
  private final Path program;

  /**
   * @param folder of its own
   */
  public PlayedEngine(Path folder) throws IOException {
    this.folder = folder;
    this.program = Files.writeString(folder.resolve("docker"), text(folder));
    if (!program.toFile().setExecutable(true)) {
      throw new IOException(program + " cannot be made a program");
    }
    Files.writeString(folder.resolve("accounts"), SELF + " 1001\nalice 1002\n");
    Files.createFile(folder.resolve("processes"));
    Files.createFile(folder.resolve("users"));
    is(FIRST, "running", 1);
  }

  private static String text(Path folder) {
    return PROGRAM.replace("@FOLDER@", folder.toString());
  }

  Path folder() {
    return folder;
  }

  /** Lines of a cluster file that lead there. */
  public List<String> keys() {
    return List.of(
        "transport = container",
        "container = c1",
        "container_program = " + program,
        "container_account = mr-nobody",
        "container_at_once = 7");
  }

  /** An account that it has. */
  public void account(String name, int uid) throws IOException {
    Files.writeString(
        folder.resolve("accounts"),
        Files.readString(folder.resolve("accounts")) + name + " " + uid + "\n");
  }

  void is(String id, String state, int start) throws IOException {
    String line = id + " " + state + " 2026-11-29T07:44:0" + start + "Z c1\n";
    Path fresh = Files.writeString(folder.resolve("container.new"), line);
    Files.move(
        fresh,
        folder.resolve("container"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  /** The container ends, and all that runs in it. */
  void ends() throws IOException {
    is(FIRST, "exited", 1);
    killAll();
  }

  void killAll() throws IOException {
    for (String each : Files.readAllLines(folder.resolve("processes"))) {
      ProcessHandle.of(Long.parseLong(each)).ifPresent(PlayedEngine::kill);
    }
  }

  private static void kill(ProcessHandle process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  void beginsAnew() throws IOException {
    is(FIRST, "running", 2);
  }

  /** The program behaves so from here on: away, denied or lost. */
  void fault(String name) throws IOException {
    Files.createFile(folder.resolve(name));
  }

  void mend(String name) throws IOException {
    Files.delete(folder.resolve(name));
  }

  List<String> users() throws IOException {
    return Files.readAllLines(folder.resolve("users"));
  }

  long calls() throws IOException {
    Path calls = folder.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
  }

  ContainerTerms terms(boolean bySudo) {
    // What sudo adds before it is not played.
    return new ContainerTerms(
        new EngineCall(new ArrayList<>(List.of(program.toString())), bySudo),
        "c1",
        SELF,
        SFTP_SERVER.toString(),
        7,
        Duration.ofSeconds(20));
  }

  ContainerRunner runner() {
    return runner(Optional.empty());
  }

  ContainerRunner runner(Optional<Path> mark) {
    return new ContainerRunner(terms(false), new ProcessRunner(), new ContainerMark(mark));
  }
}
