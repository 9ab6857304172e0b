package io.millrace.ops.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What up makes of the answers that it gets. */
class UpTest {

  @Test
  void onlyANodeThatNobodyKnowsWasDeleted() {
    assertTrue(Up.deleted(new HomeClient.Said(1, "Node: vm,  Error: Unknown node \n")));
    assertFalse(Up.deleted(new HomeClient.Said(0, "vm\n     Mom = vm\n")));
    assertFalse(
        Up.deleted(new HomeClient.Said(1, "pbsnodes: shard 0 does not answer\n")),
        "whoever cannot be asked was not deleted");
  }
}
