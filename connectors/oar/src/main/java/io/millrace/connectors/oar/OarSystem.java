package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.schemas.oar.OarAsked;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** An OAR cluster, by its REST API. */
public final class OarSystem implements OutsideSystem {

  private static final int TOGETHER_MOST = 32;

  private final ClusterFile file;
  private final OarExchange door;
  private final OarScripts scripts;
  private final OarTogether together;
  private final EndedJobs ended;

  public OarSystem(ClusterFile file, CommandRunner runner, OarExchange door) {
    this.file = file;
    this.door = door;
    this.scripts = new OarScripts(file, runner);
    this.together = new OarTogether(file, door);
    this.ended = new EndedJobs(file, door, together);
  }

  @Override
  public Submitted submit(OutsideSubmission order) throws InterruptedException {
    return submit(List.of(order));
  }

  /** As many as are brought to the disk together. */
  @Override
  public int togetherMost() {
    return TOGETHER_MOST;
  }

  /** One oarsub takes a second, whatever it brings. */
  @Override
  public Submitted submitTogether(List<OutsideSubmission> runs) throws InterruptedException {
    return submit(runs);
  }

  private Submitted submit(List<OutsideSubmission> runs) throws InterruptedException {
    OutsideSubmission order = runs.get(0);
    String account = order.account();
    if (!OarCredentials.NAME.matcher(account).matches()) {
      return new Submitted.SubmissionRefused(
          "OAR's API takes names of letters, digits and underscores only, not " + account);
    }
    Optional<String> wrong = wrong(order.work().environment()).or(() -> wrong(order));
    if (wrong.isPresent()) {
      return new Submitted.SubmissionRefused(wrong.get());
    }
    List<String> paths = new ArrayList<>();
    try {
      for (OutsideSubmission run : runs) {
        paths.add(scripts.write(run));
      }
    } catch (OarScripts.ScriptRefused e) {
      return new Submitted.AccountRefused(e.getMessage());
    } catch (IOException e) {
      return new Submitted.NotSent(e.getMessage());
    }
    OarAnswer answer = door.ask(OarRequest.submission(account, fields(order, paths)));
    return paths.size() == 1
        ? OarWords.submitted(answer)
        : together.submitted(answer, runs.stream().map(OutsideSubmission::tag).toList());
  }

