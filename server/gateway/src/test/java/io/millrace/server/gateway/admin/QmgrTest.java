package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class QmgrTest {

  private final FakeSite site = new FakeSite();

  private FakeInvocation qmgr(String directive) throws Exception {
    return site.run("root", "qmgr", "-c", directive);
  }

  private ChangeObject change(int index) {
    return (ChangeObject) site.sent.get(index).command();
  }

  @Test
  void createsSeveralObjectsWithAttributes() throws Exception {
    qmgr("c q wq1,wq2 queue_type=e,enabled=t,started=t,partition=P2");
    assertEquals(0, site.status);
    assertEquals(2, site.sent.size());
    assertEquals(0, site.sent.get(0).shard());
    assertEquals(ChangeOperation.CREATE, change(0).getOperation());
    assertEquals(ObjectKind.QUEUE, change(0).getKind());
    assertEquals("wq1", change(0).getName());
    assertEquals("wq2", change(1).getName());
    assertEquals(4, change(1).getAttributes().size());
    assertEquals("P2", change(1).getAttributes().get(3).getValue());
  }

  @Test
  void understandsOperatorsQuotesAndAbsentNames() throws Exception {
    qmgr("set server managers += \"a@*,b@*\"");
    assertEquals("server", change(0).getName());
    assertEquals(AttributeOperation.ADD, change(0).getAttributes().get(0).getOperation());
    assertEquals("a@*,b@*", change(0).getAttributes().get(0).getValue());
    qmgr("s sched scheduling=False");
    assertEquals("default", change(1).getName());
    qmgr("s s default_queue = workq");
    assertEquals("workq", change(2).getAttributes().get(0).getValue());
    qmgr("u n vm[0] partition,queue");
    assertEquals(ChangeOperation.UNSET, change(3).getOperation());
    assertEquals("vm[0]", change(3).getName());
    assertEquals(2, change(3).getAttributes().size());
    qmgr("s n vm[4] resources_available.ncpus=8,comment=\"hello there\"");
    assertEquals("hello there", change(4).getAttributes().get(1).getValue());
    qmgr("c sched");
    assertEquals("default", change(5).getName());
  }

  @Test
  void refusalsHaveTheFormOfQmgr() throws Exception {
    site.refuse(15211, "Scheduler already exists");
    assertEquals(
        """
        qmgr obj=m1 svr=default: Scheduler already exists
        qmgr: Error (15211) returned from server
        """,
        qmgr("c sched m1").errors());
    assertEquals(107, site.status);
    site.refuse(15003, "Cannot set attribute, read only or insufficient permission  state");
    assertEquals(
        """
        qmgr obj= svr=default: Cannot set attribute, read only or insufficient permission  state
        qmgr: Error (15003) returned from server
        """,
        qmgr("s sched state=idle").errors());
    assertEquals(155, site.status);
    site.refuse(15028);
    assertEquals(
        "qmgr: Error (15028) returned from server\n", qmgr("c q abcdefghijklmnop").errors());
  }

  @Test
  void aPresetThatQsubCouldNotObeyIsRefused() throws Exception {
    for (String wrong :
        List.of(
            "-l select",
            "-l wallime=1:00",
            "-l walltime=abc",
            "-q nosuch",
            "-P a:b",
            "-N 'open",
            "job.sh",
            "-?",
            "-p 9999",
            "-C x",
            "-I",
            "-J 1-3")) {
      String directive = "s s default_qsub_arguments = \"" + wrong + "\"";
      String errors = qmgr(directive).errors();
      assertTrue(
          errors.endsWith(
              """
              qmgr obj= svr=default: Illegal attribute or resource value
              qmgr: Error (15014) returned from server
              """),
          directive + ": " + errors);
      assertEquals(15014 & 0xFF, site.status, directive);
    }
    assertEquals(List.of(), site.sent);
    for (String why :
        List.of("-S bash: illegal -S value", "-C x: -C cannot be preset", "a: options only: a")) {
      String text = why.substring(0, why.indexOf(':'));
      String told = qmgr("s s default_qsub_arguments = \"" + text + "\"").errors();
      String expected = "qmgr: default_qsub_arguments: " + why.substring(text.length() + 2) + "\n";
      assertTrue(told.startsWith(expected), told);
    }
    qmgr("s s default_qsub_arguments = \"-l select=2 -W block=true\"");
    assertEquals(0, site.status);
    assertEquals("-l select=2 -W block=true", change(0).getAttributes().get(0).getValue());
    qmgr("u s default_qsub_arguments");
    assertEquals(0, site.status);
    assertEquals(2, site.sent.size());
  }

  @Test
  void listsAndPrints() throws Exception {
    site.put(
        ObjectKind.QUEUE,
        "wq1",
        "queue_type",
        "Execution",
        "enabled",
        "True",
        "started",
        "True",
        "partition",
        "P1");
    assertEquals(
        """
        Queue wq1
            queue_type = Execution
            total_jobs = 0
            state_count = Transit:0 Queued:0 Held:0 Waiting:0 Running:0 Exiting:0 Begun:0\s
            enabled = True
            started = True
            partition = P1

        """,
        qmgr("l q wq1").output());
    assertEquals(
        """
        #
        # Create queues and set their attributes.
        #
        #
        # Create and define queue wq1
        #
        create queue wq1
        set queue wq1 queue_type = Execution
        set queue wq1 enabled = True
        set queue wq1 started = True
        set queue wq1 partition = P1
        """,
        qmgr("p q wq1").output());
    assertEquals("Queue wq1\n    partition = P1\n\n", qmgr("l q wq1 partition").output());
    assertEquals("No Active Queues, nothing done.\n", qmgr("l q").errors());
    assertEquals("", qmgr("l sched nosuch").output());
    FakeInvocation unknown = qmgr("l q nosuch");
    assertTrue(unknown.errors().startsWith("qmgr obj=nosuch svr=default: Unknown queue\n"));
    assertEquals(1, site.status);
    site.put(ObjectKind.SCHEDULER, "s2", "scheduling", "False", "partition", "P1,P3");
    assertEquals(
        "Sched s2\n    state = down\n    scheduling = False\n\n",
        qmgr("l sched s2 scheduling,state").output());
    assertTrue(qmgr("p sched s2").output().contains("set sched s2 partition = \"P1,P3\"\n"));
  }

  @Test
  void whatHasNoNameButAServerIsAllOfAKind() throws Exception {
    site.put(ObjectKind.SCHEDULER, "default", "scheduling", "True");
    site.put(ObjectKind.SCHEDULER, "s7", "scheduling", "True");
    site.put(ObjectKind.SCHEDULER, "s8", "scheduling", "True");
    qmgr("d sched @default");
    assertEquals(List.of("s7", "s8"), List.of(change(0).getName(), change(1).getName()));
    qmgr("s sched @default scheduling=false");
    assertEquals("default", change(2).getName());
    assertEquals(5, site.sent.size());
    assertEquals("qmgr: delete needs a name\n", qmgr("d sched").errors());
  }

  @Test
  void aDeletionWithoutANameMeansTheActiveObjectsOfWhichThereMayBeNone() throws Exception {
    assertEquals("No Active Queues, nothing done.\n", qmgr("d q").errors());
    assertEquals("No Active Nodes, nothing done.\n", qmgr("d n").errors());
    assertEquals(0, site.status);
    assertEquals("", site.run("root", "qmgr", "-z", "-c", "d q").errors());
    assertEquals("", site.run("root", "qmgr", "-z", "-c", "l q nosuch").errors());
    assertEquals(1, site.status);
    assertEquals(List.of(), site.sent);
    site.refuse(15004, "Invalid request");
    assertEquals(
        """
        qmgr obj= svr=default: Invalid request
        qmgr: Error (15004) returned from server
        """,
        qmgr("d s").errors());
    assertEquals(156, site.status);
    assertEquals(ChangeOperation.DELETE, change(0).getOperation());
    assertEquals(ObjectKind.SERVER, change(0).getKind());
    assertEquals("qmgr: No object type given\n", qmgr("active").errors());
    assertEquals(2, site.status);
  }

  @Test
  void withAAnErrorEndsItAndTheStatusTellsWhetherItWasRead() throws Exception {
    site.run("root", "qmgr", "-a", "-c", "c q 1abc");
    assertEquals(1, site.status);
    site.run("root", "qmgr", "-a", "-c", "l q @nosuch");
    assertEquals(2, site.status);
    site.refuse(15018, "Unknown queue");
    site.run("root", "qmgr", "-a", "-c", "d q nosuch,workq");
    assertEquals(2, site.status);
    assertEquals(1, site.sent.size(), "the first refusal is the end");
    FakeInvocation unread =
        new FakeInvocation("root", List.of("qmgr", "-a"), new HashMap<>(), site.id());
    site.run(unread.stdin("bogus q\nc sched never\n"));
    assertEquals(1, site.status);
    FakeInvocation refused =
        new FakeInvocation("root", List.of("qmgr", "-a"), new HashMap<>(), site.id());
    site.run(refused.stdin("d q nosuch\nc sched never\n"));
    assertEquals(2, site.status);
    assertEquals(2, site.sent.size());
  }

  @Test
  void anotherServerIsNotReached() throws Exception {
    String unknown = "Unknown Host.\nqmgr: cannot connect to server nosuch\n";
    for (String directive :
        List.of("l q @nosuch", "l q workq@nosuch", "d n @nosuch", "p q@nosuch", "a s nosuch")) {
      assertEquals(unknown, qmgr(directive).errors(), directive);
      assertEquals(1, site.status, directive);
      site.run("root", "qmgr", "-n", "-c", directive);
      assertEquals(0, site.status, "nothing is reached for");
    }
    assertEquals(unknown, site.run("root", "qmgr", "nosuch", "-c", "l s").errors());
    assertEquals(3, site.status);
    assertEquals(List.of(), site.sent);
  }

  /** Behind a node's name only this server's own name is that of a server. */
  @Test
  void aNodeOfAnOutsideClusterIsNoOtherServers() throws Exception {
    assertEquals("", qmgr("s n n1@c1 comment=x").errors());
    assertEquals(0, site.status);
    assertTrue(site.sent.toString().contains("n1@c1"), site.sent::toString);
  }

  @Test
  void hooksAreRefusedByName() throws Exception {
    for (String line : List.of("l h", "c hook h1", "l pbshook")) {
      assertTrue(qmgr(line).errors().contains("\nThere are no hooks: "), line);
      assertEquals(2, site.status);
    }
    assertTrue(qmgr("export hook h1").errors().contains("\nThere are no hooks: "));
    assertEquals(1, site.status);
    assertEquals(
        "qmgr: Syntax error\nexport sched sc2\n                 ^\n",
        qmgr("export sched sc2").errors(),
        "other objects are neither written out nor read in");
    assertEquals(4, site.status);
    assertEquals("qmgr: No object type given\n", qmgr("import").errors());
    assertEquals(2, site.status);
  }

  @Test
  void theStateOfANodeIsPrintedWhenItCanBeSet() throws Exception {
    site.put(ObjectKind.NODE, "n1", "state", "offline");
    assertTrue(qmgr("p n n1").output().contains("set node n1 state = offline\n"));
    site.put(ObjectKind.NODE, "n2");
    assertFalse(qmgr("p n n2").output().contains(" state = "), "no executor ever came up");
  }

  @Test
  void aSchedulerInAProcessOfItsOwnTellsItsHost() throws Exception {
    site.put(ObjectKind.SCHEDULER, "s2", "partition", "P1");
    Scheduler run = Scheduler.newBuilder().setName("s2").setEpoch(4L).setHost("far").build();
    site.schedulers.add(run);
    assertEquals("Sched s2\n    state = idle\n\n", qmgr("l sched s2 sched_host,state").output());
    run.setApart(true);
    assertEquals("Sched s2\n    sched_host = far\n\n", qmgr("l sched s2 sched_host").output());
  }

  @Test
  void serverIsPrintedWithItsQueues() throws Exception {
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "default_queue",
        "workq",
        "scheduling",
        "True",
        "managers",
        "root@*,me@*");
    String printed = qmgr("p s").output();
    assertTrue(printed.startsWith("#\n# Create queues and set their attributes.\n#\n"), printed);
    assertTrue(
        printed.contains(
            "#\n# Set server attributes.\n#\nset server scheduling = True\n"
                + "set server managers = root@*\nset server managers += me@*\n"
                + "set server default_queue = workq\n"),
        printed);
  }

  @Test
  void ofEachWordAnyBeginningWillDo() throws Exception {
    qmgr("cre queues q1");
    assertEquals(ChangeOperation.CREATE, change(0).getOperation());
    assertEquals(ObjectKind.QUEUE, change(0).getKind());
    qmgr("delet nod n1");
    assertEquals(ChangeOperation.DELETE, change(1).getOperation());
    assertEquals(ObjectKind.NODE, change(1).getKind());
    qmgr("se nodes n1 comment=x");
    assertEquals(ObjectKind.NODE, change(2).getKind());
    qmgr("uns sc default scheduling");
    assertEquals(ObjectKind.SCHEDULER, change(3).getKind());
    qmgr("set ser comment=x");
    assertEquals(ObjectKind.SERVER, change(4).getKind());
    qmgr("crea res r1");
    assertEquals(ObjectKind.RESOURCE, change(5).getKind());
    assertTrue(qmgr("pri queues workq").output().contains("create queue workq\n"));
    assertEquals(
        "qmgr: Illegal operation: sets\nTry 'help' if you are having trouble.\n",
        qmgr("sets q workq enabled=true").errors());
    assertEquals("qmgr: Illegal object type: queuess.\n", qmgr("c queuess q").errors());
    assertEquals(2, site.status);
    assertEquals("qmgr: No object type given\n", qmgr("create").errors());
    assertEquals(2, site.status);
    assertTrue(qmgr("e hook h1").errors().contains("\nThere are no hooks: "));
    assertEquals(6, site.sent.size());
  }

  @Test
  void aLineOfInputHasSeveralDirectivesAndARemark() throws Exception {
    FakeInvocation input = new FakeInvocation("root", List.of("qmgr"), new HashMap<>(), site.id());
    site.run(
        input.stdin(
            "c q a; c q b # c q never; c q never\n"
                + "# c q never \\\n"
                + "s q a comment=\"x; # y\";s q a route_destinations=b#c; qui; c q never\n"));
    assertEquals("", input.errors());
    assertEquals(4, site.sent.size());
    assertEquals("a", change(0).getName());
    assertEquals("b", change(1).getName());
    assertEquals("x; # y", change(2).getAttributes().get(0).getValue());
    assertEquals("b#c", change(3).getAttributes().get(0).getValue());
  }

  @Test
  void whatWouldBeReadAsMoreThanLettersIsPrintedInQuotes() throws Exception {
    site.put(ObjectKind.NODE, "n1", "comment", "fan;#2");
    assertTrue(qmgr("p n n1").output().contains("set node n1 comment = \"fan;#2\"\n"));
  }

  @Test
  void directivesFromInput() throws Exception {
    FakeInvocation all =
        new FakeInvocation("root", List.of("qmgr", "-e"), new HashMap<>(), site.id())
            .stdin(
                "c sched sc2\n\n# none\nbogus q # why; not\n"
                    + "s q workq \\\n priority=1; l q workq enabled\nquit\nc sched never\n");
    site.run(all);
    assertEquals(0, site.status);
    assertEquals(2, site.sent.size());
    assertEquals(
        """
        Max open servers: 49
        c sched sc2
        bogus q
        s q workq   priority=1
        l q workq enabled
        Queue workq
            enabled = True

        quit
        """,
        all.output());
    assertTrue(all.errors().contains("qmgr: Illegal operation: bogus\n"), all.errors());
    String echoed = site.run("root", "qmgr", "-e", "-c", "l q workq enabled").output();
    assertEquals("l q workq enabled\nQueue workq\n    enabled = True\n\n", echoed);
  }

  @Test
  void theLastDirectiveOfTheInputSaysTheStatus() throws Exception {
    for (String[] input :
        new String[][] {
          {"x\n", "1"},
          {"c q 1abc\n", "3"},
          {"c q 1abc\nl q workq enabled\n", "0"},
          {"l q workq enabled\nl q workq nosuch\n\n", "1"},
          {"help\n", "255"},
          {"x\nquit\n", "0"}
        }) {
      FakeInvocation all = new FakeInvocation("root", List.of("qmgr"), new HashMap<>(), site.id());
      site.run(all.stdin(input[0]));
      assertEquals(Integer.parseInt(input[1]), site.status, input[0] + all.errors());
    }
    qmgr("");
    assertEquals(255, site.status);
  }

  /** As PBS reads them: a word that no object has as an attribute is a name. */
  @Test
  void wordsThatAreNoAttributesAreNames() throws Exception {
    site.put(ObjectKind.QUEUE, "workq", "enabled", "True");
    String[][] wrong = {
      {"s s nosuch=5", "11"},
      {"u s nosuch", "10"},
      {"s q nosuch=1", "11"},
      {"s q workq max_run=5", "18"},
      {"s s max_run=[x:a=1]", "13"},
      {"s s max_run=[u:a=-1]", "17"},
      {"s s max_queued=[u:PBS_ALL=5", "27"},
      {"s q workq enabled=", "18"},
      {"u q workq enabled=True", "18"},
      {"s q workq comment=\"abc", "18"}
    };
    for (String[] line : wrong) {
      assertEquals(
          "qmgr: Syntax error\n" + line[0] + "\n" + " ".repeat(Integer.parseInt(line[1])) + "^\n",
          qmgr(line[0]).errors());
      assertEquals(4, site.status, line[0]);
    }
    assertEquals(
        "Unknown Host.\nqmgr: cannot connect to server nosuch\n", qmgr("l s nosuch").errors());
    assertEquals(1, site.status);
    assertEquals(List.of(), site.sent);
    qmgr("s q workq partition=\"\"");
    qmgr("s s max_run = [u:PBS_GENERIC=3],max_queued=\"[o:PBS_ALL=9], [g:x=2]\"");
    assertEquals(0, site.status);
    assertEquals(2, site.sent.size());
  }

  @Test
  void whatHasNoSuchAttributeIsNotListed() throws Exception {
    site.put(ObjectKind.QUEUE, "workq", "enabled", "True");
    for (String line : List.of("l q workq nosuch", "p q workq scheduling")) {
      FakeInvocation told = qmgr(line);
      assertEquals("", told.output());
      assertEquals(
          """
          qmgr obj=workq svr=default: Undefined attribute\s
          qmgr: Error (15002) returned from server
          """,
          told.errors());
      assertEquals(1, site.status);
    }
    assertEquals(
        """
        qmgr obj=nosuch svr=default: Unknown resource
        qmgr: Error (15035) returned from server
        """,
        qmgr("p r nosuch").errors());
    assertEquals(1, site.status);
    assertEquals("Queue workq\n\n", qmgr("l q workq alt_router").output());
    assertEquals(0, site.status);
  }

  @Test
  void anAttributeOfTheServerIsPrintedAlone() throws Exception {
    site.put(ObjectKind.QUEUE, "workq", "enabled", "True");
    site.put(ObjectKind.SERVER, "server", "scheduling", "True");
    assertEquals(
        "#\n# Set server attributes.\n#\nset server scheduling = True\n",
        qmgr("p s scheduling").output());
  }

  @Test
  void inputWithoutLineEndsIsNotReadToItsEnd() throws Exception {
    FakeInvocation endless =
        new FakeInvocation("root", List.of("qmgr"), new HashMap<>(), site.id());
    site.run(endless.stdin("x".repeat(1 << 20)));
    assertEquals("qmgr: line 1 has more than 262144 bytes\n", endless.errors());
    assertEquals(1, site.status);
  }

  @Test
  void aDirectiveThatEndsWithABackslashAtTheEndOfTheInputIsCarriedOut() throws Exception {
    FakeInvocation input = new FakeInvocation("root", List.of("qmgr"), new HashMap<>(), site.id());
    site.run(input.stdin("set queue workq \\\n priority = 5 \\"));
    assertEquals("", input.errors());
    assertEquals(1, site.sent.size());
  }
}
