package io.millrace.server.streams.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskInfo;
import org.apache.kafka.streams.processor.assignment.TaskTopicPartition;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;

class ShardAssignorTest {
  private static final ProcessId FIRST = new ProcessId(new UUID(1, 1));
  private static final ProcessId SECOND = new ProcessId(new UUID(2, 2));
  private static final TaskId ZERO = new TaskId(0, 0);
  private static final TaskId ONE = new TaskId(0, 1);
  private static final List<TaskId> TASKS = List.of(ZERO, ONE);

  private final ShardAssignor.LastMembers last = new ShardAssignor.LastMembers();

  private Map<ProcessId, KafkaStreamsAssignment> assign(KafkaStreamsState... servers) {
    ShardAssignor assignor = new ShardAssignor();
    assignor.configure(Map.of(ShardAssignor.CONFIG, last));
    return assignor.assign(new Group(List.of(servers))).assignment().stream()
        .collect(Collectors.toMap(KafkaStreamsAssignment::processId, Function.identity()));
  }

  private static Map<TaskId, AssignedTask.Type> types(KafkaStreamsAssignment assignment) {
    Map<TaskId, AssignedTask.Type> types = new HashMap<>();
    assignment.tasks().forEach((id, task) -> types.put(id, task.type()));
    return types;
  }

  @Test
  void aMemberOfTheLastDivisionIsSettled() {
    KafkaStreamsState owner = new Member(FIRST, "one", Set.of(ZERO, ONE), Map.of());
    KafkaStreamsState comes = new Member(SECOND, "two", Set.of(), Map.of(ZERO, 7L, ONE, 7L));
    KafkaStreamsAssignment first = assign(owner, comes).get(SECOND);
    assertEquals(
        Map.of(ZERO, AssignedTask.Type.STANDBY, ONE, AssignedTask.Type.STANDBY), types(first));
    assertTrue(first.followupRebalanceDeadline().isPresent());
    Map<ProcessId, KafkaStreamsAssignment> second = assign(owner, comes);
    assertEquals(
        Map.of(ZERO, AssignedTask.Type.ACTIVE, ONE, AssignedTask.Type.STANDBY),
        types(second.get(SECOND)));
    assertEquals(
        Map.of(ZERO, AssignedTask.Type.STANDBY, ONE, AssignedTask.Type.ACTIVE),
        types(second.get(FIRST)));
    assertFalse(second.get(SECOND).followupRebalanceDeadline().isPresent());
  }

  /** A process that was started anew is another member, of the same name of a process. */
  @Test
  void anotherMemberOfTheSameProcessIsNot() {
    KafkaStreamsState owner = new Member(FIRST, "one", Set.of(ZERO, ONE), Map.of());
    assign(owner, new Member(SECOND, "two", Set.of(), Map.of()));
    KafkaStreamsState again = new Member(SECOND, "two-again", Set.of(), Map.of(ZERO, 0L, ONE, 0L));
    assertTrue(assign(owner, again).get(SECOND).followupRebalanceDeadline().isPresent());
  }

  private record Group(List<KafkaStreamsState> members) implements ApplicationState {
    @Override
    public Map<ProcessId, KafkaStreamsState> kafkaStreamsStates(boolean computeTaskLags) {
      return members.stream()
          .collect(Collectors.toMap(KafkaStreamsState::processId, Function.identity()));
    }

    @Override
    public AssignmentConfigs assignmentConfigs() {
      return new AssignmentConfigs(
          10_000L, 2, 1, 60_000L, List.of(), OptionalInt.empty(), OptionalInt.empty(), "none");
    }

    @Override
    public Map<TaskId, TaskInfo> allTasks() {
      return TASKS.stream().collect(Collectors.toMap(Function.identity(), Task::new));
    }
  }

  private record Task(TaskId id) implements TaskInfo {
    @Override
    public boolean isStateful() {
      return true;
    }

    @Override
    public Set<String> stateStoreNames() {
      return Set.of();
    }

    @Override
    public Set<TaskTopicPartition> topicPartitions() {
      return Set.of();
    }
  }

  /**
   * @param behind by task; nothing is known of others
   */
  private record Member(ProcessId processId, String id, Set<TaskId> owned, Map<TaskId, Long> behind)
      implements KafkaStreamsState {
    @Override
    public int numProcessingThreads() {
      return 1;
    }

    @Override
    public SortedSet<String> consumerClientIds() {
      return new TreeSet<>(Set.of(id));
    }

    @Override
    public SortedSet<TaskId> previousActiveTasks() {
      return new TreeSet<>(owned);
    }

    @Override
    public SortedSet<TaskId> previousStandbyTasks() {
      return new TreeSet<>(behind.keySet());
    }

    @Override
    public long lagFor(TaskId task) {
      return behind.getOrDefault(task, -3L);
    }

    @Override
    public SortedSet<TaskId> prevTasksByLag(String consumerClientId) {
      return previousStandbyTasks();
    }

    @Override
    public Map<TaskId, Long> statefulTasksToLagSums() {
      return behind;
    }

    @Override
    public Optional<HostInfo> hostInfo() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> clientTags() {
      return Map.of();
    }

    @Override
    public Optional<String> rackId() {
      return Optional.empty();
    }
  }
}
