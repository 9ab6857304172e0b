package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.ExecHost;
import io.millrace.schedulers.dialects.gridengine.cluster.Offers;
import io.millrace.schedulers.dialects.gridengine.cluster.ParallelEnvironment;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.cluster.Relation;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All containers of a cluster, and what an assignment takes of each. */
final class Containers {

  private final Cluster cluster;
  private final Container global;
  private final Map<String, Container> hosts = new LinkedHashMap<>();
  private final Map<String, Container> queues = new LinkedHashMap<>();
  private final Map<String, Container> environments = new LinkedHashMap<>();

  Containers(Cluster cluster) {
    this.cluster = cluster;
    this.global = container(Level.GLOBAL, ExecHost.GLOBAL, cluster.global().offers());
    for (QueueInstance queue : cluster.queues()) {
      queues.put(queue.name(), container(Level.QUEUE, queue.name(), queue.offers()));
      hosts.computeIfAbsent(queue.host(), this::host);
    }
    for (ParallelEnvironment environment : cluster.environments()) {
      Offers slots = Offers.NOTHING.withCapacity("slots", environment.slots());
      environments.put(environment.name(), container(Level.ENVIRONMENT, environment.name(), slots));
    }
  }

  private Container host(String name) {
    Offers offers = cluster.host(name).offers().withValue("hostname", name);
    return container(Level.HOST, name, offers);
  }

  private Container container(Level level, String name, Offers offers) {
    return new Container(level, name, offers, cluster.complexes());
  }

  Container global() {
    return global;
  }

  Container host(QueueInstance queue) {
    return hosts.get(queue.host());
  }

  Container hostNamed(String name) {
    return hosts.get(name);
  }

  Container queue(QueueInstance queue) {
    return queues.get(queue.name());
  }

  Container environment(ParallelEnvironment environment) {
    return environments.get(environment.name());
  }

  /** Names of the hosts that have queue instances. */
  List<String> hostNames() {
    return List.copyOf(hosts.keySet());
  }

  /** Debits an assignment everywhere; returns what it takes, in the order of the file schedule. */
  List<Use> debit(Needs needs, Assignment assignment) {
    List<Use> uses = new ArrayList<>();
    Span span = Span.of(assignment.start(), assignment.duration());
    assignment
        .environment()
        .ifPresent(
            environment -> {
              Complex slots = cluster.complexes().slots();
              environment(environment).usage(slots).add(span, assignment.slots());
              uses.add(new Use(Level.ENVIRONMENT, environment.name(), "slots", assignment.slots()));
            });
    uses.addAll(take(global, needs, assignment.slots(), true, span));
    boolean master = true;
    for (Grant grant : assignment.grants()) {
      uses.addAll(take(host(grant.queue()), needs, grant.slots(), master, span));
      uses.addAll(take(queue(grant.queue()), needs, grant.slots(), master, span));
      master = false;
    }
    return uses;
  }

  private List<Use> take(Container from, Needs needs, int slots, boolean master, Span span) {
    List<Use> uses = new ArrayList<>();
    for (String name : from.offers().capacities().keySet()) {
      Complex complex = cluster.complexes().find(name).orElseThrow();
      double amount = needs.amount(complex) * (complex.perJob() ? 1 : slots);
      if (amount == 0 && complex.relation() == Relation.EXCLUSIVE) {
        from.shared(complex).add(span, slots);
        uses.add(new Use(from.level(), from.name(), name, slots));
      } else if (amount != 0 && (master || !complex.perJob())) {
        from.usage(complex).add(span, amount);
        uses.add(new Use(from.level(), from.name(), name, amount));
      }
    }
    return uses;
  }
}
