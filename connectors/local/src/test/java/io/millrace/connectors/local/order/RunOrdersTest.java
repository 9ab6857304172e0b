package io.millrace.connectors.local.order;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.schemas.output.SignalRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of orders to runs on a full disk. */
class RunOrdersTest {

  private final List<String> tries = new ArrayList<>();
  private int pauses;
  private int failures;

  private final RunOrders orders = new RunOrders(new FullDisk(), () -> pauses++);

  private static SignalRun order(int number, String what) {
    return SignalRun.newBuilder()
        .setJobId("1.vm")
        .setRun(1)
        .setShard(0)
        .setHost("h")
        .setOrder(number)
        .setSignal(what)
        .setExecutor("")
        .build();
  }

  @Test
  void aSignalHoldsUpNobody() throws Exception {
    failures = 1;
    orders.pass(order(1, "10"));
    orders.pass(order(2, "12"));
    assertEquals(List.of("1 10", "2 12"), tries);
    assertEquals(0, pauses);
  }

  @Test
  void nobodyGoesPastAnOrderThatTellsAState() throws Exception {
    for (String what : List.of("suspend", "resume", "limit60")) {
      tries.clear();
      failures = 2;
      orders.pass(order(1, what));
      assertEquals(List.of("1 " + what, "1 " + what, "1 " + what), tries);
    }
    assertEquals(6, pauses);
  }

  /** Has no room for the first orders. */
  private final class FullDisk implements Execution {
    @Override
    public boolean order(RunId id, int number, String order) throws IOException {
      tries.add(number + " " + order);
      if (failures-- > 0) {
        throw new IOException("No space left on device");
      }
      return true;
    }

    @Override
    public boolean start(RunRequest request) {
      return false;
    }

    @Override
    public boolean kill(RunId id, int signal) {
      return false;
    }

    @Override
    public void write(RunId id, boolean output, String line) {
      throw new UnsupportedOperationException("nothing is written here");
    }

    @Override
    public boolean discard(RunId id) {
      return false;
    }

    @Override
    public void release(RunId id) {}

    @Override
    public boolean knows(RunId id) {
      return true;
    }

    @Override
    public List<RunId> runs() {
      return List.of();
    }

    @Override
    public List<StartedRun> begun() {
      return List.of();
    }

    @Override
    public Optional<RunUsage> sample(RunId id) {
      return Optional.empty();
    }

    @Override
    public boolean survives() {
      return true;
    }

    @Override
    public void close() {}
  }
}
