package io.millrace.server.unprivileged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program finds that a service of root starts, and when it is not started. */
final class UnprivilegedProgramTest {

  private static final String SAYS_ALL =
      """
      id -u; id -g; id -G; pwd
      [ $$ = $(cut -d' ' -f6 /proc/$$/stat) ] && echo leads its session
      cut -d' ' -f7 /proc/$$/stat
      n=0; while [ $n -lt 500 ]; do [ ! -e /proc/$$/fd/$n ] || echo open $n; n=$((n + 1)); done
      env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | sort
      cat /dev/stdin
      """;

  @TempDir Path folder;
  private Path etc;
  private Path named;
  private Path input;

  @BeforeEach
  void prepare() throws IOException {
    etc = Files.createDirectory(folder.resolve("etc"));
    Files.setPosixFilePermissions(etc, PosixFilePermissions.fromString("rwxr-xr-x"));
    named = etc.resolve("program_user");
    input = Files.writeString(folder.resolve("input"), "a letter\n");
    Files.setPosixFilePermissions(input, PosixFilePermissions.fromString("rw-------"));
  }

  private static void rootOnly() throws IOException {
    Assumptions.assumeTrue(
        UnprivilegedProgram.isRoot(), "needs root, who alone has rights to drop");
  }

  private UnprivilegedProgram programs() {
    return new UnprivilegedProgram(etc, HostProgram.USUAL);
  }

  private String said(String line) throws IOException, InterruptedException {
    Process process =
        programs().of(List.of("/bin/sh", "-c", line), input).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String entry(String name, int field) throws IOException, InterruptedException {
    return HostProgram.run(List.of("/usr/bin/getent", "passwd", name)).said().split(":")[field];
  }

  private void name(String text, String permissions) throws IOException {
    Files.writeString(named, text);
    Files.setPosixFilePermissions(named, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void aProgramOfRootHasNoRights() throws Exception {
    rootOnly();
    String uid = entry("nobody", 2);
    String gid = entry("nobody", 3);
    assertEquals(
        List.of(
            uid,
            gid,
            gid,
            "/",
            "leads its session",
            "0",
            "open 0",
            "open 1",
            "open 2",
            "HOME=/",
            "LOGNAME=nobody",
            "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
            "USER=nobody",
            "a letter"),
        said(SAYS_ALL).lines().toList());
    String capabilities = said("grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status");
    assertEquals(4, capabilities.lines().filter(it -> it.matches("\\w+:\\s+0+")).count());
    assertTrue(said("cat " + folder + "/input").contains("Permission denied"), "root's folder");
  }

  @Test
  void rootNamesAnotherUser() throws Exception {
    rootOnly();
    name("# sends mail\n\n daemon \n", "rw-r--r--");
    assertEquals(entry("daemon", 2) + "\n", said("id -u"));
    assertEquals(Optional.empty(), programs().obstacle());
  }

  @Test
  void whatIsNotRootsAloneOrNamesRootStartsNothing() throws Exception {
    rootOnly();
    name("root\n", "rw-r--r--");
    refused(named + " names root: that is no user without privileges");
    name("0\n", "rw-r--r--");
    refused(named + " is to have one line, the name of a user");
    name("daemon\nbin\n", "rw-r--r--");
    refused(named + " is to have one line, the name of a user");
    name("no-such-user\n", "rw-r--r--");
    refused(named + " names no-such-user, who is no user of this host");
    name("daemon\n", "rw-rw-r--");
    refused(notRead());
    name("daemon\n", "rw-r--rw-");
    refused(notRead());
    name("daemon\n", "rw-r--r--");
    Files.setAttribute(named, "unix:uid", 1);
    refused(notRead());
    Files.setAttribute(named, "unix:uid", 0);
    Files.setPosixFilePermissions(etc, PosixFilePermissions.fromString("rwxrwxr-x"));
    refused(notRead());
    Files.setPosixFilePermissions(etc, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(named, folder.resolve("elsewhere"));
    Files.createSymbolicLink(named, folder.resolve("elsewhere"));
    refused(notRead());
  }

  private String notRead() {
    return named
        + " is not read: it must be a file of root in a folder of root, writable by no other";
  }

  private void refused(String why) throws Exception {
    UnprivilegedProgram programs = programs();
    List<String> command = List.of("/bin/true");
    assertEquals(
        why, assertThrows(RightsKept.class, () -> programs.of(command, input)).getMessage());
    assertEquals(Optional.of(why), programs.obstacle());
    assertEquals(0, Files.getAttribute(input, "unix:uid"), "nothing is given away");
  }

  @Test
  void aUserWithRootsNumberIsRoot() throws Exception {
    rootOnly();
    for (String numbers : List.of("0:7", "7:0")) {
      Path tools = tools("sh", "setsid", "setpriv", "true");
      program(tools.resolve("getent"), "echo toor:x:" + numbers + "::/:/bin/sh");
      name("toor\n", "rw-r--r--");
      UnprivilegedProgram programs = new UnprivilegedProgram(etc, new HostProgram(List.of(tools)));
      assertEquals(
          Optional.of(named + " names toor: that is no user without privileges"),
          programs.obstacle());
    }
  }

  @Test
  void withoutSetprivOrWhereItDoesNotDropNothingIsStarted() throws Exception {
    rootOnly();
    Path tools = tools("getent", "setsid", "true");
    UnprivilegedProgram none = new UnprivilegedProgram(etc, new HostProgram(List.of(tools)));
    assertEquals(
        Optional.of(
            "there is no setpriv on this host, which drops the rights of root (util-linux)"),
        none.obstacle());
    assertThrows(RightsKept.class, () -> none.of(List.of("/bin/true"), input));
    program(tools.resolve("setpriv"), "echo \"setpriv: unrecognized option: reuid\" >&2; exit 1");
    assertEquals(
        Optional.of(
            "the rights of root cannot be dropped on this host: "
                + "setpriv: unrecognized option: reuid"),
        none.obstacle());
  }

  @Test
  void aServiceThatIsNotRootStartsThemAsItself() throws Exception {
    if (UnprivilegedProgram.isRoot()) {
      Assumptions.abort("needs another user than root");
    }
    name("daemon\n", "rw-r--r--");
    assertEquals(System.getProperty("user.name") + "\n", said("id -un"));
    assertEquals(Optional.empty(), programs().obstacle());
  }

  private Path tools(String... names) throws IOException {
    Path tools = Files.createTempDirectory(folder, "tools");
    for (String name : names) {
      Files.createSymbolicLink(tools.resolve(name), Path.of("/usr/bin", name));
    }
    return tools;
  }

  private static void program(Path path, String line) throws IOException {
    Files.writeString(path, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
