package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActiveObjectsTest {
  private final FakeSite site = new FakeSite();

  private FakeInvocation session(String directives) throws Exception {
    return site.run(
        new FakeInvocation("root", List.of("qmgr"), new HashMap<>(), site.id()).stdin(directives));
  }

  private ChangeObject change(int index) {
    return (ChangeObject) site.sent.get(index).command();
  }

  @Test
  void directivesWithoutNamesMeanTheActiveObjects() throws Exception {
    site.put(ObjectKind.QUEUE, "q1", "enabled", "False");
    site.put(ObjectKind.QUEUE, "q2", "enabled", "False");
    FakeInvocation said =
        session(
            """
            active queue q1,q2
            set queue enabled=true
            unset q max_run
            list queue enabled
            set queue workq started=true
            """);
    assertEquals("", said.errors());
    assertEquals(5, site.sent.size());
    assertEquals("q1", change(0).getName());
    assertEquals("q2", change(1).getName());
    assertEquals("enabled", change(1).getAttributes().get(0).getName());
    assertEquals(ChangeOperation.UNSET, change(2).getOperation());
    assertEquals("q1", change(2).getName());
    assertEquals("max_run", change(2).getAttributes().get(0).getName());
    assertEquals("workq", change(4).getName());
    assertTrue(
        said.output()
            .endsWith("Queue q1\n    enabled = False\n\nQueue q2\n    enabled = False\n\n"),
        said.output());
  }

  @Test
  void eachKindHasItsOwnAndTheNextChoiceReplacesIt() throws Exception {
    site.put(ObjectKind.SCHEDULER, "s2", "scheduling", "False");
    FakeInvocation said =
        session(
            """
            a sched s2
            s sched scheduling=true
            a n n1,n2
            a n n3
            s n comment=x
            set queue enabled=true
            """);
    assertEquals("No Active Queues, nothing done.\n", said.errors());
    assertEquals(2, site.sent.size());
    assertEquals("s2", change(0).getName());
    assertEquals("n3", change(1).getName());
  }

  @Test
  void whatIsActiveIsShown() throws Exception {
    FakeInvocation said =
        session(
            "active queue q1,q2\nactive queue\na n @default\na node\nactive sched\na s\nactive\n");
    assertEquals(
        """
        Max open servers: 49
        Active queues:
        q1@active
        q2@active
        Active nodes:
        @default
        Active schedulers:
        Active servers:
        default
        """,
        said.output());
    assertEquals("qmgr: No object type given\n", said.errors());
  }

  @Test
  void allQueuesCanBeActive() throws Exception {
    site.put(ObjectKind.QUEUE, "q1", "enabled", "False");
    String said = session("active queue @default\nlist queue enabled\n").output();
    assertTrue(said.contains("Queue q1\n") && said.contains("Queue workq\n"), said);
  }

  @Test
  void refusals() throws Exception {
    assertEquals(
        "Unknown Host.\nqmgr: cannot connect to server far\n",
        session("active server far\n").errors());
    assertEquals("", session("active server vm\nactive server default\n").errors());
    assertEquals("qmgr: Illegal object type: resource.\n", session("active resource r\n").errors());
    assertEquals(
        "qmgr: Syntax error\nactive queue q1 enabled\n                ^\n",
        session("active queue q1 enabled\n").errors());
    site.run("root", "qmgr", "-c", "active queue q1");
    assertEquals(0, site.status);
  }
}
