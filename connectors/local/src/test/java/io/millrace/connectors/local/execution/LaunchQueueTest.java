package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.local.execution.LiveRun.RunStage;
import io.millrace.connectors.local.run.RunId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order runs are launched, and how many at once. */
class LaunchQueueTest {
  private final List<String> launched = new ArrayList<>();
  private final List<LiveRun> all = new ArrayList<>();
  private final LaunchQueue queue = new LaunchQueue(2, run -> launched.add(run.id.directoryName()));

  private LiveRun add(String job, int run) {
    LiveRun added = new LiveRun(new RunId(job, run), "");
    all.add(added);
    queue.add(added, all);
    return added;
  }

  private List<String> launch() {
    launched.clear();
    queue.launch();
    return launched;
  }

  @Test
  void noMoreBeginAtOnceThanMay() {
    LiveRun first = add("1.vm", 1);
    LiveRun second = add("2.vm", 1);
    add("3.vm", 1);
    LiveRun ended = add("4.vm", 1);
    add("5.vm", 1);
    assertEquals(List.of("1.vm.1", "2.vm.1"), launch());
    assertEquals(3, queue.waiting());
    assertEquals(List.of(), launch());
    queue.advance(first, RunStage.RUNNING);
    assertEquals(List.of("3.vm.1"), launch());
    queue.advance(ended, RunStage.ENDED);
    queue.advance(second, RunStage.ENDED);
    assertEquals(List.of("5.vm.1"), launch());
    add("6.vm", 1);
    queue.again(first);
    queue.advance(all.get(2), RunStage.RUNNING);
    assertEquals(List.of("1.vm.1"), launch(), "its supervisor died");
  }

  @Test
  void aRunWaitsForTheEarlierOnesOfItsJob() {
    LiveRun first = add("1.vm", 1);
    add("1.vm", 2);
    assertEquals(List.of("1.vm.1"), launch());
    queue.advance(first, RunStage.RUNNING);
    assertEquals(List.of(), launch());
    assertEquals(0, queue.waiting(), "there is room for others");
    queue.advance(first, RunStage.ENDED);
    assertEquals(List.of("1.vm.2"), launch());
  }

  @Test
  void oneThatIsToEndDoesNot() {
    queue.advance(add("1.vm", 1), RunStage.RUNNING);
    LiveRun cancelled = add("1.vm", 2);
    cancelled.comesAfter(List.of());
    assertEquals(List.of("1.vm.2"), launch());
  }
}
