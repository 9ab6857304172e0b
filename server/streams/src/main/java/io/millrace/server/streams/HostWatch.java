package io.millrace.server.streams;

import io.millrace.schemas.command.NoteHostHeard;
import io.millrace.schemas.command.NoteHostLost;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * Compares the state of a shard's nodes with the heartbeats of their executors, and sends the shard
 * commands where the two differ. Nodes whose executor sends no heartbeats are left alone.
 */
final class HostWatch {
  private static final long LOOK_MS = 1_000;

  /** Time before a command is repeated, in which its effect should show. */
  private static final long AGAIN_MS = 8_000;

  /**
   * A lost host is reported again after this time, for runs that were granted on its nodes since.
   */
  private static final long LOST_AGAIN_MS = 60_000;

  private static final long NEVER = Long.MAX_VALUE;

  private final ExecutorLiveness heard;

  /** Commands that were sent, and when each may be repeated. */
  private final Map<CommandAboutExecutor, Long> told = new HashMap<>();

  /** Since when each node has been seen up. */
  private final Map<String, Long> up = new HashMap<>();

  private long lookedMs;

  /** A kind of command about one executor; one command serves all its nodes. */
  private record CommandAboutExecutor(
      Class<? extends SpecificRecord> what, String host, String executor) {}

  /** After how many seconds of silence a node is down, and what began there is given up. */
  private record SilenceLimits(long downS, long lostS) {}

  HostWatch(ExecutorLiveness heard) {
    this.heard = heard;
  }

  /** Commands for the shard that are due now. */
  List<SpecificRecord> due(View view, long nowMs, Supplier<CommandMeta> meta) {
    lookedMs = Math.min(lookedMs, nowMs); // the clock may have been set back
    if (nowMs - lookedMs < LOOK_MS) {
      return List.of();
    }
    lookedMs = nowMs;
    told.values().removeIf(againMs -> nowMs >= againMs || againMs > nowMs + LOST_AGAIN_MS);
    List<SpecificRecord> due = new ArrayList<>();
    SilenceLimits limits = limits(view);
    view.nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              SpecificRecord news = node.getHeartbeatS() > 0 ? look(node, limits, meta) : null;
              if (news != null && toBeTold(news, node, nowMs)) {
                due.add(news);
              }
              return true;
            });
    return due;
  }

  private boolean toBeTold(SpecificRecord news, Node node, long nowMs) {
    long againMs = news instanceof NoteHostLost ? LOST_AGAIN_MS : AGAIN_MS;
    CommandAboutExecutor what =
        new CommandAboutExecutor(news.getClass(), node.getHost(), node.getExecutor());
    return told.putIfAbsent(what, nowMs + againMs) == null;
  }

  /** The command about this node's host; null when state and heartbeats agree. */
  private SpecificRecord look(Node node, SilenceLimits limits, Supplier<CommandMeta> meta) {
    String host = node.getHost();
    String executor = node.getExecutor();
    if (node.getUp() && !Long.valueOf(node.getStateSinceMs()).equals(up.get(node.getName()))) {
      up.put(node.getName(), node.getStateSinceMs());
      heard.cameUp(host, executor); // its heartbeats may not have begun yet
    }
    long unheardS = heard.unheardS(host, executor);
    if (node.getUp()) {
      return unheardS >= limits.downS()
          ? new NoteHostSilent(meta.get(), host, executor, unheardS)
          : null;
    }
    if (heard.beats(host, executor)) {
      return new NoteHostHeard(meta.get(), host, executor);
    }
    return unheardS >= limits.lostS() && JobRecords.runs(node) > 0
        ? new NoteHostLost(meta.get(), host, executor, unheardS)
        : null;
  }

  /** node_fail_requeue 0 means for ever, and less than 0 a second, as in PBS. */
  private static SilenceLimits limits(View view) {
    ClusterObject server = view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    long downS = seconds(server, "max_unheard");
    long patienceS = seconds(server, "node_fail_requeue");
    return new SilenceLimits(downS, patienceS == 0 ? NEVER : downS + Math.max(1, patienceS));
  }

  private static long seconds(ClusterObject server, String attribute) {
    String standard = AttributeTable.defaultOf(ObjectKind.SERVER, attribute);
    return Long.parseLong(Context.attribute(server, attribute, standard));
  }
}
