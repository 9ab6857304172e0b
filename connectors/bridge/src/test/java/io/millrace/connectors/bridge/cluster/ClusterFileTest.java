package io.millrace.connectors.bridge.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterFileTest {

  private static final List<String> GOOD =
      List.of(
          "# a cluster",
          "name = c1",
          "system=rust",
          "",
          " spool = /shared/mr ",
          "user.bob@site = bob",
          "user.alice = alice");

  /** A kind of system with one key of its own. */
  private static final class Rust implements OutsideKind {
    @Override
    public String name() {
      return "rust";
    }

    @Override
    public List<ClusterKey> keys() {
      return List.of(
          ClusterKey.optional(
              "oxide", new ClusterKey.TextForm(Pattern.compile("[a-z]+"), "small letters"), "?"),
          ClusterKeys.resources(
              new ClusterKey.TextForm(Pattern.compile("[a-z/]+"), "small letters"), "?"));
    }

    @Override
    public OutsideSystem open(ClusterFile file, CommandRunner runner) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<String> programs() {
      return List.of();
    }

    @Override
    public List<String> programsOfAccounts() {
      return List.of();
    }

    @Override
    public List<CheckLine> check(ClusterFile file, CommandRunner runner) {
      return List.of();
    }
  }

  private static ClusterFile parse(List<String> lines) throws ClusterFault {
    return ClusterFile.parse("F", lines, List.of(new Rust()));
  }

  @Test
  void resourcesByTheirNamesHere() throws ClusterFault {
    assertEquals(Map.of(), parse(GOOD).resources());
    List<String> lines = new ArrayList<>(GOOD);
    lines.add("resource.ngpus = gres/gpu");
    lines.add("resource.scratch = scratch");
    assertEquals(Map.of("ngpus", "gres/gpu", "scratch", "scratch"), parse(lines).resources());
    for (String wrong :
        List.of(
            "resource.ncpus = x",
            "resource.mem = x",
            "resource. = x",
            "resource.a b = x",
            "resource.-a = x",
            "resource.more = $(id)",
            "resource.more = scratch")) {
      List<String> more = new ArrayList<>(lines);
      more.add(wrong);
      String said = assertThrows(ClusterFault.class, () -> parse(more)).getMessage();
      assertEquals(1, said.lines().count(), said);
      assertTrue(said.startsWith("F:10: "), said);
    }
  }

  @Test
  void whatItSays() throws ClusterFault {
    ClusterFile file = parse(GOOD);
    assertEquals("c1", file.name());
    assertEquals("/shared/mr", file.text("spool"));
    assertEquals(20, file.number("command_limit_s"));
    assertEquals(Optional.empty(), file.given("oxide"));
    assertEquals(Map.of("alice", "alice", "bob@site", "bob"), file.users());
    assertEquals("/usr/bin/rq", file.program("rq"));
  }

  private static String fault(String... more) {
    List<String> lines = new ArrayList<>(GOOD);
    lines.addAll(List.of(more));
    return assertThrows(ClusterFault.class, () -> parse(lines)).getMessage();
  }

  @Test
  void keysOfSshGoTogether() throws ClusterFault {
    String[] ssh = {
      "ssh_host = login.example.org",
      "ssh_account = millrace",
      "ssh_key = /etc/mr/key",
      "ssh_known_hosts = /etc/mr/known"
    };
    List<String> lines = new ArrayList<>(GOOD);
    lines.add("transport = ssh");
    assertEquals("F:8: transport = ssh needs 'ssh_host'", fault("transport = ssh"));
    assertEquals("F: ssh_host needs transport = ssh", fault(ssh[0]));
    assertEquals("F: ssh_port needs transport = ssh", fault("ssh_port = 22"));
    assertEquals(
        "F:8: ssh_host, ssh_port, ssh_channels need transport = ssh",
        fault("transport = local", "ssh_channels = 9", "ssh_port = 22", ssh[0]));
    lines.addAll(List.of(ssh));
    ClusterFile file = parse(lines);
    assertEquals("22", file.text(TransportKeys.PORT));
    assertEquals(
        "F:8: ssh_host is the name of a host, not '-oProxyCommand=x'",
        fault("ssh_host = -oProxyCommand=x"));
  }

  @Test
  void keysOfContainersGoTogether() throws ClusterFault {
    String transport = "transport = container";
    String name = "container = master";
    String account = "container_account = millrace";
    assertEquals("F:8: transport = container needs 'container'", fault(transport));
    assertEquals("F:8: transport = container needs 'container_account'", fault(transport, name));
    assertEquals("F: container needs transport = container", fault(name));
    assertEquals(
        "F:8: container, container_account need transport = container",
        fault("transport = local", account, name));
    assertEquals("F: as = engine needs transport = container", fault("as = engine"));
    assertEquals(
        "F:9: ssh_port needs transport = ssh", fault("ssh_port = 22", transport, name, account));
    assertEquals(
        "F:8: container_account = root is not possible: nothing is started as root there; name an"
            + " account that may ask and read",
        fault(transport, name, "container_account = root"));
    assertEquals(
        "F:9: container is the name of a container, not '--privileged'",
        fault(transport, "container = --privileged", account));
    assertEquals(
        "F:8: container = abc1 may be taken for the begin of another one's id, which"
            + " container_sudo = yes does not see before; give it a name with other letters",
        fault(transport, "container = abc1", account, "container_sudo = yes"));
    List<String> lines = new ArrayList<>(GOOD);
    lines.addAll(List.of(transport, name, account, "as = engine"));
    assertEquals(true, parse(lines).commands(Map.of()).byEngine());
  }

  @Test
  void whatIsObservedNeedsNeitherSpoolNorAccounts() throws ClusterFault {
    ClusterFile file = parse(List.of("name = c1", "system = rust", "mode = observe"));
    assertEquals(true, file.observes());
    assertEquals(false, parse(GOOD).observes());
    ClusterFault fault =
        assertThrows(
            ClusterFault.class, () -> parse(List.of("name = c1", "system = rust", "mode = watch")));
    assertEquals(
        "F:3: mode is one of forward, place, reserve, observe, not 'watch'", fault.getMessage());
    assertThrows(
        ClusterFault.class, () -> parse(List.of("name = c1", "system = rust", "mode = forward")));
  }

  @Test
  void whereTheHostIsChosenHereAQueueIsManaged() throws ClusterFault {
    List<String> lines = new ArrayList<>(GOOD);
    lines.add("mode = place");
    assertEquals(
        "F:8: mode = place needs 'queue', the queue there that has jobs from here only",
        assertThrows(ClusterFault.class, () -> parse(lines)).getMessage());
    lines.add("queue = mr.q");
    assertEquals(Optional.of("mr.q"), parse(lines).managedQueue());
    lines.set(7, "mode = reserve");
    assertEquals(
        "F:8: mode = reserve is not possible with rust",
        assertThrows(ClusterFault.class, () -> parse(lines)).getMessage());
    lines.set(7, "mode = forward");
    assertEquals(Optional.empty(), parse(lines).managedQueue());
  }

  /** A line that is put behind the good ones, or in place of one with the same key. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name = C1 | F:2: name is a small letter and up to 14 small letters, digits and hyphens,"
            + " not 'C1'",
        "system = pbs | F:3: system is one of rust, not 'pbs'",
        "spool = shared/mr | F:5: spool is an absolute path of letters, digits, dots, hyphens and"
            + " underscores, not 'shared/mr'",
        "spool = /a/$(id) | F:5: spool is an absolute path of letters, digits, dots, hyphens and"
            + " underscores, not '/a/$(id)'",
        "user.alice = -root | F:7: user.alice is the name of an account, not '-root'",
        "command_limit_s = 0 | F:8: command_limit_s takes a number from 1 to 600, not '0'",
        "command_limit_s = 9999999999999999999 | F:8: command_limit_s takes a number from 1 to 600,"
            + " not '9999999999999999999'",
        "commandLimitS = 5 | F:8: there is no key 'commandLimitS' (is it command_limit_s?) for"
            + " rust",
        "sge_root = /x | F:8: there is no key 'sge_root' for rust",
        "oxide = A | F:8: oxide is small letters, not 'A'",
        "starter = /usr/lib/x | F:8: starter is what sudo starts in the names of accounts: it needs"
            + " as = sudo",
        "as = root | F:8: as is one of self, sudo, engine, not 'root'",
        "nonsense | F:8: this is not KEY = VALUE",
        "=5 | F:8: this is not KEY = VALUE",
        "user. = alice | F:8: there is no key 'user.' (is it user.NAME?) for rust",
      })
  void badInput(String line, String said) {
    List<String> lines = new ArrayList<>(GOOD);
    String key = line.split("=")[0].strip();
    int at = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (!key.isEmpty() && lines.get(i).split("=")[0].strip().equals(key)) {
        at = i;
      }
    }
    if (at >= 0) {
      lines.set(at, line);
    } else {
      lines.add(line);
    }
    ClusterFault fault = assertThrows(ClusterFault.class, () -> parse(lines));
    assertEquals(said, fault.getMessage());
  }

  @Test
  void whatIsMissingIsNamed() {
    for (int i : List.of(1, 2, 4)) {
      List<String> lines = new ArrayList<>(GOOD);
      String key = lines.remove(i).split("=")[0].strip();
      assertEquals(
          "F: " + key + " is missing",
          assertThrows(ClusterFault.class, () -> parse(lines)).getMessage());
    }
    List<String> nobody = GOOD.subList(0, 5);
    assertEquals(
        "F: user.NAME is missing",
        assertThrows(ClusterFault.class, () -> parse(nobody)).getMessage());
  }

  @Test
  void twiceTheSameKeyIsRefused() {
    List<String> lines = new ArrayList<>(GOOD);
    lines.add("name = c2");
    assertEquals(
        "F:8: name stands in line 2 already",
        assertThrows(ClusterFault.class, () -> parse(lines)).getMessage());
  }
}
