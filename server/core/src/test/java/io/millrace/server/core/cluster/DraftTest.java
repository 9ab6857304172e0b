package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What several changes write that are carried out together. */
class DraftTest {
  private static final Map<String, String> NONE = Map.of();

  private final Draft draft = new Draft(TestShards.initialised().tables(0), 7, 0);

  private List<String> written() {
    return draft.written().stream().map(it -> it.getName() + " " + it.getVersion()).toList();
  }

  @Test
  void aLaterChangeThatFailsLeavesNothingAndTheOthersStay() {
    draft.write(ObjectKind.NODE, "n1", NONE);
    assertTrue(draft.goOn(8, later -> later.write(ObjectKind.NODE, "n2", NONE)));
    ClusterObject workq = draft.find(ObjectKind.QUEUE, "workq");
    assertFalse(
        draft.goOn(
            9,
            later -> {
              later.write(ObjectKind.NODE, "n1", Map.of("comment", "changed"));
              later.write(ObjectKind.NODE, "n3", NONE);
              later.delete(workq);
              later.askAllShards();
              throw new RejectedChange(PbsError.ILLEGAL_VALUE);
            }));
    assertFalse(
        draft.goOn(
            10,
            later -> {
              later.write(ObjectKind.NODE, "n4", NONE);
              throw new IllegalStateException("a defect");
            }));
    assertTrue(draft.goOn(11, later -> later.write(ObjectKind.NODE, "n5", NONE)));
    assertEquals(List.of("n1 7", "n2 8", "n5 11"), written());
    assertEquals(List.of(), draft.written().get(0).getAttributes());
    assertEquals(List.of(), draft.deleted());
    assertEquals(List.of(), draft.consents());
  }
}
