package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schedulers.gridengine.language.options.Option;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Texts that an administrator got wrong in one or more places are refused with the file's name, or
 * a run completes with them. An accepted configuration stays the same when it is printed and read
 * again, and when its files are joined into one text and split.
 */
class ConfigurationPropertyTest {

  private static final int TEXTS = Integer.getInteger("millrace.texts", Seeds.NIGHT ? 10_000 : 60);
  private static final int FIRST = Integer.getInteger("millrace.first_text", 1);

  /** Values to write, besides an empty one. */
  private static final List<String> VALUES =
      Stream.of(
              """
              0 | 1 | -1 | 2 | 999999999 | 2147483648 | 99999999999999999999 | 1e300 | -1e12 |
              0.0000001 | 1e-300 | NaN | INFINITY | infinity | -INFINITY | NONE | none | UNDEFINED |
              TRUE | FALSE | 0:0:0 | 0:0:1 | 1:2:3 | 99:99:99 | 999999999999:0:0 | : | :: | 1:2:3:4 |
              4G | 4g | -4G | 1e300T | 4GB | load | seqno | seq | default | disabled | $fill_up |
              $round_robin | $pe_slots | $fillup | min | max | avg | BATCH | INTERACTIVE |
              BATCH INTERACTIVE | job_list 1-5,7 | job_list 9-1 | job_list 999999999999999999 | OFS |
              S | np_load_avg | -np_load_avg | np_load_avg+mem_used | np_load_avg*1e3 | 2*np_load_avg |
              np_load_avg*-3+slots | license*999999999999999 | arch | nosuch | np_load_avg=1.75 |
              np_load_avg=0 | np_load_avg=INFINITY | np_load_avg=-1 | mem_used=1G,np_load_avg=0.5 |
              slots=0 | slots=999999999 | license=0 | license=5 | license=INFINITY | license=-5 |
              license=99999999999999999999 | hmem=1e300 | hmem=4G | hmem=0.5 | hmem=INFINITY,license=2 |
              h_vmem=4G | h_rt=10 | alone=TRUE | alone=FALSE | arch=x | arch=* | arch=[ |
              fast=TRUE,secret=1 | scratch=0.0000001 | scratch=INFINITY | MONITOR=1 |
              MONITOR=1,DURATION_OFFSET=INFINITY | DURATION_OFFSET=99:99:99,PROFILE=1 | RUNTIME=MIN |
              JC_FILTER=1 PE_RANGE_ALG=bin | mpi | mpi two | two,mpi | make | staff | guests staff |
              @all | @big | @all @big | @nosuch | node01 | node01 node02 | node02,node03 | node* |
              global | [ | ] | [] | = | , | \\ | # | === | é
              """
                  .split("\\|"))
          .map(String::strip)
          .toList();

  private static final List<String> REQUESTS =
      List.of(
          "-l h_rt=10",
          "-R y -pe mpi 2 -l h_rt=20",
          "-R y -pe mpi 1-4 -l license=1",
          "-R y -l hmem=1G,license=2",
          "-t 1-3 -tc 2",
          "-R y -pe two 2 -l h_rt=INFINITY",
          "-soft -l arch=lx*,mem_used=1G -R y",
          "-R y -l scratch=0.5,alone=TRUE",
          "-R y -pe * 2- -l license=INFINITY",
          "-p -100 -q all.q@node02 -R y",
          "-now y",
          "-R y -l h_vmem=1G,s_rt=5",
          "-R y -P physics -l np_load_avg=1");

  private final Map<String, String> files = new TreeMap<>();

