package io.millrace.images;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The images: all have the same files, and differ in what they run and as whom. */
enum ImageKind {
  SERVER,
  GATEWAY,
  EXECUTOR,
  WEB,
  ENGINE,
  TOOLS;

  /** Uid of the user {@code millrace} in the base image. */
  static final int USER = 10001;

  static final String ROOT = "/opt/millrace";
  static final String VOLUME = "/var/lib/millrace";

  /** Below the volume, whose folder belongs to whoever made it. */
  static final String HOME = VOLUME + "/home";

  static final int HEALTH_PORT = 9400;

  /** Always in the same order, as all that is in an image. */
  static final SortedMap<String, String> ENVIRONMENT =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(
              Map.of("PATH", HOME + "/bin:/usr/local/bin:/usr/bin:/bin", "LC_ALL", "C.UTF-8")));

  private static final String JOIN_FILE = "/etc/millrace/join/millrace.join";

  static Optional<ImageKind> of(String name) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(name)).findFirst();
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** An executor starts the jobs of all users, and only root can become each of them. */
  String user() {
    return this == EXECUTOR ? "0:0" : USER + ":" + USER;
  }

  boolean isPart() {
    return this != TOOLS;
  }

  /** Program and arguments, with no shell between the runtime's signals and the part. */
  List<String> entrypoint() {
    List<String> command = new ArrayList<>();
    if (this == EXECUTOR) {
      // What a job leaves behind comes to the first process, which has to see it off.
      command.addAll(List.of("/usr/bin/tini", "--"));
    }
    command.addAll(List.of("/usr/bin/java", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
    // Beside the heap a server's stores need memory too, so that it gets half of what there is.
    command.add("-XX:MaxRAMPercentage=50");
    command.add("-XX:-UsePerfData");
    if (this != SERVER && this != ENGINE) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.add("-Djava.io.tmpdir=" + HOME + "/run/tmp");
    command.add("-Djava.util.logging.config.class=io.millrace.ops.log.LogSetup");
    command.add("-Dmillrace.dist=" + ROOT);
    command.add("-Dmillrace.home=" + HOME);
    command.addAll(List.of("-cp", ROOT + "/lib/*", "io.millrace.ops.launcher.Launcher"));
    if (isPart()) {
      command.addAll(List.of("part", text()));
    }
    return command;
  }

  /** What it runs with where nothing else is said. */
  List<String> arguments() {
    return isPart()
        ? List.of("--join", JOIN_FILE, "--", "--health", "0.0.0.0:" + HEALTH_PORT)
        : List.of("--help");
  }
}