  /** What of OAR's own words cannot be sent; empty when all can be, or there are none. */
  private static Optional<String> wrong(Map<String, String> variables) {
    String properties = variables.getOrDefault(OarAsked.PROPERTIES, "");
    if (!properties.isEmpty() && !OarAsked.areConditions(properties)) {
      return Optional.of(OarAsked.PROPERTIES + ": no expression that goes to an OAR as it is");
    }
    String resources = variables.getOrDefault(OarAsked.RESOURCES, "");
    try {
      if (!resources.isEmpty()) {
        OarAsked.processors(resources);
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(OarAsked.RESOURCES + ": " + e.getMessage());
    }
  }

  /** Why it cannot have its hosts; empty when it can. */
  private static Optional<String> wrong(OutsideSubmission order) {
    if (!order.amounts().isEven()) {
      return Optional.of(
          "OAR gives each host of a job as many processors as any other, not "
              + order.amounts().words()
              + "; ask for as many of each, as with place=scatter");
    }
    boolean own = !order.work().environment().getOrDefault(OarAsked.RESOURCES, "").isEmpty();
    return own && order.amounts().isSpread()
        ? Optional.of(OarAsked.RESOURCES + ": a job in these words has one host")
        : Optional.empty();
  }

  /**
   * The words of oarsub.
   *
   * @param paths of the scripts; several are an array
   */
  private Map<String, String> fields(OutsideSubmission order, List<String> paths) {
    Map<String, String> fields = new LinkedHashMap<>();
    boolean one = paths.size() == 1;
    fields.put("command", OarScripts.SHELL + (one ? " " + paths.get(0) : ""));
    if (!one) {
      fields.put(OarRequest.LINES, String.join("\n", paths) + "\n");
    }
    fields.put("resource", resource(order));
    String properties = order.work().environment().getOrDefault(OarAsked.PROPERTIES, "");
    if (!properties.isEmpty()) {
      fields.put(OarRequest.PROPERTY, properties);
    }
    fields.put("name", OarTogether.name(order.tag(), paths.size()));
    fields.put("workdir", "/");
    fields.put("directory", "/");
    fields.put("stdout", "/dev/null");
    fields.put("stderr", "/dev/null");
    order.place().queue().ifPresent(it -> fields.put("queue", it));
    file.given(OarKind.PROJECT).ifPresent(it -> fields.put("project", it));
    if (OarKind.isBestEffort(file, order.work().environment())) {
      fields.put("type", "besteffort");
    }
    return fields;
  }

  private String resource(OutsideSubmission order) {
    long wall = order.amounts().wallSeconds().orElse(0L);
    String own = order.work().environment().getOrDefault(OarAsked.RESOURCES, "");
    OutsideAmounts amounts = order.amounts();
    String usual =
        "/network_address="
            + amounts.hosts().size()
            + "/"
            + file.text(OarKind.SLOT)
            + "="
            + amounts.hosts().get(0).slots();
    return (own.isEmpty() ? usual : OarAsked.onOneHost(own))
        + (wall == 0 ? "" : ",walltime=" + wall / 3600 + ":" + wall / 60 % 60 + ":" + wall % 60);
  }

  /** By lists alone: whether a job is there must not hang on whether its end is known. */
  @Override
  public Told<List<OutsideJob>> tagged() throws InterruptedException {
    return OutsideJob.ofCluster(jobs(false), file.name());
  }

  /**
   * The jobs that are there, then those of ours that have ended since: one that ends in between is
   * in both answers, and has ended.
   */
  @Override
  public Told<List<OutsideJob>> snapshot() throws InterruptedException {
    return jobs(true);
  }

  private Told<List<OutsideJob>> jobs(boolean withEnds) throws InterruptedException {
    Told<OarQueue.ListedJobs> told =
        OarQueue.ask(door, OarQueue.question(OarQueue.PRESENT, Optional.empty()));
    if (!(told instanceof Told.Answered<OarQueue.ListedJobs> list)) {
      return Told.nothing(((Told.Nothing<OarQueue.ListedJobs>) told).why());
    }
    Told<List<OutsideJob>> named = together.named(list.value().jobs());
    if (!(named instanceof Told.Answered<List<OutsideJob>> present)) {
      return named;
    }
    Told<List<OutsideJob>> over =
        file.observes() ? Told.of(List.of()) : withEnds ? ended.read() : ended.listed();
    if (!(over instanceof Told.Answered<List<OutsideJob>> last)) {
      return over;
    }
    Map<OutsideId, OutsideJob> jobs = new LinkedHashMap<>();
    present.value().forEach(it -> jobs.put(it.id(), it));
    if (file.observes() || jobs.isEmpty()) {
      // That there are no jobs counts only when the database answers a question after it.
      Told<Map<Long, OarQueue.OarPlace>> places =
          OarQueue.places(door.ask(OarQueue.placesQuestion()));
      if (places instanceof Told.Nothing<Map<Long, OarQueue.OarPlace>> nothing) {
        return Told.nothing(nothing.why());
      }
      Map<Long, OarQueue.OarPlace> held =
          ((Told.Answered<Map<Long, OarQueue.OarPlace>>) places).value();
      jobs.replaceAll((id, job) -> OarQueue.at(job, held));
    }
    last.value().forEach(it -> jobs.put(it.id(), it));
    return Told.of(new ArrayList<>(jobs.values()));
  }

  /** One that the first answer lacks is asked for once more: OAR forgets no job. */
  @Override
  public Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
      String account, Collection<OutsideId> ids) throws InterruptedException {
    List<Long> numbers = ids.stream().map(OutsideId::number).toList();
    int most = Math.min(numbers.size(), EndedJobs.BATCH * EndedJobs.BATCHES);
    Map<OutsideId, Optional<OutsideJob>> jobs = new HashMap<>();
    for (int from = 0; from < most; from += EndedJobs.BATCH) {
      List<Long> some = numbers.subList(from, Math.min(most, from + EndedJobs.BATCH));
      Told<Map<OutsideId, Optional<OutsideJob>>> told =
          OarEnds.byNumber(door.ask(OarEnds.question(some)), some);
      if (told instanceof Told.Answered<Map<OutsideId, Optional<OutsideJob>>> first
          && first.value().containsValue(Optional.<OutsideJob>empty())) {
        told = OarEnds.byNumber(door.ask(OarEnds.question(some)), some);
      }
      if (!(told instanceof Told.Answered<Map<OutsideId, Optional<OutsideJob>>> answer)) {
        return told;
      }
      jobs.putAll(answer.value());
    }
    return Told.of(jobs);
  }

  @Override
  public Controlled control(OutsideId id, String account, OutsideAction action)
      throws InterruptedException {
    String verb =
        switch (action) {
          case HOLD -> "holds";
          case SUSPEND -> "rholds";
          case RELEASE, RESUME -> "resumptions";
          case DELETE -> "deletions";
        };
    String path = "/jobs/" + id.number() + "/" + verb + "/new.json";
    return OarWords.controlled(door.ask(OarRequest.order(path, account)));
  }

  /** Nothing: OAR keeps all of its jobs, and those that are over are in each snapshot. */
  @Override
  public Told<OutsideChanges> changes(String cursor) {
    return Told.of(new OutsideChanges(List.of(), List.of(), cursor, true, false));
  }

  @Override
  public Told<OutsideInventory> inventory() throws InterruptedException {
    return OarHosts.read(
        door.ask(OarHosts.question()), file.text(OarKind.SLOT), OarKind.isBestEffort(file));
  }

  @Override
  public OptionalDouble ownStress() throws InterruptedException {
    return OarHosts.stress(door.ask(OarHosts.stressQuestion()));
  }

  @Override
  public boolean hasAccounting() {
    return false;
  }

  @Override
  public boolean recordsUsage() {
    return false;
  }
}
