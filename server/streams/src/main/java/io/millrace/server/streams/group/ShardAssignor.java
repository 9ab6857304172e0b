package io.millrace.server.streams.group;

import io.millrace.server.streams.group.ShardDivision.DividedServer;
import io.millrace.server.streams.group.ShardDivision.DividedShare;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskAssignor;

/** A {@link ShardDivision} as Kafka Streams asks for it, in the server that leads the group. */
public final class ShardAssignor implements TaskAssignor {

  /** Name of the setting that holds the {@link LastMembers}: each division has a new assignor. */
  public static final String CONFIG = "millrace.last.members";

  /** Members of the group at the last division that was made here. */
  public static final class LastMembers {
    private final Set<String> ids = new HashSet<>();

    private synchronized boolean had(Collection<String> members) {
      return members.stream().anyMatch(ids::contains);
    }

    private synchronized void are(Collection<String> members) {
      ids.clear();
      ids.addAll(members);
    }
  }

  private LastMembers last = new LastMembers();

  @Override
  public void configure(Map<String, ?> configs) {
    if (configs.get(CONFIG) instanceof LastMembers members) {
      last = members;
    }
  }

  @Override
  public TaskAssignment assign(ApplicationState state) {
    SortedMap<Integer, TaskId> tasks = new TreeMap<>();
    state.allTasks().keySet().forEach(task -> tasks.put(task.partition(), task));
    Map<ProcessId, KafkaStreamsState> servers = state.kafkaStreamsStates(true);
    Map<String, DividedShare> shares =
        new ShardDivision(
                servers.values().stream().map(it -> server(it, tasks.values())).toList(),
                tasks.keySet(),
                state.assignmentConfigs().numStandbyReplicas(),
                state.assignmentConfigs().acceptableRecoveryLag())
            .shares();
    last.are(
        servers.values().stream()
            .flatMap(it -> it.consumerClientIds().stream())
            .collect(Collectors.toSet()));
    Instant now = Instant.now();
    List<KafkaStreamsAssignment> assignments = new ArrayList<>();
    servers.forEach(
        (process, server) ->
            assignments.add(assignment(process, shares.get(process.toString()), tasks, now)));
    return new TaskAssignment(assignments);
  }

  private DividedServer server(KafkaStreamsState state, Collection<TaskId> tasks) {
    Map<Integer, Long> behind = new HashMap<>();
    for (TaskId task : tasks) {
      long lag = state.lagFor(task);
      if (lag >= 0) {
        behind.put(task.partition(), lag);
      }
    }
    SortedSet<TaskId> owned = state.previousActiveTasks();
    return new DividedServer(
        state.processId().toString(),
        !owned.isEmpty() || last.had(state.consumerClientIds()),
        owned.stream().map(TaskId::partition).collect(Collectors.toSet()),
        behind);
  }

  private static KafkaStreamsAssignment assignment(
      ProcessId process, DividedShare share, Map<Integer, TaskId> tasks, Instant now) {
    Set<AssignedTask> all = new HashSet<>();
    share
        .shards()
        .forEach(it -> all.add(new AssignedTask(tasks.get(it), AssignedTask.Type.ACTIVE)));
    share
        .copies()
        .forEach(it -> all.add(new AssignedTask(tasks.get(it), AssignedTask.Type.STANDBY)));
    KafkaStreamsAssignment assignment = KafkaStreamsAssignment.of(process, all);
    return share
        .lookAgain()
        .map(after -> assignment.withFollowupRebalance(now.plus(after)))
        .orElse(assignment);
  }
}
