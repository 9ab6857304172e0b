package io.millrace.schedulers.dialects.schedconfig.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.state.promise.Promise;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prime time and dedicated times in a live scheduler. */
class LiveCalendarTest {
  private static final long HOUR_MS = 3_600_000;
  private static final String HOLIDAYS =
      "YEAR 2026\nweekday 0800 1800\nsaturday none all\nsunday none all\n";
  private static final String PREFIXES =
      "primetime_prefix: p_\nnonprimetime_prefix: np_\ndedicated_prefix: ded\n";

  private static LiveSiteFixture at(String now, String config) {
    LiveSiteFixture all =
        new LiveSiteFixture("Europe/Berlin", now, 4, "workq", "p_day", "np_night", "ded");
    all.file("sched_config", PREFIXES + config).file("holidays", HOLIDAYS);
    return all;
  }

  private static long ms(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @Test
  void theBeginOfAPeriodIsAMomentOfACycle() {
    // Monday, 7:30 in Berlin.
    LiveSiteFixture all = at("2026-11-02T06:30:00Z", "");
    all.load();
    long day = all.submit("ann", "p_day", "ncpus=1,walltime=1:00:00");
    long night = all.submit("ann", "np_night", "ncpus=1,walltime=1:00:00");
    assertEquals(List.of(night), all.cycle(HOUR_MS));
    assertEquals(ms("2026-11-02T07:00:00Z"), all.state.nextPromiseMs());
    all.nowMs = all.state.nextPromiseMs();
    assertEquals(List.of(day), all.cycle(HOUR_MS), "nothing else than the time has come");
    assertEquals(ms("2026-11-02T17:00:00Z"), all.state.nextPromiseMs());
  }

  @Test
  void twoSchedulersHaveHoursAndDedicatedTimesOfTheirOwn() {
    // Monday, 7:30 in Berlin: prime time of the second only, which has a dedicated time besides.
    String now = "2026-11-02T06:30:00Z";
    LiveSiteFixture one = at(now, "");
    LiveSiteFixture two =
        LiveSiteFixture.of("early", "Europe/Berlin", now, 4, "workq", "p_day", "np_night", "ded");
    two.file("sched_config", PREFIXES)
        .file("holidays", HOLIDAYS.replace("0800", "0700"))
        .file("dedicated_time", "11/02/2026 09:00 11/02/2026 10:00\n");
    for (LiveSiteFixture each : List.of(one, two)) {
      each.written(one.object());
      each.written(two.object());
    }
    String request = "ncpus=1,walltime=2:00:00";
    for (LiveSiteFixture each : List.of(one, two)) {
      each.submit("ann", "p_day", request);
      each.submit("ann", "np_night", request);
      each.submit("ann", "workq", request);
      each.submit("ann", "p_day", "ncpus=1,walltime=1:00:00");
    }
    assertEquals(List.of(2L, 3L), one.cycle(HOUR_MS), "it is night, and nothing is dedicated");
    assertEquals(List.of(4L), two.cycle(HOUR_MS), "it is day, and all else would run into it");
  }

  @Test
  void starredOptionsChangeWithThePeriod() {
    LiveSiteFixture all =
        at(
            "2026-11-02T06:00:00Z",
            "job_sort_key: \"ncpus HIGH\" prime\njob_sort_key: \"ncpus LOW\" non_prime\n");
    all.load();
    all.submit("ann", "workq", "ncpus=3,walltime=1:00:00");
    long small = all.submit("ann", "workq", "ncpus=2,walltime=1:00:00");
    assertEquals(List.of(small), all.cycle(2 * HOUR_MS));
    all.end();
    long big = all.submit("ann", "workq", "ncpus=4,walltime=1:00:00");
    assertEquals(ms("2026-11-02T08:00:00Z"), all.nowMs);
    assertEquals(List.of(big), all.cycle(HOUR_MS));
  }

  @Test
  void noRunCrossesButForTheSpill() {
    LiveSiteFixture all =
        at("2026-11-02T15:30:00Z", "backfill_prime: true\nprime_spill: 1:00:00 non_prime\n");
    all.load();
    long fits = all.submit("ann", "workq", "ncpus=1,walltime=1:30:00");
    long spills = all.submit("ann", "workq", "ncpus=1,walltime=2:30:00");
    all.submit("ann", "workq", "ncpus=1,walltime=2:30:01");
    all.submit("ann", "workq", "ncpus=1");
    assertEquals(List.of(fits, spills), all.cycle(HOUR_MS));
  }

  @Test
  void aDayOf25HoursHasItsHours() {
    // Sunday, 25 October 2026: clocks go back from 3 to 2.
    LiveSiteFixture all = new LiveSiteFixture("Europe/Berlin", "2026-10-24T22:30:00Z", 4, "p_day");
    all.file("sched_config", PREFIXES).file("holidays", "YEAR 2026\nsunday 0800 1800\n").load();
    all.submit("ann", "p_day", "ncpus=1,walltime=1:00:00");
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertEquals(ms("2026-10-25T07:00:00Z"), all.state.nextPromiseMs(), "8 hours of winter time");
    LiveSiteFixture spring =
        new LiveSiteFixture("Europe/Berlin", "2026-03-28T23:30:00Z", 4, "p_day");
    spring.file("sched_config", PREFIXES).file("holidays", "YEAR 2026\nsunday 0800 1800\n").load();
    spring.cycle(HOUR_MS);
    assertEquals(ms("2026-03-29T06:00:00Z"), spring.state.nextPromiseMs(), "of summer time");
  }

  @Test
  void aDedicatedTimeIsEmptyOfOtherJobsFromItsFirstSecond() {
    LiveSiteFixture all = at("2026-11-02T09:00:00Z", "strict_ordering: true\n");
    all.file("dedicated_time", "11/02/2026 12:00 11/02/2026 14:00\n").load();
    long before = all.submit("ann", "workq", "ncpus=1,walltime=2:00:00");
    long crosses = all.submit("ann", "workq", "ncpus=1,walltime=2:00:01");
    long dedicated = all.submit("ann", "ded", "ncpus=1,walltime=2:00:00");
    assertEquals(List.of(before), all.cycle(2 * HOUR_MS), "ends as the dedicated time begins");
    List<Promise> promises = all.state.promises();
    assertEquals(crosses, promises.get(0).jobNumber());
    assertEquals(ms("2026-11-02T13:00:00Z"), promises.get(0).fromMs(), "a promise crosses neither");
    all.end();
    assertEquals(ms("2026-11-02T11:00:00Z"), all.nowMs);
    assertEquals(List.of(dedicated), all.cycle(2 * HOUR_MS));
    all.end();
    assertEquals(List.of(crosses), all.cycle(HOUR_MS));
  }
}
