package io.millrace.server.core.cluster;

import io.millrace.schemas.command.ApplyChange;
import io.millrace.schemas.command.AskConsent;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ChangeAdvanced;
import io.millrace.schemas.fact.ChangeClosed;
import io.millrace.schemas.fact.ChangeOpened;
import io.millrace.schemas.fact.ChangeQueued;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.schemas.state.OpenChange;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.handover.FormerQueues;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of cluster changes in the administrative shard: one is open, the others wait. New nodes
 * of one list are opened together: the first carries the objects of all to the shards.
 */
public final class Changes {
  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  /** Name of the continued work that opens the next change. */
  public static final String WORK = "changes";

  /** Kind of the timers; the subject is the key of the change. */
  static final String TIMER = "change";

  /** After this time the submitter of a change is answered although some shards have not. */
  static final long RELEASE_AFTER_MS = 30_000;

  /** Changes that may wait; more are refused. */
  static final int WAITING_MAX = 1000;

  /** Nodes that follow the first of their list in one change. */
  static final int TOGETHER_MAX = 100;

  /** Length of the values that these nodes may have in all, for the sake of the record's size. */
  static final int TOGETHER_CHARACTERS_MAX = 100_000;

  private Changes() {}

  static OpenChange record(Context c, long number, CommandMeta waiting, ObjectChange change) {
    OpenChange record = new OpenChange();
    record.setNumber(number);
    record.setWaiting(waiting);
    record.setChange(change);
    record.setOpened(false);
    record.setObjects(List.of());
    record.setDeleted(List.of());
    record.setConsents(List.of());
    record.setApplications(List.of());
    record.setOpenedMs(c.nowMs());
    return record;
  }

  /** Whether a change is open or waits. */
  static boolean underWay(Context c) {
    return !line(c).isEmpty();
  }

  /**
   * Takes a directive.
   *
   * @param by whose it is
   */
  static Decision take(Context c, CommandMeta by, ObjectChange change) {
    List<OpenChange> line = line(c);
    boolean known = line.stream().anyMatch(r -> r.getWaiting().getId().equals(c.meta().getId()));
    if (known) {
      return Decision.none();
    }
    if (line.size() >= WAITING_MAX) {
      return Decision.rejected(c, PbsError.SERVER_BUSY);
    }
    long number = c.numbers().getLastChange() + 1;
    OpenChange record = record(c, number, by, change);
    if (!line.isEmpty()) {
      return Decision.none().fact(new ChangeQueued(c.stamp(), record));
    }
    Decision decision = Decision.none();
    open(c, record, decision);
    return decision;
  }

  /** Opens the oldest waiting change, if none is open. */
  static Decision next(Context c) {
    Decision decision = Decision.none();
    List<OpenChange> line = line(c);
    if (!line.isEmpty() && !line.get(0).getOpened()) {
      open(c, line.get(0), decision);
    }
    return decision;
  }

  private static List<OpenChange> line(Context c) {
    List<OpenChange> line = new ArrayList<>();
    c.view()
        .changes()
        .scan(
            "",
            null,
            (key, record) -> {
              line.add(record);
              return true;
            });
    return line;
  }

  private static void open(Context c, OpenChange waiting, Decision decision) {
    Draft draft = new Draft(c.view(), waiting.getNumber(), c.nowMs());
    OpenChange record = record(c, waiting.getNumber(), waiting.getWaiting(), waiting.getChange());
    try {
      Directive.work(waiting.getWaiting(), waiting.getChange(), draft);
    } catch (RejectedChange e) {
      refuse(c, waiting, e.code(), List.of(e.getMessage()), decision);
      return;
    } catch (RuntimeException e) {
      // A change that fails must still leave the queue, or all others would wait behind it for
      // ever.
      String incident = Keys.incident(waiting.getWaiting());
      LOG.error("incident {}: {} was not opened", incident, waiting.getChange(), e);
      List<String> lines = List.of(PbsError.INCIDENT.text(" " + incident));
      refuse(c, waiting, PbsError.INCIDENT.code(), lines, decision);
      return;
    }
    List<OpenChange> together = followers(c, waiting, draft);
    record.setObjects(draft.written());
    record.setDeleted(draft.deleted());
    record.setConsents(draft.consents());
    record.setOpenedMs(waiting.getOpenedMs());
    record.setDelayTold(waiting.getDelayTold());
    openPrepared(c, record, decision);
    together.forEach(each -> decision.fact(new ChangeOpened(c.stamp(), each)));
  }

