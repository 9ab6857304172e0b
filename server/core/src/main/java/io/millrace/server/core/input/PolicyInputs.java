package io.millrace.server.core.input;

import io.millrace.schemas.command.InputReading;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.origin.GroupAccounts;
import io.millrace.schemas.pbs.origin.OriginWords;
import io.millrace.schemas.pbs.origin.OutageText;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.DynamicResources;
import io.millrace.schemas.pbs.schedconfig.InputSource;
import io.millrace.schemas.pbs.schedconfig.InputSource.InputKind;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.admission.QueuedJobs;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the programs of a scheduler object say that the server has of resources. */
public final class PolicyInputs {
  /** Longest text that is kept of what a program said, or of why it said nothing, characters. */
  private static final int TEXT_MAX = 200;

  /** Longest text of a program, and of a file, of which all is kept, characters. */
  private static final int CONTENT_MAX = 8 << 10;

  private static final int FILE_MAX = 64 << 10;

  private PolicyInputs() {}

  /** Programs of a scheduler object by their resources; empty where its policy names none. */
  public static Map<String, String> programs(View view, String scheduler) {
    String text =
        Context.attribute(
            PartitionTable.scheduler(view, scheduler), AttributeTable.SERVER_DYN_RES, "");
    return DynamicResources.parse(text);
  }

  /** From where all inputs of a scheduler object come. */
  public static List<InputSource> sources(View view, String scheduler) {
    List<InputSource> sources = new ArrayList<>();
    programs(view, scheduler)
        .forEach(
            (name, command) -> sources.add(new InputSource(name, InputKind.AMOUNT, 0, command)));
    ClusterObject object = PartitionTable.scheduler(view, scheduler);
    String others = Context.attribute(object, AttributeTable.POLICY_INPUTS_FROM, "");
    sources.addAll(InputSource.parse(others));
    return sources;
  }

  /** The inputs as they are known; empty when there are none. */
  public static List<PolicyInput> of(View view, String scheduler) {
    Scheduler record = view.schedulers().get(scheduler);
    return record == null ? List.of() : record.getInputs();
  }

  /**
   * The inputs of a scheduler object after its programs were run: one for each resource that has a
   * program now. One that was not read, or could not be, keeps its content.
   */
  public static List<PolicyInput> after(
      View view, String scheduler, List<InputReading> readings, long nowMs) {
    Map<String, PolicyInput> before = named(of(view, scheduler), PolicyInput::getName);
    Map<String, InputReading> read = named(readings, InputReading::getName);
    ResourceTable resources = CustomResources.with(view);
    List<PolicyInput> after = new ArrayList<>();
    List<PolicyInput> amounts = new ArrayList<>();
    for (InputSource source : sources(view, scheduler)) {
      String name = source.name();
      PolicyInput known = before.get(name);
      PolicyInput input =
          known == null
              ? PolicyInput.newBuilder().setName(name).build()
              : PolicyInput.newBuilder(known).build();
      if (read.containsKey(name)) {
        take(input, source.kind(), read.get(name), resources, nowMs);
      }
      after.add(input);
      if (source.kind() == InputKind.AMOUNT) {
        amounts.add(input);
      }
    }
    count(view, scheduler, resources, amounts);
    return after;
  }

  private static <T> Map<String, T> named(List<T> all, Function<T, String> name) {
    return all.stream().collect(Collectors.toMap(name, Function.identity(), (a, b) -> b));
  }

  private static void take(
      PolicyInput input,
      InputKind kind,
      InputReading reading,
      ResourceTable resources,
      long nowMs) {
    String problem = cut(reading.getProblem());
    if (problem.isEmpty() && kind != InputKind.AMOUNT) {
      problem = text(input, kind, reading.getContent(), nowMs);
    } else if (problem.isEmpty()) {
      String content = cut(reading.getContent());
      ResourceDefinition resource = resources.find(input.getName()).orElse(null);
      problem = read(input, resource, content, nowMs);
    }
    if (!problem.equals(input.getProblem())) {
      input.setProblem(problem);
      input.setFailedMs(problem.isEmpty() ? 0 : nowMs);
    }
  }

