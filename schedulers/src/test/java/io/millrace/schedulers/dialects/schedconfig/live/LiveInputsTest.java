package io.millrace.schedulers.dialects.schedconfig.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.state.PolicyInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the server has of a resource is what a program said last. */
class LiveInputsTest {
  private static final long LONG_MS = 3_600_000;
  private static final String CONFIG = "server_dyn_res: \"seats !/opt/seats\"\n";

  private final LiveSiteFixture all =
      new LiveSiteFixture("Europe/Berlin", "2026-11-02T06:00:00Z", 64, "workq");

  LiveInputsTest() {
    all.written(Records.object(ObjectKind.RESOURCE, "seats", "type", "long"));
    all.file("sched_config", CONFIG).load();
  }

  private long submit(long seats) {
    ResourceRequest plain = Records.request("ncpus=1,walltime=1:00:00");
    return all.submit(
        "ann",
        "workq",
        new ResourceRequest(
            plain.getChunks(), plain.getPlace(), plain.getWalltimeS(), Map.of("seats", seats)));
  }

  private static PolicyInput said(long amount, long inUse) {
    return PolicyInput.newBuilder()
        .setName("seats")
        .setContent(Long.toString(amount))
        .setAmount(amount)
        .setInUse(inUse)
        .build();
  }

  @Test
  void beforeTheProgramSpokeThereIsNothing() {
    long job = submit(1);
    long other = all.submit("ann", "workq", "ncpus=1");
    assertEquals(List.of(other), all.cycle(LONG_MS), "only whoever asks for it waits");
    assertEquals(ReasonCode.RESOURCE_LIMIT, all.state.waiting().shortage(job).code());
    all.read(said(1, 0));
    assertEquals(List.of(job), all.cycle(LONG_MS));
  }

  @Test
  void eachStartTakesFromIt() {
    all.read(said(3, 0));
    long first = submit(2);
    long second = submit(2);
    long third = submit(1);
    assertEquals(List.of(first, third), all.cycle(LONG_MS));
    assertEquals(List.of(), all.cycle(LONG_MS), "nobody has said anything new");
    assertEquals(3, all.state.waiting().shortage(second).numbers().total());
  }

  @Test
  void whatRunsHadWhenItSpokeDoesNotCount() {
    all.read(said(3, 0));
    submit(2);
    all.cycle(LONG_MS);
    all.read(said(3, 2));
    long second = submit(3);
    long third = submit(1);
    assertEquals(List.of(second), all.cycle(LONG_MS), "it said 3 while 2 were in use");
    all.read(said(0, 5));
    assertEquals(List.of(), all.cycle(LONG_MS));
    all.end();
    assertEquals(List.of(third), all.cycle(LONG_MS), "what a run gave back is there again");
  }

  @Test
  void ofAResourceWithTheFlagQRunsHaveSomething() {
    all.read(said(3, 0));
    submit(2);
    all.cycle(LONG_MS);
    all.read(said(4, 0));
    submit(3);
    long third = submit(2);
    assertEquals(List.of(third), all.cycle(LONG_MS));
  }

  @Test
  void itTakesThePlaceOfTheServersAttribute() {
    all.written(Records.object(ObjectKind.SERVER, "server", "resources_available.seats", "1"));
    all.read(said(2, 0));
    long job = submit(2);
    assertEquals(List.of(job), all.cycle(LONG_MS));
  }

  @Test
  void withoutTheProgramNobodyWaitsForIt() {
    long job = submit(5);
    assertEquals(List.of(), all.cycle(LONG_MS));
    all.file("sched_config", "by_queue: true\n").load();
    assertEquals(List.of(job), all.cycle(LONG_MS));
  }

  @Test
  void builtAnewItIsTheSame() {
    all.read(said(3, 0));
    long first = submit(2);
    long second = submit(2);
    LiveSiteFixture anew = all.anew(64, "workq");
    anew.written(Records.object(ObjectKind.RESOURCE, "seats", "type", "long"));
    assertEquals(List.of(first), anew.cycle(LONG_MS));
    assertEquals(List.of(first), all.cycle(LONG_MS));
    assertEquals(
        all.state.waiting().shortage(second).numbers(),
        anew.state.waiting().shortage(second).numbers());
  }

  @Test
  void jobsThatAskForOtherAmountsAreTold() {
    all.read(said(2, 0));
    long big = submit(3);
    long small = submit(2);
    assertEquals(List.of(small), all.cycle(LONG_MS), "classes differ by what jobs ask for once");
    assertEquals(3, all.state.waiting().shortage(big).numbers().needed());
  }
}
