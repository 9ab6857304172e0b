package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.local.run.RefusedRun;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose job a run becomes, and that nobody's leaves who may not. */
class OutsideAccountsTest {

  @TempDir Path folder;

  /** A system that nothing is asked of. */
  static final class NoSystem implements OutsideKind {
    @Override
    public String name() {
      return "none";
    }

    @Override
    public List<ClusterKey> keys() {
      return List.of();
    }

    @Override
    public OutsideSystem open(ClusterFile file, CommandRunner runner) {
      throw new AssertionError("nobody asks for it");
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

  private ClusterFile cluster(String... users) throws Exception {
    List<String> lines = new ArrayList<>(List.of("name = c1", "system = none", "spool = /shared"));
    lines.addAll(List.of(users));
    Path file = Files.write(folder.resolve("c1"), lines);
    return ClusterFile.read(file, List.of(new NoSystem()));
  }

  private OutsideAccounts accounts(OutsideAnswer.ProcessEnding ending, int status, String uid)
      throws Exception {
    return new OutsideAccounts(
        cluster("user.alice = alice2", "user.boss = root"),
        command -> new OutsideAnswer(ending, status, uid, "", Duration.ofMillis(1)));
  }

  private RefusedRun refused(OutsideAccounts accounts, String user) {
    RefusedRun refusal = assertThrows(RefusedRun.class, () -> accounts.of(user));
    assertEquals(RefusedRun.BAD_OWNER, refusal.exitStatus());
    return refusal;
  }

  @Test
  void theTableNamesTheAccount() throws Exception {
    assertEquals("alice2", accounts(OutsideAnswer.ProcessEnding.EXITED, 0, "1000\n").of("alice"));
  }

  /** Many runs of one user come one after another; each question is a program to start. */
  @Test
  void whoMayHaveJobsIsNotAskedForWithEachRun() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    OutsideAccounts accounts =
        new OutsideAccounts(
            cluster("user.alice = alice2", "user.bob = bob"),
            command -> {
              asked.incrementAndGet();
              String uid = command.words().contains("bob") ? "0\n" : "1000\n";
              return new OutsideAnswer(
                  OutsideAnswer.ProcessEnding.EXITED, 0, uid, "", Duration.ofMillis(1));
            });
    for (int i = 0; i < 5; i++) {
      assertEquals("alice2", accounts.of("alice"));
    }
    assertEquals(1, asked.get());
    refused(accounts, "bob");
    refused(accounts, "bob");
    assertEquals(3, asked.get(), "a refusal is not remembered");
  }

  @Test
  void noEntryRootAndAccountsOfTheSystemAreRefused() throws Exception {
    String none =
        refused(accounts(OutsideAnswer.ProcessEnding.EXITED, 0, "1000\n"), "alice2").getMessage();
    assertTrue(none.contains("alice2 has no account in cluster c1"), none);
    refused(accounts(OutsideAnswer.ProcessEnding.EXITED, 0, "0\n"), "boss");
    refused(accounts(OutsideAnswer.ProcessEnding.EXITED, 0, "999\n"), "alice");
  }

  /** A host whose accounts are in a directory, but for root. */
  private final class DirectoryHost implements CommandRunner {
    private final Set<String> known = new HashSet<>();

    @Override
    public OutsideAnswer run(OutsideCommand command) {
      boolean is = known.contains(command.words().get(3));
      return new OutsideAnswer(
          OutsideAnswer.ProcessEnding.EXITED,
          is ? 0 : 1,
          is ? "1000\n" : "",
          is ? "" : "id: no such user",
          Duration.ofMillis(1));
    }

    @Override
    public OutsideFiles files() {
      return (OutsideFiles)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {OutsideFiles.class},
              (proxy, method, arguments) ->
                  method.isDefault()
                      ? InvocationHandler.invokeDefault(proxy, method, arguments)
                      : OutsideFiles.here().open(folder.resolve("etc" + arguments[0])));
    }
  }

  /** That is no word on one account: the run waits, with those of the others. */
  @Test
  void aDirectoryThatKnowsNobodyHasRefusedNobody() throws Exception {
    Path etc = Files.createDirectories(folder.resolve("etc/etc"));
    Files.writeString(etc.resolve("nsswitch.conf"), "passwd: files ldap\n");
    Files.writeString(etc.resolve("passwd"), "root:x:0:0::/root:/bin/sh\nlocal:x:1001:1::/:\n");
    DirectoryHost host = new DirectoryHost();
    OutsideAccounts accounts =
        new OutsideAccounts(
            cluster("user.alice = alice2", "user.carl = local", "user.bob = bob"), host);
    host.known.add("local");
    assertThrows(IOException.class, () -> accounts.of("alice"));
    host.known.add("bob");
    refused(accounts, "alice");
    Files.writeString(etc.resolve("nsswitch.conf"), "passwd: files\n");
    host.known.clear();
    refused(accounts, "alice");
  }

  @Test
  void anAnswerThatDoesNotComeIsNoRefusal() throws Exception {
    OutsideAccounts silent = accounts(OutsideAnswer.ProcessEnding.TIMED_OUT, -1, "");
    assertThrows(IOException.class, () -> silent.of("alice"));
  }
}
