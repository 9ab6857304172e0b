package io.millrace.server.gateway.status;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.SubjobList;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.print.ObjectText;
import io.millrace.server.gateway.print.QueueCounts;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.ReservationText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Jobs, queues, nodes and the server as {@code qstat -f}, {@code pbsnodes} and {@code why} show
 * them, for interfaces without a command line. Lists come in pages.
 */
public final class Views {

  /** Characters of attributes after which a page of jobs ends, however few they are. */
  private static final int PAGE_CHARS = 4 << 20;

  private final Site site;
  private final boolean manager;

  public Views(Site site) {
    this(site, false);
  }

  private Views(Site site, boolean manager) {
    this.site = site;
    this.manager = manager;
  }

  /**
   * The view of a user.
   *
   * @param host gives the name of his host, empty for this one; asked only when it matters
   */
  public Views seenBy(String user, Supplier<String> host) {
    Site seen = site.seenBy(user, () -> role(user, host));
    if (!seesAll(user, host)) {
      return new Views(seen);
    }
    // Asked only where it shows: to know it may take a look-up of his host.
    boolean times = site.serverAttribute(EligibleTime.ENABLE).filter("True"::equals).isPresent();
    return new Views(seen, times && role(user, host) == Role.MANAGER);
  }

  private Role role(String user, Supplier<String> host) {
    return Roles.of(
        site,
        user,
        () -> {
          String name = host.get();
          return name.isEmpty() ? site.host() : name;
        });
  }

  /** Whether somebody may see the jobs of others. */
  public boolean seesAll(String user, Supplier<String> host) {
    return Roles.seesAll(site, () -> role(user, host));
  }

  /** Whether there is such a job, and this view may not show it. */
  public boolean hides(String id) throws QueryException, InterruptedException {
    return site.queries().hides(id(id).number());
  }

  /** One object with all that is shown of it. */
  public record ShownObject(String name, List<ShownAttribute> attributes) {}

  /**
   * Part of a list.
   *
   * @param next behind which the rest comes; empty at the end
   */
  public record ViewPage(List<ShownObject> entries, Optional<String> next) {}

  /**
   * Why a user may not use the server at all.
   *
   * @param host gives the name of his host; asked only when it matters
   */
  public Optional<PbsError> refusal(String user, Supplier<String> host) {
    return Roles.stranger(site, user, host);
  }

  /** Name of the server: the part of a job id behind the dot. */
  public String server() {
    return site.server();
  }

  /** Jobs in ascending number, without subjobs; at most so many. */
  public ViewPage jobs(JobFilter filter, int limit) throws QueryException, InterruptedException {
    JobComments comments = new JobComments(site, text(), manager);
    List<Job> found = new ArrayList<>();
    List<ShownObject> entries = new ArrayList<>();
    int[] chars = {0};
    boolean[] more = {false};
    site.queries()
        .jobs(
            filter,
            job -> {
              if (entries.size() >= limit || chars[0] >= PAGE_CHARS) {
                more[0] = true;
                return false;
              }
              ShownObject entry = entry(job, comments);
              chars[0] += size(entry);
              entries.add(entry);
              found.clear();
              found.add(job);
              return true;
            });
    Optional<String> next =
        more[0] ? Optional.of(Long.toString(found.get(0).getNumber())) : Optional.empty();
    return new ViewPage(entries, next);
  }

  private static int size(ShownObject entry) {
    int chars = 0;
    for (ShownAttribute shown : entry.attributes()) {
      chars += shown.name().length() + shown.value().length() + 16;
    }
    return chars;
  }

  /**
   * A job, an array or a subjob.
   *
   * @throws IllegalArgumentException with PBS's text when this is no identifier of a job
   */
  public Optional<ShownObject> job(String id) throws QueryException, InterruptedException {
    Optional<Job> job = find(id);
    return job.isPresent()
        ? Optional.of(entry(job.get(), new JobComments(site, text(), manager)))
        : Optional.empty();
  }

  /** Why a job is where it is, in words; empty when there is no such job. */
  public Optional<String> why(String id) throws QueryException, InterruptedException {
    Optional<Job> job = find(id);
    return job.isPresent()
        ? Optional.of(Why.explain(site, job.get(), site.clock().getZone()))
        : Optional.empty();
  }

  private Optional<Job> find(String text) throws QueryException, InterruptedException {
    return SubjobList.job(site.queries(), id(text));
  }

  private JobIds.JobId id(String text) {
    return JobIds.parse(text, site.server())
        .orElseThrow(
            () -> new IllegalArgumentException("illegally formed job identifier: " + text));
  }

  /** What is shown of a job, with what is joined to it. */
  private ShownObject entry(Job job, JobComments comments)
      throws QueryException, InterruptedException {
    JobAttributeText.Joined joined = comments.joined(job, site.clock().millis());
    return new ShownObject(job.getId(), text().attributes(job, joined));
  }

  private JobAttributeText text() {
    return new JobAttributeText(new Times(site.clock().getZone()), site.server());
  }

  /** Attributes of a job that an event of its change has. */
  private static final Set<String> OF_JOB =
      Set.of(
          "Job_Name",
          "Job_Owner",
          "job_state",
          "substate",
          "queue",
          "exec_host",
          "exec_vnode",
          "Hold_Types",
          "run_count",
          "stime",
          "obittime",
          "Exit_status");

