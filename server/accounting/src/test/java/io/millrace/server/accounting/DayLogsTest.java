package io.millrace.server.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.ChangeClosed;
import io.millrace.schemas.fact.ChangeOpened;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.output.CycleDone;
import io.millrace.schemas.output.LogNote;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.schemas.state.OpenChange;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.daylog.ClusterLog;
import io.millrace.server.accounting.daylog.CycleLines;
import io.millrace.server.accounting.daylog.LogFolders;
import io.millrace.server.accounting.daylog.LogMasks;
import io.millrace.server.accounting.daylog.SchedulerLogs;
import io.millrace.server.accounting.daylog.ServerLog;
import io.millrace.server.accounting.daylog.ServerLogLines;
import io.millrace.server.accounting.ledger.FactReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts in, lines of day logs out; the texts are those of recorded logs. */
class DayLogsTest {

  private static final String DAY = "20261120";

  /** The number of the last change. */
  private long change;

  @TempDir private Path home;

  private AccountBook book;
  private LogFolders folders;
  private List<FactReader> readers;
  private LogMasks masks;

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(home.resolve(".state"), AccountFixture.CODEC);
    folders = new LogFolders(home, book, ZoneOffset.UTC);
    masks = new LogMasks();
    book.settings().forEach(masks::heed);
    ServerLogLines lines = new ServerLogLines(folders, masks, ZoneOffset.UTC);
    readers =
        List.of(
            new AttributeFollower(book, List.of(masks::heed)),
            new ServerLog(lines),
            new ClusterLog(book, lines),
            new SchedulerLogs(folders, masks, ZoneOffset.UTC));
  }

  @AfterEach
  void close() {
    book.close();
  }

  private static FactMeta at(long ms) {
    return new FactMeta(1L, AccountFixture.BEGIN + ms, new CommandId(new byte[16]), "pbsu1");
  }

  private void follow(SpecificRecord fact) {
    readers.forEach(it -> it.follow(0, fact));
  }

  private void keep() throws IOException {
    folders.write();
    book.commit();
  }

  private List<String> lines(String folder) throws IOException {
    keep();
    return Files.readAllLines(home.resolve(folder).resolve(DAY));
  }

  @Test
  void theyAreClosedToOthers() throws IOException {
    run();
    keep();
    for (String name : List.of("server_logs", "sched_logs")) {
      assertEquals("rwxr-x---", mode(home.resolve(name)));
      assertEquals("rw-r-----", mode(home.resolve(name).resolve(DAY)));
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private void server(String... attributes) {
    List<Attribute> list = new java.util.ArrayList<>();
    for (int i = 0; i < attributes.length; i += 2) {
      list.add(new Attribute(attributes[i], attributes[i + 1]));
    }
    follow(new ObjectWritten(at(0), new ClusterObject(ObjectKind.SERVER, "server", 1L, list, 1L)));
  }

  private void run() {
    follow(new JobQueued(at(0), AccountFixture.job(1), List.of()));
    Allocation allocation = new Allocation(List.of(), "vm/0", "(vm[6]:ncpus=1)", null);
    follow(new RunGranted(at(100), "1.vm", 1, "default", 1L, allocation));
  }

  @Test
  void aJobLeavesPbssLines() throws IOException {
    server("server_host", "vm");
    run();
    follow(new JobHeld(at(1000), "1.vm", "u", "u", ""));
    follow(new RunKillRequested(at(2000), "1.vm", 1, KillPurpose.DELETE, "root@vm", false));
    Usage used = new Usage(0L, 1348L, 2500L, 3L, 1, 0);
    follow(
        new RunFinished(
            at(3000),
            "1.vm",
            1,
            0,
            used,
            AccountFixture.BEGIN,
            AccountFixture.BEGIN + 3000,
            "",
            -1L,
            ""));
    assertEquals(
        List.of(
            "11/20/2026 15:35:54;0100;Server@vm;Job;1.vm;enqueuing into workq, state Q hop 1",
            "11/20/2026 15:35:54;0008;Server@vm;Job;1.vm;Job Queued at request of pbsu1@vm, owner ="
                + " pbsu1@vm, job name = fromscript, queue = workq",
            "11/20/2026 15:35:54;0008;Server@vm;Job;1.vm;Job Run at request of Scheduler@vm on"
                + " exec_vnode (vm[6]:ncpus=1)",
            "11/20/2026 15:35:55;0008;Server@vm;Job;1.vm;Holds u set at request of pbsu1@vm",
            "11/20/2026 15:35:56;0008;Server@vm;Job;1.vm;Job to be deleted at request of root@vm",
            "11/20/2026 15:35:57;0080;Server@vm;Job;1.vm;Obit received momhop:1 serverhop:1 state:R"
                + " substate:42",
            "11/20/2026 15:35:57;0010;Server@vm;Job;1.vm;Exit_status=0 resources_used.cpupercent=0"
                + " resources_used.cput=00:00:00 resources_used.mem=1348kb resources_used.ncpus=1"
                + " resources_used.vmem=2500kb resources_used.walltime=00:00:03"),
        lines("server_logs"));
    assertEquals(
        List.of("11/20/2026 15:35:54.100000;0040;pbs_sched;Job;1.vm;Job run"), lines("sched_logs"));
  }

  @Test
  void changesAreToldWhenAllShardsHaveThem() throws IOException {
    server("server_host", "vm");
    CommandMeta root =
        new CommandMeta(new CommandId(new byte[16]), "root", "", "vm", Role.MANAGER, -1, 0L);
    ObjectChange change =
        new ObjectChange(
            "SET",
            ObjectKind.QUEUE,
            "workq",
            List.of(
                new AttributeEdit("enabled", "True", "ASSIGN"),
                new AttributeEdit("comment", "a\nattributes set: b = c", "ASSIGN")));
    for (int code : new int[] {15007, 0}) {
      OpenChange open =
          OpenChange.newBuilder()
              .setNumber(7L)
              .setWaiting(root)
              .setChange(change)
              .setObjects(List.of())
              .setDeleted(List.of())
              .setConsents(List.of())
              .setApplications(List.of())
              .setOpenedMs(1L)
              .build();
      follow(new ChangeOpened(at(0), open));
      keep();
      follow(new ChangeClosed(at(1000), 7L, code));
    }
    follow(new NodeWentDown(at(2000), "n1", "nothing heard for 35 s"));
    follow(new EngineStarted(at(3000), "s2", 4L, false, false, "vm"));
    assertEquals(
        List.of(
            "11/20/2026 15:35:55;0004;Server@vm;Que;workq;attributes set:  at request of root@vm",
            "11/20/2026 15:35:55;0004;Server@vm;Que;workq;attributes set: enabled = True",
            "11/20/2026 15:35:55;0004;Server@vm;Que;workq;attributes set: comment = a^Jattributes"
                + " set: b = c",
            "11/20/2026 15:35:56;0004;Server@vm;Node;n1;node down: nothing heard for 35 s",
            "11/20/2026 15:35:57;0002;Server@vm;Sched;s2;scheduler connected"),
        lines("server_logs"));
    assertEquals(
        List.of(
            "11/20/2026 15:35:57.000000;0004;pbs_sched;Sched;pbs_sched;Connected to the server,"
                + " start 4"),
        lines("sched_logs_s2"));
  }

  @Test
  void theServersLogTellsWhichSchedulerCannotBeReached() throws IOException {
    server("server_host", "vm");
    List<String> partitions = List.of("P1", "P2");
    follow(
        new EngineNoted(
            at(1000), "s2", 4L, EngineCondition.SILENT, "no sign", partitions, List.of(), "down"));
    follow(
        new EngineNoted(
            at(2000),
            "s2",
            4L,
            EngineCondition.WORKS,
            "heard",
            partitions,
            List.of(),
            "NEEDS_ATTENTION"));
    String unreachable = "0001;Server@vm;Sched;s2;Unable to reach scheduler associated with ";
    assertEquals(
        List.of(
            "11/20/2026 15:35:55;0002;Server@vm;Sched;s2;scheduler disconnected: no sign",
            "11/20/2026 15:35:55;" + unreachable + "partition P1",
            "11/20/2026 15:35:55;" + unreachable + "partition P2",
            "11/20/2026 15:35:56;0002;Server@vm;Sched;s2;scheduler connected",
            "11/20/2026 15:35:56;0004;Server@vm;Sched;s2;attributes set: comment ="
                + " NEEDS_ATTENTION"),
        lines("server_logs"));
  }

  private void scheduler(String name, String... attributes) {
    List<Attribute> list = new java.util.ArrayList<>();
    for (int i = 0; i < attributes.length; i += 2) {
      list.add(new Attribute(attributes[i], attributes[i + 1]));
    }
    ClusterObject object = new ClusterObject(ObjectKind.SCHEDULER, name, ++change, list, 1L);
    follow(new ObjectWritten(at(0), object));
  }

  /** Words of OpenPBS's scheduler. */
  @Test
  void schedulersTellOfTheirChanges() throws IOException {
    scheduler("default", "scheduling", "True");
    scheduler("s2", "scheduling", "False");
    String time = "11/20/2026 15:35:54.000000;";
    List<String> changed =
        List.of(
            time + "0040;pbs_sched;Sched;reconfigure;Scheduler is reconfiguring",
            time + "0080;pbs_sched;Req;;Updating scheduler attributes");
    assertEquals(changed, lines("sched_logs"));
    assertEquals(changed, lines("sched_logs_s2"));
    ClusterObject resource = new ClusterObject(ObjectKind.RESOURCE, "foo", 1L, List.of(), 1L);
    follow(new ObjectWritten(at(0), resource));
    follow(new ObjectDeleted(at(0), ObjectKind.RESOURCE, "foo", 2L));
    assertEquals(6, lines("sched_logs").size(), "all of them see other resources");
    assertEquals(6, lines("sched_logs_s2").size());
    scheduler("s2", "scheduling", "True");
    List<String> inVain = lines("sched_logs_s2");
    assertEquals(
        List.of(
            time + "0080;pbs_sched;Req;;Starting Scheduling Cycle",
            time + "0040;pbs_sched;Svr;query_server;Scheduler does not contain a partition",
            time + "0002;pbs_sched;Svr;;Problem with creating server data structure",
            time + "0080;pbs_sched;Req;;Leaving Scheduling Cycle"),
        inVain.subList(8, inVain.size()));
    readers.forEach(it -> it.follow(1, new ObjectDeleted(at(0), ObjectKind.RESOURCE, "bar", 2L)));
    assertEquals(12, lines("sched_logs_s2").size(), "other shards tell the same");
  }

  /** As a folder of its own, which a scheduler object names. */
  private Path folder(String name) throws IOException {
    Path folder = Files.createDirectory(home.toRealPath().resolve(name));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder;
  }

  /** Words of the specification of several schedulers. */
  @Test
  void theLogMovesToTheFolderThatItsSchedulerNames() throws IOException {
    scheduler("s2");
    Path mine = folder("mine");
    scheduler("s2", "sched_log", mine.toString());
    List<String> moved = lines(mine.toString());
    String words = "Scheduler log directory is changed to ";
    assertTrue(moved.get(0).endsWith(";Sched;reconfigure;" + words + mine), moved.get(0));
    assertEquals(2, lines("sched_logs_s2").size(), "what came before");
    Path priv = folder("priv");
    Files.setPosixFilePermissions(priv, PosixFilePermissions.fromString("rwxr-x---"));
    scheduler("s2", "sched_log", mine.toString(), "sched_priv", priv.toString());
    assertTrue(
        lines(mine.toString()).stream()
            .anyMatch(it -> it.endsWith("Scheduler priv directory is changed to " + priv)));
    close();
    open();
    scheduler("s2", "sched_log", mine.toString(), "sched_priv", priv.toString());
    List<String> after = lines(mine.toString());
    assertEquals(1, after.stream().filter(it -> it.contains(words)).count(), "told once");
    scheduler("s2");
    Path usual = home.resolve("sched_logs_s2");
    assertTrue(lines("sched_logs_s2").stream().anyMatch(it -> it.endsWith(words + usual)));
    assertEquals(after, lines(mine.toString()), "no more comes there");
  }

  /** Those of OpenPBS's scheduler, which it has below a bit that is usually off. */
  @Test
  void movesAreToldInOpenPbssWordsToo() throws IOException {
    scheduler("s2", "log_events", "1024");
    Path mine = folder("mine");
    Path priv = folder("priv");
    Files.setPosixFilePermissions(priv, PosixFilePermissions.fromString("rwxr-x---"));
    scheduler("s2", "log_events", "1024", "sched_log", mine + "", "sched_priv", priv + "");
    String begin = "11/20/2026 15:35:54.000000;0400;pbs_sched;Sched;reconfigure;scheduler ";
    assertEquals(
        List.of(
            begin + "priv directory has changed to " + priv,
            begin + "log directory is changed to " + mine),
        lines(mine + ""));
  }

  /** All shards tell of each object, and some are behind. */
  @Test
  void aShardThatIsBehindMovesNothingBack() throws IOException {
    Path mine = folder("mine");
    scheduler("s2", "sched_log", mine.toString());
    int before = lines(mine.toString()).size();
    ClusterObject old = new ClusterObject(ObjectKind.SCHEDULER, "s2", 0L, List.of(), 1L);
    readers.forEach(it -> it.follow(3, new ObjectWritten(at(0), old)));
    scheduler("s2", "sched_log", mine.toString(), "comment", "x");
    List<String> lines = lines(mine.toString());
    assertEquals(before + 2, lines.size());
    assertFalse(lines.get(before).contains("directory"), lines.get(before));
  }

  /** Nothing is lost: the lines stay where they went before. */
  @Test
  void aFolderThatCannotBeUsedGetsNoLine() throws IOException {
    scheduler("s2");
    Path open = folder("open");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path linked = home.toRealPath().resolve("linked");
    Files.createSymbolicLink(linked, folder("target"));
    Path other = folder("other");
    Files.writeString(other.resolve("crontab"), "something else");
    for (Path folder : List.of(open, linked, other, home.resolve("absent"), Path.of("relative"))) {
      int before = lines("sched_logs_s2").size();
      scheduler("s2", "sched_log", folder.toString());
      List<String> lines = lines("sched_logs_s2");
      String failed = "PBS failed validation checks for directory " + folder;
      assertEquals(before + 3, lines.size(), folder.toString());
      assertTrue(lines.get(before).contains(failed), lines.get(before));
      assertFalse(Files.exists(folder.resolve(DAY)), folder.toString());
    }
  }

  @Test
  void aFolderThatOthersMayWriteNowGetsNoMoreLines() throws IOException {
    Path mine = folder("mine");
    scheduler("s2", "sched_log", mine.toString());
    int before = lines(mine.toString()).size();
    Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwxrwxrwx"));
    scheduler("s2", "sched_log", mine.toString(), "scheduling", "False");
    assertEquals(before, lines(mine.toString()).size());
    assertEquals(2, lines("sched_logs_s2").size());
    Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwxr-xr-x"));
    scheduler("s2", "sched_log", mine.toString(), "comment", "x");
    assertEquals(before + 2, lines(mine.toString()).size());
  }

  /** A disk that a scheduler names must not hold up the accounting files. */
  @Test
  void aFolderThatIsGoneLaterLosesNothing() throws IOException {
    Path mine = folder("mine");
    scheduler("s2", "sched_log", mine.toString());
    keep();
    Files.delete(mine.resolve(DAY));
    Files.delete(mine);
    scheduler("s2", "sched_log", mine.toString(), "comment", "x");
    assertEquals(2, lines("sched_logs_s2").size());
  }

  @Test
  void whatEnginesSayOfTheirCyclesStandsThere() throws IOException {
    scheduler("default", "log_events", "2047");
    scheduler("s2");
    int before = lines("sched_logs").size();
    CycleLines cycles = new CycleLines(folders, masks, ZoneOffset.UTC);
    long us = (AccountFixture.BEGIN + 1_000) * 1_000 + 42;
    LogNote begun = new LogNote(us, 128, "Req", "", "Starting Scheduling Cycle");
    LogNote looked = new LogNote(us, 256, "Job", "1.vm", "Considering\njob to run");
    LogNote strange = new LogNote(us, 128, "a;b", "1.vm", "x");
    List<LogNote> notes = List.of(begun, looked, strange);
    for (String name : List.of("default", "s2", "nobody", "../x")) {
      cycles.follow(cycle(name, 4, notes));
    }
    cycles.follow(cycle("default", 0, notes));
    String time = "11/20/2026 15:35:55.000042;";
    List<String> lines = lines("sched_logs");
    assertEquals(
        List.of(
            time + "0080;pbs_sched;Req;;Starting Scheduling Cycle",
            time + "0100;pbs_sched;Job;1.vm;Considering^Jjob to run"),
        lines.subList(before, lines.size()));
    assertEquals(3, lines("sched_logs_s2").size(), "its log_events has no 256");
    cycles.follow(cycle("default", 4, Collections.nCopies(10_000, begun)));
    assertEquals(lines.size() + 300, lines("sched_logs").size());
  }

  private static CycleDone cycle(String scheduler, long epoch, List<LogNote> notes) {
    return CycleDone.newBuilder()
        .setScheduler(scheduler)
        .setEpoch(epoch)
        .setCycle(1)
        .setAtMs(0)
        .setTrigger("job")
        .setJobs(1)
        .setClasses(1)
        .setStarted(1)
        .setPreempted(0)
        .setPromised(0)
        .setWorkUnits(1)
        .setLimitHit(false)
        .setWallUs(1)
        .setCpuUs(1)
        .setNotes(notes)
        .build();
  }

  @Test
  void logEventsSaysWhatIsWritten() throws IOException {
    server("server_host", "vm", "log_events", "256");
    ClusterObject scheduler =
        new ClusterObject(
            ObjectKind.SCHEDULER, "default", 1L, List.of(new Attribute("log_events", "64")), 1L);
    follow(new ObjectWritten(at(0), scheduler));
    run();
    assertEquals(1, lines("server_logs").size());
    assertEquals(2, lines("sched_logs").size(), "its change, and what it ran");
    close();
    open();
    run();
    assertEquals(2, lines("server_logs").size(), "remembered");
  }

  @Test
  void whatWasNotKeptIsCutOffAndWrittenAgain() throws IOException {
    run();
    List<String> before = lines("sched_logs");
    Path file = home.resolve("sched_logs").resolve(DAY);
    Files.writeString(file, "half a li", StandardOpenOption.APPEND);
    close();
    open();
    assertEquals(before, Files.readAllLines(file));
    assertFalse(Files.exists(home.resolve("server_logs").resolve("20261121")));
    run();
    assertEquals(2 * before.size(), lines("sched_logs").size());
  }
}
