package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.engine.EngineSeat;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class CommandSenderTest {

  /** An engine in a process of its own ends when it cannot send what it proposes. */
  @Test
  void everyProposalHasAnId() {
    Proposals proposals = new Proposals(new EngineSeat("default", 1, 0, "h", () -> {}), "h");
    ReasonBook.ReasonChanges nothing = new ReasonBook.ReasonChanges(List.of(), List.of());
    List<SpecificRecord> all =
        List.of(
            proposals.preempt(new Preempt(2, 3, "SR"), 0),
            proposals.resume(2, 1, 0),
            proposals.suspend(2, 1, 0),
            proposals.record(1, new CycleDecisions.CycleWork(0, false), nothing, 0));
    Set<CommandId> ids = new HashSet<>();
    all.forEach(it -> ids.add(CommandSender.idOf(it)));
    assertEquals(all.size(), ids.size());
  }
}
