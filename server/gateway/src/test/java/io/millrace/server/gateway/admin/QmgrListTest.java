package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.link.LinkException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Directives of qmgr that name several objects. */
class QmgrListTest {

  private final FakeSite site = new FakeSite();

  private FakeInvocation qmgr(String directive) throws Exception {
    return site.run("root", "qmgr", "-c", directive);
  }

  @Test
  void changesOfAListGoOutTogetherAndEachIsAnswered() throws Exception {
    site.answer(
        sent ->
            ((ChangeObject) sent.command()).getName().equals("n2")
                ? new Reply(sent.id(), 15066, List.of("Node name already exists"), false)
                : new Reply(sent.id(), 0, List.of(), false));
    assertEquals(
        "qmgr obj=n2 svr=default: Node name already exists\n"
            + "qmgr: Error (15066) returned from server\n",
        qmgr("c n n1,n2,n3").errors());
    assertEquals(3, site.sent.size());
    assertTrue(site.status != 0, "one was refused");
    site.sent.clear();
    site.dark.put(0, LinkException.LinkFailureKind.UNANSWERED);
    String said = qmgr("c n n4,n5").errors();
    String unknown = " svr=default: no answer, it may still be carried out\n";
    assertTrue(said.startsWith("qmgr obj=n4" + unknown + "qmgr obj=n5" + unknown), said);
    assertEquals(2, site.sent.size(), "none waits for the answer about the one before");
    site.dark.put(0, LinkException.LinkFailureKind.NO_ROOM);
    said = qmgr("c n n4,n5").errors();
    String undone = " svr=default: not carried out\n";
    assertTrue(said.startsWith("qmgr obj=n4" + undone + "qmgr obj=n5" + undone), said);
    site.sent.clear();
    site.run("root", "qmgr", "-a", "-c", "c n n6,n7");
    assertEquals(1, site.sent.size(), "but with -a");
  }

  /** A shard that has many of them in line tells of shards that do not answer. */
  @Test
  void aLongListGoesOutInParts() throws Exception {
    List<String> names = IntStream.rangeClosed(1, 50).mapToObj(it -> "n" + it).toList();
    qmgr("c n " + String.join(",", names));
    List<String> sent =
        site.sent.stream().map(it -> ((ChangeObject) it.command()).getName()).toList();
    assertEquals(names, sent);
    site.sent.clear();
    site.dark.put(0, LinkException.LinkFailureKind.UNANSWERED);
    String said = qmgr("c n " + String.join(",", names)).errors();
    assertTrue(said.contains("qmgr obj=n21 and the 29 behind it svr=default: not sent\n"), said);
    assertEquals(20, site.sent.size(), "no other follows before they are answered");
  }
}