  private static final Set<String> OF_NODE =
      Set.of("state", "jobs", "comment", "resources_assigned");

  private static final Set<String> OF_QUEUE =
      Set.of("enabled", "started", "total_jobs", "state_count", "resources_assigned");

  private static final Set<String> OF_RESERVATION =
      Set.of(
          "Reserve_Name",
          "Reserve_Owner",
          "reserve_state",
          "reserve_substate",
          "reserve_start",
          "reserve_end",
          "queue",
          "resv_nodes",
          "partition");

  /** A job in short, from its record alone. */
  public ShownObject brief(Job job) {
    return new ShownObject(
        job.getId(), only(OF_JOB, text().attributes(job, JobAttributeText.Joined.NOTHING)));
  }

  /** A node in short, as one shard has it; without attributes when it is no object any more. */
  public ShownObject brief(Node node) {
    List<ShownAttribute> shown =
        site.cluster()
            .find(ObjectKind.NODE, node.getName())
            .map(object -> new ObjectText(site.resources()).node(object, node, null))
            .orElse(List.of());
    return new ShownObject(node.getName(), only(OF_NODE, shown));
  }

  /** A queue in short, as one shard has it; without attributes when it is no object any more. */
  public ShownObject brief(Queue queue) {
    List<ShownAttribute> shown =
        site.cluster()
            .find(ObjectKind.QUEUE, queue.getName())
            .map(
                object ->
                    new ObjectText(site.resources())
                        .queue(object, QueueCounts.of(List.of(queue)), false))
            .orElse(List.of());
    return new ShownObject(queue.getName(), only(OF_QUEUE, shown));
  }

  /** A reservation in short, from its record alone. */
  public ShownObject brief(Reservation reservation) {
    return new ShownObject(
        reservation.getId(), only(OF_RESERVATION, reserved().attributes(reservation)));
  }

  private ReservationText reserved() {
    return new ReservationText(site.server(), new Times(site.clock().getZone()), false);
  }

  /**
   * Reservations in the order of their numbers.
   *
   * @param after only those behind this number; 0 for all
   */
  public ViewPage reservations(long after, int limit) throws QueryException, InterruptedException {
    List<Reservation> all = new ArrayList<>(site.queries().reservations());
    all.removeIf(it -> it.getNumber() <= after);
    all.sort(Comparator.comparingLong(Reservation::getNumber));
    List<ShownObject> entries = all.stream().limit(limit).map(this::entry).toList();
    boolean more = all.size() > limit;
    return new ViewPage(
        entries,
        more ? Optional.of(Long.toString(all.get(limit - 1).getNumber())) : Optional.empty());
  }

  /** A reservation by its name, with or without the server's. */
  public Optional<ShownObject> reservation(String name)
      throws QueryException, InterruptedException {
    String id = name.contains(".") ? name : name + "." + site.server();
    long number = ReservationIds.number(id);
    return number < 0
        ? Optional.empty()
        : site.queries().reservation(number).filter(it -> it.getId().equals(id)).map(this::entry);
  }

  private ShownObject entry(Reservation reservation) {
    return new ShownObject(reservation.getId(), reserved().attributes(reservation));
  }

  private static List<ShownAttribute> only(Set<String> names, List<ShownAttribute> all) {
    return all.stream().filter(it -> names.contains(it.name())).toList();
  }

  /** The server object. */
  public Optional<ShownObject> theServer() throws QueryException, InterruptedException {
    ViewPage page = objects(ObjectKind.SERVER, "", 1);
    return page.entries().stream().findFirst();
  }

  /**
   * Objects of a kind by name; queues with those of reservations.
   *
   * @param after only those behind this name; empty for all
   */
  public ViewPage objects(ObjectKind kind, String after, int limit)
      throws QueryException, InterruptedException {
    Inventory inventory = new Inventory(site);
    List<ShownObject> entries = new ArrayList<>();
    String last = "";
    List<ClusterObject> all = new ArrayList<>(site.cluster().all(kind));
    if (kind == ObjectKind.QUEUE) {
      all.addAll(KnownQueues.ofReservations(site));
      all.sort(Comparator.comparing(ClusterObject::getName));
    }
    for (ClusterObject object : all) {
      if (object.getName().compareTo(after) <= 0) {
        continue;
      }
      if (entries.size() == limit) {
        return new ViewPage(entries, Optional.of(last));
      }
      entries.add(entry(inventory, object));
      last = object.getName();
    }
    return new ViewPage(entries, Optional.empty());
  }

  /** An object by its name. */
  public Optional<ShownObject> object(ObjectKind kind, String name)
      throws QueryException, InterruptedException {
    Optional<ClusterObject> found =
        kind == ObjectKind.QUEUE ? KnownQueues.known(site, name) : site.cluster().find(kind, name);
    return found.isPresent()
        ? Optional.of(entry(new Inventory(site), found.get()))
        : Optional.empty();
  }

  private ShownObject entry(Inventory inventory, ClusterObject object)
      throws QueryException, InterruptedException {
    String name = object.getKind() == ObjectKind.SERVER ? site.server() : object.getName();
    return new ShownObject(name, inventory.attributes(object, null));
  }
}
