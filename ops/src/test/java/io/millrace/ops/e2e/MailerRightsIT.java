package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A manager names the program that sends mail; it has none of the rights of the installation. */
@Order(1) // before those that have thousands of letters wait at night
@Shared(user = "mrmailer", site = "second")
class MailerRightsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** What the program may find in its environment; PWD and those behind it are a shell's own. */
  private static final Set<String> VARIABLES =
      Set.of("PATH", "HOME", "USER", "LOGNAME", "PWD", "SHLVL", "OLDPWD", "_");

  /**
   * Says in key=value lines who it is, and appends them at once. Letters of other classes may have
   * waited for a mailer.
   */
  private static final String MAILER =
      """
      #!/bin/sh
      said=$(
        echo "uid=$(id -u)"
        echo "gid=$(id -g)"
        echo "groups=$(id -G)"
        echo "folder=$(pwd)"
        echo "self=$$"
        echo "session=$(cut -d' ' -f6 /proc/$$/stat)"
        echo "terminal=$(cut -d' ' -f7 /proc/$$/stat)"
        sed -n 's/^Cap\\(Eff\\|Inh\\|Prm\\|Amb\\):[[:space:]]*0*/cap=/p' /proc/$$/status
        for each in $(env | sed -n 's/^\\([A-Za-z_][A-Za-z_0-9]*\\)=.*/\\1/p'); do echo "variable=$each"; done
        for each in /proc/$$/fd/*; do echo "open=$(readlink $each)"; done
        sed -n 's/^Job Name: */job=/p' </dev/stdin
      )
      case $said in *job=rights-*) echo "$said" >>%s ;; esac
      """;

  @Test
  void aManagersProgramHasNoRights(Site site, Account user) throws Exception {
    if (!Account.superuser()) {
      Assumptions.abort("MailerRightsIT: not root, who alone has rights to drop");
    }
    new Scenario(site, user).run();
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Path work;
    private final Path said;
    private final Path who;

    Scenario(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work-mailer");
      this.said = Files.createFile(site.folder().resolve("said-by-mailer"));
      this.who = site.home().root().resolve("etc/program_user");
    }

    void run() throws Exception {
      Files.setPosixFilePermissions(said, PosixFilePermissions.fromString("rw-rw-rw-"));
      Path mailer = site.folder().resolve("mailer-of-a-manager");
      Files.writeString(mailer, MAILER.formatted(said));
      Files.setPosixFilePermissions(mailer, PosixFilePermissions.fromString("rwxr-xr-x"));
      site.qmgr("set server mailer = " + mailer);
      try {
        asNobody(mailer);
        neverAsRoot();
        asWhomRootNames();
      } finally {
        Files.deleteIfExists(who);
        site.qmgr("unset server mailer");
      }
    }

    private void asNobody(Path mailer) throws Exception {
      submit("rights-first");
      Site.await(PATIENCE, "a letter", () -> text().contains("job=rights-first\n"));
      assertEquals(List.of(number("-u", "nobody")), values("uid"));
      assertEquals(List.of(number("-g", "nobody")), values("gid"));
      assertEquals(values("gid"), values("groups"), "no other groups");
      assertEquals(List.of("/"), values("folder"));
      assertEquals(List.of("0"), values("terminal"));
      assertEquals(values("self"), values("session"), "a session of its own");
      assertEquals(List.of("", "", "", ""), values("cap"));
      List<String> variables = values("variable");
      assertTrue(VARIABLES.containsAll(variables), variables.toString());
      for (String open : values("open")) {
        boolean letter = open.contains("/tmp-accounting/") && open.endsWith(".mail");
        assertTrue(
            letter
                || open.equals("/dev/null")
                || open.equals(mailer.toString())
                || open.startsWith("pipe:"),
            open);
      }
    }

    /** A file that names root, or that others may write, has mail wait, and says so. */
    private void neverAsRoot() throws Exception {
      Files.writeString(said, "");
      Files.writeString(who, "root\n");
      submit("rights-second");
      String log = site.home().log("accounting").toString();
      Site.await(
          PATIENCE,
          "the log says why",
          () -> logHas(log, "mail waits: " + who + " names root: that is no user"));
      assertTrue(site.launcher("status", "").out().contains(who + " names root"));
      Files.writeString(who, user.name() + "\n");
      Files.setPosixFilePermissions(who, PosixFilePermissions.fromString("rw-rw-r--"));
      assertTrue(site.launcher("status", "").out().contains(who + " is not read"));
      assertFalse(text().contains("job="), text());
    }

    private void asWhomRootNames() throws Exception {
      Files.setPosixFilePermissions(who, PosixFilePermissions.fromString("rw-r--r--"));
      assertFalse(site.launcher("status", "").out().contains(who.toString()));
      Site.await(PATIENCE, "the letter that waited", () -> text().contains("job=rights-second\n"));
      assertEquals(List.of(number("-u", user.name())), values("uid"));
      assertEquals(values("gid"), values("groups"), "no other groups");
    }

    private void submit(String name) throws Exception {
      site.run(user, work, "qsub -m e -N " + name + " -- /bin/true").must();
    }

    private String number(String option, String name) throws Exception {
      return site.run("id " + option + " -- " + name).must().strip();
    }

    private static boolean logHas(String log, String text) {
      try {
        return Files.readString(Path.of(log)).contains(text);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private List<String> values(String key) {
      String prefix = key + "=";
      return Arrays.stream(text().split("\n"))
          .filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length()))
          .collect(Collectors.toList());
    }

    private String text() {
      try {
        return Files.readString(said);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