  /**
   * Adds to the draft the nodes that wait next in line and are of the same list, up to one that is
   * refused or fails: it is answered when it is the first in line.
   */
  private static List<OpenChange> followers(Context c, OpenChange first, Draft draft) {
    List<OpenChange> followers = new ArrayList<>();
    if (!createsNode(first.getChange()) || !draft.consents().isEmpty()) {
      return followers;
    }
    int max = Math.min(TOGETHER_MAX, TOGETHER_CHARACTERS_MAX / (1 + characters(first.getChange())));
    for (OpenChange each : line(c)) {
      if (each.getNumber() <= first.getNumber()) {
        continue;
      }
      if (followers.size() >= max || !ofOneList(first, each)) {
        break;
      }
      Draft.LaterChange work = later -> Directive.work(each.getWaiting(), each.getChange(), later);
      if (!draft.goOn(each.getNumber(), work)) {
        break;
      }
      OpenChange opened = record(c, each.getNumber(), each.getWaiting(), each.getChange());
      opened.setOpened(true);
      opened.setApplying(true);
      opened.setOpenedMs(each.getOpenedMs());
      opened.setDelayTold(each.getDelayTold());
      followers.add(opened);
    }
    return followers;
  }

  private static boolean createsNode(ObjectChange change) {
    return change.getKind() == ObjectKind.NODE && change.getOperation().equals("CREATE");
  }

  private static int characters(ObjectChange change) {
    return change.getAttributes().stream().mapToInt(edit -> edit.getValue().length()).sum();
  }

  private static boolean ofOneList(OpenChange first, OpenChange other) {
    return createsNode(other.getChange())
        && other.getChange().getAttributes().equals(first.getChange().getAttributes())
        && other.getWaiting().getPrincipal().equals(first.getWaiting().getPrincipal())
        && other.getWaiting().getRole() == first.getWaiting().getRole();
  }

  /** Opens a change whose objects have been worked out. */
  static void openPrepared(Context c, OpenChange record, Decision decision) {
    record.setOpened(true);
    if (record.getConsents().isEmpty()) {
      record.setApplying(true);
      record.setApplications(allShards(c));
    }
    decision.fact(new ChangeOpened(c.stamp(), record));
    for (int shard : record.getConsents()) {
      decision.tell(
          shard,
          new AskConsent(
              c.asShard(), record.getNumber(), record.getObjects(), record.getDeleted()));
    }
    if (record.getApplying()) {
      apply(c, record, decision);
    }
  }

  private static List<Integer> allShards(Context c) {
    return IntStream.range(0, c.view().shards()).boxed().toList();
  }

  private static void apply(Context c, OpenChange record, Decision decision) {
    Map<String, Integer> formerHomes = FormerQueues.homes(c.view(), record.getObjects());
    for (int shard : allShards(c)) {
      decision.tell(
          shard,
          new ApplyChange(
              c.asShard(),
              record.getNumber(),
              record.getObjects(),
              record.getDeleted(),
              formerHomes));
    }
  }

  static OpenChange get(Context c, long number) {
    return c.view().changes().get(Keys.number(number));
  }

  static Decision consent(Context c, long number, int shard, int code, List<String> lines) {
    Decision decision = Decision.none();
    OpenChange record = get(c, number);
    if (record == null || !record.getConsents().contains(shard)) {
      return decision;
    }
    if (code != 0) {
      refuse(c, record, code, lines, decision);
      reopen(c, record, decision);
      return decision;
    }
    List<Integer> rest = without(record.getConsents(), shard);
    boolean applying = rest.isEmpty();
    List<Integer> applications = applying ? allShards(c) : List.of();
    decision.fact(
        new ChangeAdvanced(c.stamp(), number, applying, rest, applications, record.getDelayTold()));
    if (applying) {
      apply(c, record, decision);
    }
    return decision;
  }