  /** Takes a text over; returns why it cannot be taken. */
  private static String text(PolicyInput input, InputKind kind, String content, long nowMs) {
    int most = most(kind);
    if (content.length() > most) {
      return "it has more than " + most + " characters";
    }
    Optional<String> refused =
        input.getName().equals(OriginWords.fileInput(GroupAccounts.ALLOCATIONS))
            ? GroupAccounts.refuse(content)
            : Optional.empty();
    if (refused.isPresent()) {
      return cut(refused.get());
    }
    // Which times are over does not matter to whether they can be read.
    if (OriginWords.saysDedicatedTimes(input.getName())
        && OutageText.read(content, "", 0, ZoneOffset.UTC).isEmpty()) {
      return "it said '" + cut(content) + "', which tells no dedicated times";
    }
    if (!content.equals(input.getContent()) || input.getReadMs() == 0) {
      input.setContent(content);
      input.setReadMs(nowMs);
    }
    return "";
  }

  /** Most characters of a text of which all is kept. */
  public static int most(InputKind kind) {
    return kind == InputKind.FILE ? FILE_MAX : CONTENT_MAX;
  }

  /** Takes a content over; returns why it cannot be taken. */
  private static String read(
      PolicyInput input, ResourceDefinition resource, String content, long nowMs) {
    if (resource == null || !resource.kind().numeric()) {
      return input.getName() + " is no resource of which there is an amount";
    }
    try {
      long amount = Amounts.parse(resource, content);
      if (amount < 0) {
        return "it said '" + content + "', which is less than nothing";
      }
      if (!content.equals(input.getContent())) {
        input.setContent(content);
        input.setReadMs(nowMs);
      }
      input.setAmount(amount);
      return "";
    } catch (RequestException e) {
      return "it said '" + content + "', which is no amount of " + input.getName();
    }
  }

  /** As much as is kept of what a program said, or of why it said nothing, in one line. */
  public static String cut(String text) {
    String line = text.replaceAll("\\p{Cc}", " ").strip();
    if (line.length() <= TEXT_MAX) {
      return line;
    }
    boolean half = Character.isHighSurrogate(line.charAt(TEXT_MAX - 1));
    return line.substring(0, half ? TEXT_MAX - 1 : TEXT_MAX).strip();
  }

  /**
   * Notes what runs have of the resources, where it does not count against what a program says. For
   * a resource with the flag q it counts: the program says then what there is of it altogether.
   */
  private static void count(
      View view, String scheduler, ResourceTable resources, List<PolicyInput> inputs) {
    List<PolicyInput> beyond = new ArrayList<>();
    for (PolicyInput input : inputs) {
      input.setInUse(0);
      boolean altogether =
          resources.find(input.getName()).map(it -> it.flags().indexOf('q') >= 0).orElse(true);
      if (!altogether) {
        beyond.add(input);
      }
    }
    if (beyond.isEmpty()) {
      return;
    }
    Map<String, Long> sums = new HashMap<>();
    for (long number : running(view)) {
      Job job = view.jobs().get(Keys.number(number));
      if (job != null && job.getScheduler().equals(scheduler)) {
        QueuedJobs.amounts(job.getSpec().getRequest())
            .forEach((name, amount) -> sums.merge(name, amount, Amounts::sum));
      }
    }
    beyond.forEach(input -> input.setInUse(sums.getOrDefault(input.getName(), 0L)));
  }

  private static TreeSet<Long> running(View view) {
    TreeSet<Long> numbers = new TreeSet<>();
    view.nodes()
        .each(
            node -> {
              for (Holding holding : node.getHoldings()) {
                numbers.add(holding.getNumber());
              }
            });
    return numbers;
  }
}
