package io.millrace.schedulers.dialects.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Table 3.3 of PluS's manual: each row with two queues of four jobs. */
class TorqueFlagsTest {

  private static final String ONE = "ncpus=1";

  @ParameterizedTest
  @CsvSource({
    // rr, bq, sq, sf; the second queue has the higher Priority; both have the same
    "F, F, F, F, 5 2 7 8 3 6 4 1, 5 2 7 8 3 6 4 1",
    "F, F, F, T, 1 2 3 4 5 6 7 8, 1 2 3 4 5 6 7 8",
    "F, F, T, F, 5 8 3 4 2 7 6 1, 5 2 7 8 3 6 4 1",
    "F, F, T, T, 3 4 5 8 1 2 6 7, 1 2 3 4 5 6 7 8",
    "F, T, F, F, 2 7 6 1 5 8 3 4, 2 7 6 1 5 8 3 4",
    "F, T, F, T, 1 2 6 7 3 4 5 8, 1 2 6 7 3 4 5 8",
    "F, T, T, F, 5 8 3 4 2 7 6 1, 2 7 6 1 5 8 3 4",
    "F, T, T, T, 3 4 5 8 1 2 6 7, 1 2 6 7 3 4 5 8",
    "T, F, F, F, 2 5 7 8 6 3 1 4, 2 5 7 8 6 3 1 4",
    "T, F, F, T, 1 3 2 4 6 5 7 8, 1 3 2 4 6 5 7 8",
    "T, F, T, F, 5 8 3 4 2 7 6 1, 2 5 7 8 6 3 1 4",
    "T, F, T, T, 3 4 5 8 1 2 6 7, 1 3 2 4 6 5 7 8"
  })
  void eachRowOrdersAsItsFlagsSay(
      char roundRobin, char byQueue, char sortQueues, char strict, String different, String equal) {
    TorqueFlags flags =
        new TorqueFlags(roundRobin == 'T', byQueue == 'T', sortQueues == 'T', strict == 'T');
    PlusConf conf = conf(flags.keys());
    assertEquals(different, jobs(conf, 9, 8).starts(), flags.toString());
    assertEquals(equal, jobs(conf, 1, 8).starts(), flags.toString());
    // The same where there is room for one job at a time: a cycle goes on where the last one ended.
    assertEquals(different, jobs(conf, 9, 1).startsOneByOne(), flags.toString());
    assertEquals(equal, jobs(conf, 1, 1).startsOneByOne(), flags.toString());
  }

  private static PlusConf conf(List<PlusJobKey> keys) {
    List<String> words = keys.stream().map(PlusJobKey::word).toList();
    return PlusText.read("sched_conf", "JobSortKey: " + String.join(", ", words)).conf();
  }

  private static PlusScene jobs(PlusConf conf, int secondPriority, int cpus) {
    return new PlusScene(conf)
        // The names stand in the other order than the queues were created.
        .queue("zfirst", 1)
        .queue("asecond", secondPriority)
        .node("n1", cpus, 1L << 30, 0)
        .job("zfirst", 0, ONE)
        .job("zfirst", 7, ONE)
        .job("asecond", 3, ONE)
        .job("asecond", 1, ONE)
        .job("asecond", 8, ONE)
        .job("zfirst", 2, ONE)
        .job("zfirst", 5, ONE)
        .job("asecond", 4, ONE);
  }

  @Test
  void theTableHasTwelveRows() {
    assertEquals(12, TorqueFlags.rows().size());
    assertEquals(12, TorqueFlags.rows().stream().map(TorqueFlags::keys).distinct().count());
  }

  @Test
  void whatIsUsualIsTheRowOfTorquesUsualFlags() {
    PlusConf empty = PlusText.read("sched_conf", "").conf();
    assertEquals(TorqueFlags.USUAL.keys(), empty.jobKeys());
    assertEquals(Optional.of(TorqueFlags.USUAL), TorqueFlags.of(empty.jobKeys()));
    assertEquals(Optional.empty(), TorqueFlags.of(List.of(PlusJobKey.OWNER)));
    // So jobs are in the order of the row F T T F above.
    assertEquals("5 8 3 4 2 7 6 1", jobs(empty, 9, 8).starts());
    assertEquals("2 7 6 1 5 8 3 4", jobs(empty, 1, 8).starts());
  }
}