  /** A cell that uses every kind of object. */
  private static Map<String, String> cell() {
    Map<String, String> cell = new TreeMap<>();
    cell.put(
        "complex",
        """
        slots s INT <= YES YES 1 1000
        license lic INT <= YES YES 0 10
        hmem hm MEMORY <= YES YES 0 0
        scratch sc DOUBLE <= YES JOB 0 0
        alone al BOOL EXCL YES YES 0 0
        fast f BOOL == YES NO 0 0
        secret sec BOOL == FORCED NO 0 0
        arch a RESTRING == YES NO NONE 0
        mem_used mu MEMORY >= YES NO 0 0
        np_load_avg nla DOUBLE >= YES NO 0 0
        num_proc p INT == YES NO 0 0
        h_vmem h_vmem MEMORY <= YES YES 0 0
        h_rt h_rt TIME <= YES NO 0:0:0 0
        s_rt s_rt TIME <= YES NO 0:0:0 0
        qname q STRING == YES NO NONE 0
        hostname h HOST == YES NO NONE 0
        """);
    cell.put(
        "sched",
        SchedulerOptions.TABLE.print(
            SchedulerOptions.TABLE.parse(
                "sched",
                "max_reservation 20\nschedule_interval 0:0:5\nparams MONITOR=1\n"
                    + "job_load_adjustments np_load_avg=0.5\nload_adjustment_decay_time 0:7:30\n"
                    + "weight_waiting_time 0.3\nmaxujobs 0\n")));
    putQueues(cell);
    cell.put(
        "pe.mpi",
        "pe_name mpi\nslots 9\nallocation_rule $fill_up\nurgency_slots avg\nuser_lists NONE\n");
    cell.put("pe.two", "pe_name two\nslots 9\nallocation_rule 2\n");
    cell.put(
        "host.node01",
        "hostname node01\n"
            + "complex_values hmem=4G,alone=TRUE\n"
            + "load_values np_load_avg=0.3,num_proc=4,arch=lx-amd64\n"
            + "load_scaling np_load_avg=2.0\n");
    cell.put(
        "host.global",
        "hostname global\ncomplex_values license=5,scratch=0.75\nload_values mem_used=1G\n");
    cell.put("acl.guests", "name guests\nentries visitor\n");
    cell.put("acl.staff", "name staff\nentries someone ann\n");
    cell.put("conf", "max_aj_instances 2\nmax_u_jobs 5\n");
    return cell;
  }

  private static void putQueues(Map<String, String> cell) {
    cell.put("hgrp.all", "group_name @all\nhostlist node01 @big\n");
    cell.put("hgrp.big", "group_name @big\nhostlist node02 \\\n  node03\n");
    cell.put(
        "queue.all.q",
        """
        qname all.q
        hostlist @all
        seq_no 0,[node02=1]
        load_thresholds np_load_avg=1.75
        qtype BATCH INTERACTIVE
        pe_list mpi two
        slots 2,[@big=3],[node03=1]
        complex_values hmem=4G,[node01=license=1]
        user_lists NONE
        xuser_lists guests
        projects NONE
        xprojects NONE
        initial_state default
        s_rt INFINITY
        h_rt 24:0:0
        h_vmem INFINITY
        """);
    cell.put("queue.low.q", "qname low.q\nhostlist node01\nslots 1\nseq_no 9\ns_rt 0:0:30\n");
  }

  @Test
  void whatIsAcceptedCanBeReckonedWith() {
    int accepted = 0;
    long[] seeds =
        LongStream.concat(LongStream.range(FIRST, FIRST + TEXTS), LongStream.of(Seeds.TODAY))
            .toArray();
    for (long seed : seeds) {
      try {
        accepted += tried(new Random(seed)) ? 1 : 0;
      } catch (RuntimeException e) {
        throw new AssertionError("text " + seed + "\n" + Configuration.join(files), e);
      }
    }
    int least = TEXTS / 10;
    assertTrue(accepted >= least, accepted + " of " + TEXTS + " texts were accepted only");
  }

