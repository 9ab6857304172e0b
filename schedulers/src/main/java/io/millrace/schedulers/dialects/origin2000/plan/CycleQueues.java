package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.BATCH_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.EXTERNAL_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.FAKE_MACHINE_MULT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MANAGE_HPM_COUNTERS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SPECIAL_QUEUE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SUBMIT_QUEUE;

import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The queues of a cycle with the jobs that are in them. */
final class CycleQueues {

  /** In this order queues take their jobs and hosts are asked. */
  private static final List<OriginOption> KINDS =
      List.of(SUBMIT_QUEUE, BATCH_QUEUES, DEDICATED_QUEUES, SPECIAL_QUEUE, EXTERNAL_QUEUES);

  private final CycleContext cycle;
  private final OriginView view;
  private final Map<OriginOption, List<CycleQueue>> kinds = new EnumMap<>(OriginOption.class);
  private final Map<String, CycleHost> hosts = new HashMap<>();

  private CycleQueues(CycleContext cycle, OriginView view) {
    this.cycle = cycle;
    this.view = view;
  }

  /** The queues; empty when the server does not know one of them. */
  static Optional<CycleQueues> of(CycleContext cycle, OriginView view, List<CycleJob> sorted) {
    CycleQueues queues = new CycleQueues(cycle, view);
    for (OriginOption kind : KINDS) {
      List<CycleQueue> list = new ArrayList<>();
      for (OriginQueueName name : cycle.config().queues(kind)) {
        if (!view.queues().containsKey(name.name())) {
          return Optional.empty();
        }
        list.add(queues.queue(kind, name));
      }
      queues.kinds.put(kind, list);
    }
    queues.claim(sorted);
    return Optional.of(queues);
  }

  private CycleQueue queue(OriginOption kind, OriginQueueName name) {
    boolean asked = kind != SUBMIT_QUEUE;
    CycleHost host = asked ? host(name.host()) : null;
    CycleQueue queue = new CycleQueue(name, view.queues().get(name.name()), host);
    if (asked && host == null) {
      queue.disable();
    }
    return queue;
  }

  private CycleHost host(String name) {
    OriginHostState given = view.hosts().get(name);
    if (given == null || !hasCounters(given)) {
      return null;
    }
    long times = cycle.config().number(FAKE_MACHINE_MULT);
    return hosts.computeIfAbsent(name, it -> new CycleHost(given, times));
  }

  private boolean hasCounters(OriginHostState host) {
    return !cycle.config().on(MANAGE_HPM_COUNTERS)
        || host.counters().equals(CycleHost.USER)
        || host.counters().equals(CycleHost.GLOBAL);
  }

  /** Gives each queue its jobs; of queues with one name on several hosts by where they run. */
  private void claim(List<CycleJob> sorted) {
    Map<String, List<CycleQueue>> named = new HashMap<>();
    all().forEach(it -> named.computeIfAbsent(it.name(), n -> new ArrayList<>()).add(it));
    Map<CycleQueue, List<CycleJob>> claimed = new LinkedHashMap<>();
    all().forEach(it -> claimed.put(it, new ArrayList<>()));
    for (CycleJob job : sorted) {
      List<CycleQueue> queues = named.getOrDefault(job.given().queue(), List.of());
      queues.stream()
          .filter(it -> it.id().host().equals(job.given().execHost()))
          .findFirst()
          .or(() -> queues.stream().findFirst())
          .ifPresent(it -> claimed.get(it).add(job));
    }
    claimed.forEach(
        (queue, jobs) -> {
          queue.claim(jobs, cycle.now());
          note(queue);
        });
  }

  private void note(CycleQueue queue) {
    if (queue.running() > 0) {
      cycle.memory().busy(queue.id());
    } else {
      cycle.memory().idle(queue.id(), cycle.now());
    }
    if (queue.host() != null) {
      queue.host().charge(queue.assigned(), queue.running());
      if (queue.jobs().stream().anyMatch(job -> job.runs() && job.given().hpm())) {
        queue.host().useCounters();
      }
    }
  }

  private Stream<CycleQueue> all() {
    return KINDS.stream().flatMap(kind -> kinds.get(kind).stream());
  }

  CycleQueue submit() {
    return kinds.get(SUBMIT_QUEUE).get(0);
  }

  Optional<CycleQueue> special() {
    return kinds.get(SPECIAL_QUEUE).stream().findFirst();
  }

  List<CycleQueue> batch() {
    return kinds.get(BATCH_QUEUES);
  }

  List<CycleQueue> dedicated() {
    return kinds.get(DEDICATED_QUEUES);
  }

  List<CycleQueue> external() {
    return kinds.get(EXTERNAL_QUEUES);
  }
}
