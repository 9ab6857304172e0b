package io.millrace.server.unprivileged;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts programs that attributes name. Managers may set those, and a manager is not root: a
 * service of root starts them as a user without privileges. Another service has no rights that it
 * could drop, and starts them as its own user.
 *
 * <p>Programs with a set-user-id bit keep their effect, as for each user of the host: what sends
 * mail reaches its queue by one.
 */
public final class UnprivilegedProgram {

  private static final String PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
  private static final String UID = "unix:uid";
  private static final File NOTHING = new File("/dev/null");

  private final Path etc;
  private final HostProgram host;

  /** The user for whom setpriv was tried on this host with success; null before. */
  private ProgramUser proven;

  /**
   * @param home in whose etc root may name the user
   */
  public UnprivilegedProgram(Path home) {
    this(home.resolve("etc"), HostProgram.USUAL);
  }

  UnprivilegedProgram(Path etc, HostProgram host) {
    this.etc = etc;
    this.host = host;
  }

  /**
   * A command that is not started yet, by a service with the rights of this process.
   *
   * @param command path of the program, and its arguments
   * @param input what it reads; the file is given to the user as whom the program runs
   * @throws RightsKept when rights cannot be dropped
   */
  public ProcessBuilder of(List<String> command, Path input)
      throws IOException, InterruptedException {
    if (isRoot()) {
      ProgramUser user = user();
      Files.setAttribute(input, "unix:gid", user.gid());
      Files.setAttribute(input, UID, user.uid());
    }
    return of(command, input.toFile(), List.of());
  }

  /**
   * The same for a program that reads nothing. Neither it nor what it starts gets rights by a
   * set-user-id bit.
   *
   * @param command path of the program, and its arguments
   * @throws RightsKept when rights cannot be dropped
   */
  public ProcessBuilder bound(List<String> command) throws IOException, InterruptedException {
    return of(command, NOTHING, List.of("--no-new-privs"));
  }

  private ProcessBuilder of(List<String> command, File input, List<String> more)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    String name = System.getProperty("user.name");
    if (isRoot()) {
      ProgramUser user = user();
      all.addAll(dropping(user));
      all.addAll(more);
      name = user.name();
    } else {
      host.find("setsid").ifPresent(all::add);
      Optional<String> setpriv = host.find("setpriv");
      if (!more.isEmpty() && setpriv.isPresent()) {
        all.add(setpriv.get());
        all.addAll(more);
      }
    }
    all.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(all).directory(Path.of("/").toFile()).redirectInput(input);
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(Map.of("PATH", PATH, "HOME", "/", "USER", name, "LOGNAME", name));
    return builder;
  }

  /** Why no program would be started by a service with the rights of this process, in one line. */
  public Optional<String> obstacle() throws IOException, InterruptedException {
    try {
      if (isRoot()) {
        user();
      }
      return Optional.empty();
    } catch (RightsKept e) {
      return Optional.of(e.getMessage());
    }
  }

  static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), UID).equals(0);
  }

  /** As whom programs are run, once it is known that they can be. */
  private ProgramUser user() throws IOException, InterruptedException {
    ProgramUser user = ProgramUser.of(etc, host);
    if (!user.equals(proven)) {
      List<String> trial = new ArrayList<>(dropping(user));
      trial.add(host.require("true", "with which dropping rights is tried"));
      HostProgram.ProgramEnd end = HostProgram.run(trial);
      if (!end.success()) {
        throw new RightsKept("the rights of root cannot be dropped on this host: " + end.said());
      }
      proven = user;
    }
    return user;
  }

  private List<String> dropping(ProgramUser user) throws RightsKept {
    return List.of(
        host.require("setsid", "which gives programs a session of their own (util-linux)"),
        host.require("setpriv", "which drops the rights of root (util-linux)"),
        "--reuid=" + Integer.toUnsignedString(user.uid()),
        "--regid=" + Integer.toUnsignedString(user.gid()),
        "--clear-groups",
        "--inh-caps=-all");
  }
}