  static Decision confirm(Context c, long number, int shard) {
    Decision decision = Decision.none();
    OpenChange record = get(c, number);
    if (record == null || !record.getApplications().contains(shard)) {
      return decision;
    }
    List<Integer> rest = without(record.getApplications(), shard);
    if (!rest.isEmpty()) {
      return decision.fact(
          new ChangeAdvanced(c.stamp(), number, true, List.of(), rest, record.getDelayTold()));
    }
    close(c, record, 0, decision);
    answer(c, record, 0, List.of(), decision);
    for (OpenChange each : line(c)) {
      if (each.getOpened() && each.getNumber() > number) {
        decision.fact(new ChangeClosed(c.stamp(), each.getNumber(), 0));
        answer(c, each, 0, List.of(), decision);
      }
    }
    return decision;
  }

  private static void refuse(
      Context c, OpenChange record, int code, List<String> lines, Decision decision) {
    if (get(c, record.getNumber()) != null) {
      close(c, record, code, decision);
    }
    answer(c, record, code, lines, decision);
  }

  /** Answers the submitter, unless he was answered before because shards were silent. */
  private static void answer(
      Context c, OpenChange record, int code, List<String> lines, Decision decision) {
    String key = Keys.number(record.getNumber());
    long releaseMs = record.getOpenedMs() + RELEASE_AFTER_MS;
    boolean released =
        record.getDelayTold() && c.view().timers().get(Keys.timer(releaseMs, TIMER, key)) == null;
    if (!released) {
      decision.answer(record.getWaiting(), code, lines);
    }
  }

  /**
   * Writes the objects unchanged, so that shards which had agreed lift the restrictions they set
   * for the change.
   */
  private static void reopen(Context c, OpenChange record, Decision decision) {
    List<ClusterObject> asBefore = new ArrayList<>();
    Stream.concat(record.getObjects().stream(), record.getDeleted().stream())
        .map(object -> c.view().objects().get(Keys.object(object.getKind(), object.getName())))
        .filter(Objects::nonNull)
        .forEach(
            object ->
                asBefore.add(
                    new ClusterObject(
                        object.getKind(),
                        object.getName(),
                        record.getNumber(),
                        object.getAttributes(),
                        object.getCreated())));
    for (int shard : allShards(c)) {
      decision.tell(
          shard, new ApplyChange(c.asShard(), record.getNumber(), asBefore, List.of(), Map.of()));
    }
  }

  private static void close(Context c, OpenChange record, int code, Decision decision) {
    decision.fact(new ChangeClosed(c.stamp(), record.getNumber(), code));
    decision.goOn(c, WORK, "");
  }

  private static List<Integer> without(List<Integer> shards, int shard) {
    return shards.stream().filter(s -> s != shard).toList();
  }

  /** A change has been open for long: at first the user is told, later he is answered. */
  static void late(Context c, String key, Decision decision) {
    OpenChange record = c.view().changes().get(key);
    if (record == null) {
      return;
    }
    // A queued change waits for the same shards as the open one.
    OpenChange open = line(c).get(0);
    List<Integer> silent = open.getApplying() ? open.getApplications() : open.getConsents();
    String who =
        "shard " + silent.stream().map(String::valueOf).toList() + " is busy or has no owner";
    if (!record.getDelayTold()) {
      decision.fact(
          new ChangeAdvanced(
              c.stamp(),
              record.getNumber(),
              record.getApplying(),
              record.getConsents(),
              record.getApplications(),
              true));
      decision.interim(record.getWaiting(), "waiting: " + who);
    } else {
      decision.answer(
          record.getWaiting(),
          PbsError.SYSTEM.code(),
          List.of(
              PbsError.SYSTEM.text()
                  + ": "
                  + who
                  + "; the change is recorded and is applied when it answers"));
    }
  }
}
