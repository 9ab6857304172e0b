package io.millrace.server.core.handover;

import io.millrace.schemas.command.ApplyChange;
import io.millrace.schemas.command.TakeAnswers;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.QueuesArrived;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.Arrival;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.LeavingWork;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The remembered answers to submissions go with the queue, so that a submission that is repeated
 * after its queue went to another shard is not queued twice. The old shard tells the new one all
 * that it remembers, in pieces; submissions to the queue wait at the new shard until the last piece
 * has come, and so does the change itself: no queue goes on before its answers are there.
 */
public final class AnswerHandover {
  /** Name of the continued work; its cursor is "shard/change/next key". */
  public static final String WORK = "answers";

  private static final int LOOKED_AT_ONCE = 2000;
  static final int ANSWERS_AT_ONCE = 500;

  /** Job ids in one piece, so that it stays a small record when each answer has a hundred. */
  private static final int LINES_AT_ONCE = 2000;

  private AnswerHandover() {}

  /**
   * Begins to send the answers of queues that leave with a change, and notes the queues that come.
   *
   * @return whether queues come here, so that the change is not done before their answers are here
   */
  public static boolean follow(Context c, ApplyChange command, Decision decision) {
    TreeSet<Integer> leavingTo = new TreeSet<>();
    Map<Integer, List<String>> arriving = new TreeMap<>();
    Map<String, ClusterObject> written = new TreeMap<>();
    command.getObjects().forEach(o -> written.put(Keys.object(o.getKind(), o.getName()), o));
    for (ClusterObject queue : queues(c, command)) {
      int was = shardBefore(c, queue.getName(), command.getFormerHomes());
      int is = shardAfter(c, queue, written);
      if (was == is || was < 0 || is < 0) {
        continue;
      }
      if (was == c.shard()) {
        leavingTo.add(is);
      } else if (is == c.shard()) {
        arriving.computeIfAbsent(was, shard -> new ArrayList<>()).add(queue.getName());
      }
    }
    arriving.forEach(
        (from, queues) ->
            decision.fact(new QueuesArrived(c.stamp(), from, command.getChange(), queues)));
    if (!arriving.isEmpty()) {
      decision.goOn(c, LeavingWork.WORK, OutgoingHandovers.BACK);
    }
    for (int to : leavingTo) {
      decision.goOn(c, WORK, cursor(to, command.getChange(), ""));
    }
    return !arriving.isEmpty();
  }

  /** All queues that there are before or after the change. */
  private static List<ClusterObject> queues(Context c, ApplyChange command) {
    List<ClusterObject> queues = new ArrayList<>();
    Nodes.each(c.view(), ObjectKind.QUEUE, queues::add);
    command.getObjects().stream()
        .filter(object -> object.getKind() == ObjectKind.QUEUE)
        .filter(object -> PartitionTable.queue(c.view(), object.getName()) == null)
        .forEach(queues::add);
    return queues;
  }

  private static int shardBefore(Context c, String name, Map<String, Integer> formerHomes) {
    ClusterObject queue = PartitionTable.queue(c.view(), name);
    return queue == null
        ? formerHomes.getOrDefault(name, -1)
        : PartitionTable.shardOf(c.view(), queue);
  }

  private static int shardAfter(
      Context c, ClusterObject queue, Map<String, ClusterObject> written) {
    ClusterObject after =
        written.getOrDefault(Keys.object(ObjectKind.QUEUE, queue.getName()), queue);
    String partition = PartitionTable.partitionOf(after);
    ClusterObject placed = written.get(Keys.object(ObjectKind.PARTITION, partition));
    return placed == null
        ? PartitionTable.shardOf(c.view(), partition)
        : Integer.parseInt(Context.attribute(placed, "shard", "-1"));
  }

  private static String cursor(int to, long change, String key) {
    return to + "/" + change + "/" + key;
  }

  /** Sends the next part of the answers. */
  static Decision go(Context c, String cursor) {
    String[] parts = cursor.split("/", 3);
    int to = Integer.parseInt(parts[0]);
    long change = Long.parseLong(parts[1]);
    List<Answer> piece = new ArrayList<>();
    int[] looked = {0};
    int[] lines = {0};
    String[] next = {null};
    c.view()
        .answers()
        .scan(
            parts[2],
            null,
            (key, answer) -> {
              boolean full = piece.size() == ANSWERS_AT_ONCE || lines[0] >= LINES_AT_ONCE;
              if (full || looked[0]++ == LOOKED_AT_ONCE) {
                next[0] = key;
                return false;
              }
              if (goes(c, answer, to)) {
                piece.add(answer);
                lines[0] += answer.getLines().size();
              }
              return true;
            });
    Decision decision = Decision.none();
    boolean last = next[0] == null;
    if (last || !piece.isEmpty()) {
      decision.tell(to, new TakeAnswers(c.asShard(), c.shard(), change, piece, last));
    }
    if (!last) {
      decision.goOn(c, WORK, cursor(to, change, next[0]));
    }
    return decision;
  }

  /** No other change is under way, so that the view says where the queues went. */
  private static boolean goes(Context c, Answer answer, int to) {
    for (String name : answer.getQueues()) {
      ClusterObject queue = PartitionTable.queue(c.view(), name);
      if (queue != null && PartitionTable.shardOf(c.view(), queue) == to) {
        return true;
      }
    }
    return false;
  }

  /** The arrival of one of the queues whose answers are not complete; null when there is none. */
  public static Arrival awaited(Context c, Collection<String> queues) {
    for (String queue : queues) {
      Arrival arrival = c.view().arrivals().get(queue);
      if (arrival != null) {
        return arrival;
      }
    }
    return null;
  }

  /** Subject under which submissions are parked until the answers of their queue have come. */
  public static String subject(int from, long change) {
    return from + "-" + change;
  }

  /** Whether queues of the change still wait for answers of another shard. */
  static boolean othersAwaited(Context c, int from) {
    boolean[] others = {false};
    c.view()
        .arrivals()
        .scan(
            "",
            null,
            (queue, arrival) -> {
              others[0] |= arrival.getFrom() != from;
              return !others[0];
            });
    return others[0];
  }
}
