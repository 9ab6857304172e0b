package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.local.run.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForwardedRunTest {

  @TempDir Path folder;

  @Test
  void aRunIsReadAsItWasWrittenUntilItIsRemoved() throws Exception {
    ForwardedRun run =
        new ForwardedRun(
            new RunId("12[3].vm", 2),
            new OutsideTag("c1", "12-3", 2),
            "alice",
            "1 77 4",
            4,
            PassedOrders.NONE);
    run.write(folder);
    Files.writeString(folder.resolve("13.vm.1.new"), "half of");
    assertEquals(List.of(run), ForwardedRun.all(folder));
    run.remove(folder);
    run.remove(folder);
    assertEquals(List.of(), ForwardedRun.all(folder));
  }

  @Test
  void anOrderThatStandsIsReadAsItWasWrittenUntilItIsDone() throws Exception {
    ForwardedRun run =
        new ForwardedRun(
            new RunId("13.vm", 1), new OutsideTag("c1", "13", 1), "al", "", 1, PassedOrders.NONE);
    for (PassedOrders orders :
        List.of(
            PassedOrders.NONE.standing("suspend"),
            PassedOrders.NONE.signal(3, 10),
            PassedOrders.NONE.hold(PassedOrders.RunHolding.PASSED),
            PassedOrders.NONE.hold(PassedOrders.RunHolding.REFUSED),
            PassedOrders.NONE.limit(new PassedOrders.RunWalltime(600, false)).standing("suspend"),
            PassedOrders.NONE.signal(3, 10).signal(4, 12).standing("resume"))) {
      run.with(orders).write(folder);
      assertEquals(List.of(run.with(orders)), ForwardedRun.all(folder));
    }
    run.write(folder);
    assertEquals(List.of(run), ForwardedRun.all(folder));
  }

  /** What a journal without room could not note is found by the next process, until it is over. */
  @Test
  void aRunThatIsToBeDeletedIsMarked() throws Exception {
    ForwardedRun run =
        new ForwardedRun(
            new RunId("13.vm", 1), new OutsideTag("c1", "13", 1), "al", "", 1, PassedOrders.NONE);
    run.write(folder);
    run.toDelete(folder, false);
    assertFalse(run.isToDelete(folder));
    run.toDelete(folder, true);
    run.toDelete(folder, true);
    assertEquals(List.of(run), ForwardedRun.all(folder));
    assertTrue(run.isToDelete(folder));
    run.toDelete(folder, false);
    assertFalse(run.isToDelete(folder));
    run.toDelete(folder, true);
    run.remove(folder);
    assertFalse(run.isToDelete(folder));
    Files.createFile(folder.resolve("14.vm.1.delete"));
    assertEquals(List.of(), ForwardedRun.all(folder));
    assertFalse(Files.exists(folder.resolve("14.vm.1.delete")), "of a run that is over");
  }

  @Test
  void aDamagedFileIsNoRun() throws Exception {
    Files.writeString(folder.resolve("13.vm.1"), "mr.c1.13.1\nalice\n");
    assertThrows(IOException.class, () -> ForwardedRun.all(folder));
  }

  @Test
  void aSignalThatIsGivenAgainIsOne() {
    PassedOrders orders = PassedOrders.NONE.signal(3, 10).signal(3, 10).signal(2, 12).signal(5, 12);
    assertEquals(List.of(10, 12), orders.signals());
    assertEquals(List.of(12), orders.sent().signals());
    assertEquals(orders.sent(), orders.sent().signal(5, 12));
  }
}
