package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueCommandsTest {
  private final FakeSite site = new FakeSite();

  private String sent(int index) {
    ChangeObject change = (ChangeObject) site.sent.get(index).command();
    assertEquals(0, site.sent.get(index).shard());
    assertEquals(ChangeOperation.SET, change.getOperation());
    assertEquals(ObjectKind.QUEUE, change.getKind());
    AttributeChange only = change.getAttributes().get(0);
    return change.getName() + " " + only.getName() + " " + only.getValue();
  }

  @Test
  void eachSetsItsAttributeOfEachQueue() throws Exception {
    site.run("root", "qenable", "workq", "wq1@vm");
    site.run("root", "qdisable", "workq");
    site.put(ObjectKind.QUEUE, "wq1");
    site.run("root", "qstart", "@vm");
    site.run("root", "qstop", "workq");
    assertEquals(0, site.status);
    assertEquals(
        List.of(
            "workq enabled True",
            "wq1 enabled True",
            "workq enabled False",
            "workq started True",
            "wq1 started True",
            "workq started False"),
        List.of(sent(0), sent(1), sent(2), sent(3), sent(4), sent(5)));
  }

  @Test
  void nobodyEndsAnotherServer() throws Exception {
    FakeInvocation run = site.run("root", "qterm", "nosuch");
    assertEquals(
        "Unknown Host.\nqterm: could not connect to server nosuch (15008)\n", run.errors());
    assertEquals(2, site.status);
  }

  @Test
  void aRefusalNamesTheDestination() throws Exception {
    site.refuse(15007, "Unauthorized Request ");
    FakeInvocation run = site.run("pbsu1", "qdisable", "workq");
    assertEquals("qdisable: Unauthorized Request  workq\n", run.errors());
    assertEquals(2, site.status);
    run = site.run("pbsu1", "qstop", "workq@nosuch", "a@b@c");
    assertEquals(
        "Unknown Host.\nqstop: could not connect to server nosuch (15008)\n"
            + "qstop: illegally formed destination: a@b@c\n",
        run.errors());
    assertEquals(1, site.status);
  }

  @Test
  void nobodyEndsASystemFromAfar() throws Exception {
    FakeInvocation run = site.run("pbsu1", "qterm", "-t", "quick");
    assertEquals("qterm: Unauthorized Request  \n", run.errors());
    assertEquals(2, site.status);
    run = site.run("root", "qterm");
    assertTrue(run.errors().contains("./millrace down"), run.errors());
    assertEquals(2, site.status);
    for (String way : List.of("-m", "-f", "-F")) {
      run = site.run("root", "qterm", way);
      assertTrue(run.errors().contains(" is not supported: "), run.errors());
      assertEquals(2, site.status, way);
    }
    for (String way : List.of("quick", "immediate", "delay")) {
      run = site.run("root", "qterm", "-t", way);
      assertTrue(run.errors().contains("./millrace down"), run.errors());
      assertEquals(2, site.status);
    }
    assertEquals(List.of(), site.sent, "nothing is stopped for an end that cannot come");
  }

  @Test
  void whoStartedASystemLeavesWhatEndsIt(@TempDir Path home) throws Exception {
    site.home(home);
    Path program = Files.createDirectories(home.resolve("etc")).resolve("terminate");
    Files.writeString(
        program, "#!/bin/sh\necho ending the server; mkfifo said && echo \"$#\" >said\n");
    assertTrue(program.toFile().setExecutable(true));
    site.run("pbsu1", "qterm");
    assertEquals(2, site.status, "not for everybody");
    FakeInvocation run = site.run("root", "qterm", "-t", "quick", "-s", "-i");
    assertEquals("", run.errors() + run.output());
    assertEquals(0, site.status);
    Path said = home.resolve("said");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!Files.exists(said) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertEquals("0\n", Files.readString(said));
    Path printed = home.resolve("log/qterm.out");
    assertEquals("ending the server\n", Files.readString(printed));
    assertEquals(
        "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(printed)));
  }

  @Test
  void whatKeepsASystemFromEndingIsSaid(@TempDir Path home) throws Exception {
    site.home(home);
    Path program = Files.createDirectories(home.resolve("etc")).resolve("terminate");
    Files.writeString(program, "#!/bin/sh\necho somebody is at work >&2\nexit 3\n");
    assertTrue(program.toFile().setExecutable(true));
    Files.writeString(Files.createDirectories(home.resolve("log")).resolve("qterm.out"), "old\n");
    FakeInvocation run = site.run("root", "qterm");
    assertEquals("qterm: somebody is at work\n", run.errors());
    assertEquals(3, site.status);
    assertEquals("old\nsomebody is at work\n", Files.readString(home.resolve("log/qterm.out")));
  }
}
