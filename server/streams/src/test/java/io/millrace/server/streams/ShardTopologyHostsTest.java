package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.output.Reply;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Who may tell a shard what, and who reads its orders. */
final class ShardTopologyHostsTest extends ShardTopologyFixture {
  @Test
  void refusesWhatTheFamilyOfItsTopicMayNotSendAndWritesItDown() {
    initialise();
    for (CommandFamily from : List.of(CommandFamily.ENGINE, CommandFamily.EXECUTOR)) {
      refusals.clear();
      read(Topics.LEDGER);
      SubmitJobs command = submit("one");
      tell(from, command);
      command.getMeta().setRole(Role.MANAGER);
      tell(from, command);
      command.getMeta().setRole(Role.EXECUTOR);
      tell(from, command);
      assertEquals(List.of(), records(Topics.REPLIES), "the answer would go where it says");
      assertEquals(List.of(), records(Topics.LEDGER));
      assertEquals(3, refusals.size(), refusals.toString());
      String line = refusals.get(1);
      assertTrue(line.startsWith("refused family=" + from.word() + " reason=family"), line);
      assertTrue(line.endsWith(" record=" + from.topic() + "-0@1"), line);
    }
  }

  private void report(HostKey from, String names) {
    report(from, names, START);
  }

  private void report(HostKey from, String names, Instant at) {
    ReportNodeUp up =
        new ReportNodeUp(
            meta(Role.EXECUTOR, -1), names, "boot", Map.of("ncpus", 4L), "spool", 1L, false, 2);
    byte[] value = codec.encode(up);
    Headers headers =
        from == null
            ? new RecordHeaders()
            : HostProof.record(from, Topics.REPORTS, 0, new byte[0], value).headers();
    inboxes
        .get(CommandFamily.EXECUTOR)
        .pipeInput(new TestRecord<>(new byte[0], value, headers, at));
  }

  private void node(String name) {
    tell(
        new ChangeObject(
            meta(Role.MANAGER, 3), ChangeOperation.CREATE, ObjectKind.NODE, name, List.of()));
  }

  private List<String> up() {
    return records(Topics.LEDGER).stream()
        .filter(NodeCameUp.class::isInstance)
        .map(fact -> ((NodeCameUp) fact).getName())
        .toList();
  }

  @Test
  void aReportCountsForTheHostThatItProvesToComeFrom() {
    initialise();
    node("one");
    read(Topics.LEDGER);
    report(null, "one");
    report(two, "one");
    report(HostKey.of("one", "3".repeat(64)), "one");
    assertEquals(List.of(), records(Topics.LEDGER));
    assertEquals(
        List.of(
            "refused family=executor reason=proof command=ReportNodeUp",
            "refused family=executor host=two reason=host command=ReportNodeUp",
            "refused family=executor reason=proof command=ReportNodeUp"),
        refusals.stream().map(line -> line.replaceFirst(" id=.*", "")).toList());
    assertTrue(refusals.get(1).endsWith("claims=EXECUTOR,ann,one record=reports-0@1"));
    report(one, "one");
    assertEquals(List.of("one"), up());
    admitted.remove("one");
    report(one, "one");
    assertEquals(List.of(), records(Topics.LEDGER), "its key was taken back");
    assertEquals(4, refusals.size());
  }

  @Test
  void anOrderIsReadByItsHostAndNobodyElse() throws Exception {
    initialise();
    node("one");
    report(one, "one");
    List<TestRecord<byte[], byte[]>> orders = read(Topics.DISPATCH);
    assertTrue(orders.size() > 1, orders.toString());
    for (TestRecord<byte[], byte[]> order : orders) {
      assertEquals("one", new String(order.key(), StandardCharsets.UTF_8));
      assertFalse(new String(order.value(), StandardCharsets.ISO_8859_1).contains("spool"));
      assertThrows(UndecodableRecord.class, () -> codec.decode(order.value()));
      assertThrows(UndecodableRecord.class, () -> two.open(order.value(), order.timestamp()));
    }
    TestRecord<byte[], byte[]> end = orders.get(orders.size() - 1);
    SpecificRecord last = decode(one.open(end.value(), end.timestamp()));
    assertEquals("one", last.get(last.getSchema().getField("host").pos()));
  }

  @Test
  void aRenewedKeyVoidsNothingThatIsOnItsWay() throws Exception {
    initialise();
    node("one");
    read(Topics.LEDGER);
    String text = HostKey.renewedText("one", "1".repeat(64), new SecureRandom(), START);
    admitted.put("one", HostKey.of("one", text));
    report(one, "one");
    assertEquals(List.of("one"), up(), "from before");
    TestRecord<byte[], byte[]> order = lastOrder();
    HostKey now = HostKey.of("one", text);
    decode(one.open(order.value(), order.timestamp()));
    decode(now.open(order.value(), order.timestamp()));
    report(now, "one");
    TestRecord<byte[], byte[]> next = lastOrder();
    decode(now.open(next.value(), next.timestamp()));
    assertThrows(UndecodableRecord.class, () -> one.open(next.value(), next.timestamp()));
    report(one, "one", START.plus(HostKey.GRACE));
    assertEquals(List.of(), refusals);
    report(one, "one", START.plus(HostKey.GRACE).plusMillis(1));
    assertEquals(1, refusals.size(), "its time is over");
  }

  private TestRecord<byte[], byte[]> lastOrder() {
    List<TestRecord<byte[], byte[]>> orders = read(Topics.DISPATCH);
    return orders.get(orders.size() - 1);
  }

  @Test
  void aHostWithoutAKeyGetsNoOrder() {
    initialise();
    node("three");
    assertEquals(List.of(), read(Topics.DISPATCH));
    admitted.put("three", HostKey.of("three", "3".repeat(64)));
    tell(
        new ChangeObject(
            meta(Role.MANAGER, 3), ChangeOperation.DELETE, ObjectKind.NODE, "three", List.of()));
    node("three");
    assertEquals(1, read(Topics.DISPATCH).size(), "the question whether it is there");
  }

  @Test
  void tellsAGatewayThatARoleDoesNotFit() {
    initialise();
    SubmitJobs command = submit("one");
    command.getMeta().setRole(Role.EXECUTOR);
    tell(CommandFamily.USER, command);
    assertEquals(15402, ((Reply) records(Topics.REPLIES).get(0)).getCode());
    assertFalse(records(Topics.LEDGER).stream().anyMatch(fact -> fact instanceof JobQueued));
    assertEquals(1, refusals.size());
  }
}