  /** Whether the texts were accepted. */
  private boolean tried(Random random) {
    files.clear();
    files.putAll(cell());
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      List<String> names = List.copyOf(files.keySet());
      files.compute(names.get(random.nextInt(names.size())), (name, text) -> spoilt(text, random));
    }
    Configuration read;
    try {
      read = Configuration.of(files);
    } catch (ConfigurationRefused e) {
      String told = e.getMessage();
      assertTrue(files.containsKey(e.file()) || told.startsWith("queue.NAME: "), told);
      assertTrue(told.lines().count() == 1, told);
      return false;
    }
    runs(read);
    assertSame(read, Configuration.stored(Configuration.join(files)));
    assertSame(read, Configuration.of(printed()));
    return true;
  }

  private static void assertSame(Configuration read, Configuration again) {
    Cluster one = read.cluster();
    Cluster other = again.cluster();
    assertEquals(List.copyOf(one.complexes().all()), List.copyOf(other.complexes().all()));
    assertEquals(one.queues(), other.queues());
    assertEquals(one.hosts(), other.hosts());
    assertEquals(one.environments(), other.environments());
    assertEquals(one.accessLists(), other.accessLists());
    assertEquals(read.scheduler(), again.scheduler());
    assertEquals(read.limits(), again.limits());
  }

  private static String spoilt(String text, Random random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    int at = random.nextInt(lines.size());
    String line = lines.get(at);
    int chosen = random.nextInt(VALUES.size() + 1);
    String value = chosen == VALUES.size() ? "" : VALUES.get(chosen);
    String name = line.split("\\s+", -1)[0];
    switch (random.nextInt(12)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(at, line);
      case 2 -> lines.set(at, line.replaceFirst("[a-z]", Matcher.quoteReplacement(value)));
      case 3 -> lines.set(at, line + value);
      case 4 -> lines.set(at, line + ",[" + value + "=" + value + "]");
      case 5 -> lines.set(at, line + ",[node03=" + value + "]");
      case 6, 7 -> {
        String[] cells = line.split("\\s+", -1);
        cells[random.nextInt(cells.length)] = value;
        lines.set(at, String.join(" ", cells));
      }
      case 8 -> lines.set(at, name + " " + value);
      default -> lines.set(at, name + " " + fitting(text, name, random));
    }
    return String.join("\n", lines) + "\n";
  }

  /** A random value that is valid for the option alone. */
  private static String fitting(String text, String name, Random random) {
    List<Option> options = ObjectTables.recognise(text).map(OptionTable::options).orElse(List.of());
    List<String> fitting =
        options.stream()
            .filter(option -> option.name().equals(name))
            .flatMap(option -> VALUES.stream().filter(option.form().accepts()))
            .toList();
    return fitting.isEmpty() ? "" : fitting.get(random.nextInt(fitting.size()));
  }

  /** The files as their tables print them. */
  private Map<String, String> printed() {
    Map<String, String> printed = new TreeMap<>();
    files.forEach(
        (name, text) -> {
          Optional<OptionTable> table = ObjectTables.recognise(text);
          if (name.equals("complex")) {
            printed.put(name, Complexes.parse(name, text).print());
          } else {
            OptionTable known = table.orElseThrow();
            OptionValues settings = known.parse(name, text);
            printed.put(name, known.print(settings));
            assertEquals(settings, known.parse(name, printed.get(name)));
          }
        });
    return printed;
  }

  /** One run starts jobs; a later one finds them running and plans for the others. */
  private static void runs(Configuration read) {
    List<PendingJob> pending = new ArrayList<>();
    for (String request : REQUESTS) {
      try {
        Submission submission = Submission.of(OptionLineWords.of("-N a " + request));
        long number = pending.size() + 1L;
        GridEngineJob job =
            new GridEngineJob(
                new GridEngineJob.Identity(number, "a", number % 2 == 0 ? "someone" : "ann", ""),
                submission.needs(read.cluster().complexes()),
                submission.reserve(),
                new GridEngineJob.Urge(
                    submission.priority(),
                    GridEngineScene.NOW - number,
                    GridEngineScene.NOW + number),
                submission.tasks(),
                GridEngineJob.Behaviour.PLAIN);
        pending.add(new PendingJob(read.limits().limited(job), job.tasks().numbers()));
      } catch (RequestRefused e) {
        // The complex has lost the attribute, so nobody can request it.
        assertTrue(!e.getMessage().isEmpty());
      }
    }
    Decisions first = decide(read, List.of(), pending, GridEngineScene.NOW);
    List<RunningTask> running = new ArrayList<>();
    for (TaskDecision start : first.starts()) {
      PendingJob job = pending.get((int) start.job() - 1);
      running.add(
          new RunningTask(job.job(), start.task(), start.assignment(), RunningTask.Phase.RUNNING));
    }
    decide(read, running, pending, GridEngineScene.NOW + 15);
  }

  private static Decisions decide(
      Configuration read, List<RunningTask> running, List<PendingJob> pending, long now) {
    Decisions decisions =
        GridEngineScheduler.decide(
            new ClusterState(read.cluster(), read.scheduler(), running, pending),
            Instant.ofEpochSecond(now));
    List<TaskDecision> all = new ArrayList<>(decisions.starts());
    all.addAll(decisions.promises());
    for (TaskDecision decision : all) {
      assertTrue(decision.assignment().start() >= now, decision::toString);
      assertTrue(decision.assignment().duration() >= 0, decision::toString);
    }
    decisions.waiting().values().forEach(reason -> assertTrue(!reason.reason().text().isEmpty()));
    return decisions;
  }
}
