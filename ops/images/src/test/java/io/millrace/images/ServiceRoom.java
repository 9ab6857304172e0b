package io.millrace.images;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A service of the compose file without a container engine: namespaces of network, mounts and
 * processes, and a root file system of this machine's programs with the distribution where images
 * have it. Command, user, environment, volumes and health check are the file's and the image's.
 */
final class ServiceRoom {

  /** Makes the root file system at its first argument and becomes what follows the second. */
  private static final String ENTER =
      """
      set -e
      r=$1
      mount -t tmpfs room "$r"
      for d in usr proc dev sys tmp etc run opt/millrace var/lib; do mkdir -p "$r/$d"; done
      ln -s usr/bin usr/sbin usr/lib usr/lib64 "$r/"
      mount --rbind /usr "$r/usr"
      mount --rbind /dev "$r/dev"
      mount -t proc proc "$r/proc"
      mount -t tmpfs tmp "$r/tmp" && chmod 1777 "$r/tmp"
      cp -a /etc/. "$r/etc/"
      """;

  private static final String BECOME =
      """
      mount -o remount,bind,ro "$r/usr"
      mount -o remount,ro "$r"
      user=$2
      shift 2
      exec chroot --userspec="$user" "$r" /usr/bin/env -i "$@"
      """;

  private static final int END_S = 60;

  private final ComposeFile file;
  private final String service;
  private final Path folder;
  private final String namespace;
  private Process process;

  /**
   * @param folder of all services: volumes, what they print, {@code hosts}, {@code bin/millrace}
   * @param namespace network of the service
   */
  ServiceRoom(ComposeFile file, String service, Path folder, String namespace) {
    this.file = file;
    this.service = service;
    this.folder = folder;
    this.namespace = namespace;
  }

  String service() {
    return service;
  }

  /** User of the image. */
  private String user() {
    return file.image(service).map(ImageKind::user).orElse("65534:65534");
  }

  private List<String> environment() {
    Map<String, String> all = new TreeMap<>(ImageKind.ENVIRONMENT);
    file.service(service)
        .path("environment")
        .properties()
        .forEach(it -> all.put(it.getKey(), it.getValue().asText()));
    return all.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).toList();
  }

  /** The command; of an image that is not ours the program is this machine's. */
  private List<String> command() {
    List<String> command = new ArrayList<>(file.command(service));
    if (file.image(service).isEmpty()) {
      command.add(0, "/usr/bin/" + service);
    }
    if (command.get(0).equals("/usr/bin/tini") && !Files.exists(Path.of(command.get(0)))) {
      command.subList(0, 2).clear();
    }
    return command;
  }

  private String mounts() throws IOException {
    StringBuilder lines = new StringBuilder();
    Path dist = ComposeFile.FOLDER.resolveSibling("target/dist").toAbsolutePath().normalize();
    bind(lines, dist, ImageKind.ROOT, true);
    bind(lines, folder.resolve("bin"), "/usr/local/bin", true);
    lines.append("cp ").append(folder.resolve("hosts")).append(" \"$r/etc/hosts\"\n");
    lines.append("echo 'millrace:x:").append(ImageKind.USER).append(":").append(ImageKind.USER);
    lines.append("::").append(ImageKind.VOLUME).append(":/bin/false' >>\"$r/etc/passwd\"\n");
    for (JsonNode volume : file.service(service).path("volumes")) {
      String[] parts = volume.asText().split(":");
      boolean ro = parts.length > 2;
      if (parts[0].startsWith(".")) {
        Path from = ComposeFile.FOLDER.resolve(parts[0]).toAbsolutePath().normalize();
        lines.append("mkdir -p \"$r").append(Path.of(parts[1]).getParent()).append("\"\n");
        lines.append("cp ").append(from).append(" \"$r").append(parts[1]).append("\"\n");
      } else {
        bind(lines, volume(parts[0]), parts[1], ro);
      }
    }
    return lines.toString();
  }

  /** A volume begins as the image's folder, which is its user's. */
  private Path volume(String name) throws IOException {
    Path volume = folder.resolve("volumes").resolve(name);
    if (!Files.exists(volume)) {
      Files.createDirectories(volume);
      int owner = file.image(service).isPresent() ? ImageKind.USER : 65534;
      Files.setAttribute(volume, "unix:uid", owner);
      Files.setAttribute(volume, "unix:gid", owner);
    }
    return volume;
  }

  private static void bind(StringBuilder lines, Path from, String to, boolean ro) {
    lines.append("mkdir -p \"$r").append(to).append("\"\n");
    lines.append("mount --bind ").append(from).append(" \"$r").append(to).append("\"\n");
    if (ro) {
      lines.append("mount -o remount,bind,ro \"$r").append(to).append("\"\n");
    }
  }

  void start() throws IOException {
    Path root = Files.createDirectories(folder.resolve("rooms").resolve(service));
    Path script = folder.resolve(service + ".sh");
    Files.writeString(script, ENTER + mounts() + BECOME);
    List<String> line = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    line.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child"));
    line.addAll(List.of("/bin/sh", script.toString(), root.toString(), user()));
    line.addAll(environment());
    line.addAll(command());
    process =
        new ProcessBuilder(line)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(printed().toFile()))
            .start();
  }

  Path printed() {
    return folder.resolve(service + ".out");
  }

  String said() {
    try {
      return Files.readString(printed()).lines().limit(60).collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return "nothing: " + e.getMessage();
    }
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Exit status of a service that ends by itself. */
  int end(long patienceS) throws InterruptedException {
    if (!process.waitFor(patienceS, TimeUnit.SECONDS)) {
      throw new AssertionError(service + " does not end: " + said());
    }
    return process.exitValue();
  }

  /** Whether the health check of the file says that it is well. */
  boolean healthy() {
    List<String> test = ComposeFile.texts(file.service(service).at("/healthcheck/test"));
    try {
      return run(test.subList(1, test.size())).status() == 0;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(service, e);
    }
  }

  /** Exit status of a program, and what it printed. */
  record RoomAnswer(int status, String out) {}

  /** Runs a program in the room as the service's user, as {@code docker-compose exec} does. */
  RoomAnswer run(List<String> command) throws IOException, InterruptedException {
    ProcessHandle first = process.children().findFirst().orElse(null);
    if (first == null) {
      return new RoomAnswer(-1, service + " has ended");
    }
    String[] ids = user().split(":");
    List<String> line = new ArrayList<>(List.of("nsenter", "-t", "" + first.pid()));
    line.addAll(List.of("-m", "-n", "-p", "-r", "-w", "-S", ids[0], "-G", ids[1], "--"));
    line.addAll(List.of("/usr/bin/env", "-i"));
    line.addAll(environment());
    line.addAll(command);
    Path out = Files.createTempFile(folder, service, ".run");
    Process run =
        new ProcessBuilder(line)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    int status = run.waitFor();
    String text = Files.readString(out);
    Files.delete(out);
    return new RoomAnswer(status, text);
  }

  /** SIGTERM to its first process; whether it ended by itself. */
  boolean stop() throws InterruptedException {
    if (process == null) {
      return true;
    }
    process.children().forEach(ProcessHandle::destroy);
    boolean ended = process.waitFor(END_S, TimeUnit.SECONDS);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    return ended;
  }

  void kill() throws InterruptedException {
    process.children().forEach(ProcessHandle::destroyForcibly);
    process.waitFor();
  }
}
